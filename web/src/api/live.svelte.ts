// A table as it happens: the view that the server sends over its WebSocket, and commands the other way.
//
// A connection that breaks is made again. Commands that had no answer are sent again with their ids, which is
// harmless: the server answers the same id the same.
import { commandId, Refused, unreachable } from "./client";
import { type Json, merged } from "./merge";
import type {
  Action,
  As,
  CommandRequest,
  DealerView,
  FromServer,
  PitView,
  PlayerView,
  Proof,
  PublicView,
  Receipt,
  SurveillanceView,
} from "./schema";

/** What each audience is shown. */
export interface Views {
  public: PublicView;
  player: PlayerView;
  dealer: DealerView;
  pit: PitView;
  surveillance: SurveillanceView;
}

export type Audience = keyof Views;

/** How the connection is. */
export type Line = "connecting" | "open" | "lost";

/** With whose authority a command is given. */
export interface Given {
  as?: As;
  given_by?: Proof;
  witness?: Proof;
}

interface Waiting {
  request: CommandRequest;
  done: (receipt: Receipt) => void;
  failed: (refused: Refused) => void;
}

/** How long to wait before a broken line is made again: a moment at first, then longer. */
const RETRY_MILLISECONDS = [250, 500, 1_000, 2_000, 4_000];

/** The live view of one table. Make it in a component and `close` it when that goes. */
export class Live<A extends Audience> {
  /** The newest view; nothing before the first arrives. */
  view = $state.raw<Views[A] | undefined>();
  /** The last line of the table's journal that is in the view. */
  sequence = $state(0);
  /** When the clock that runs at the table runs out, by the clock of this machine. */
  deadline = $state<number | undefined>();
  /** How the connection is. */
  line = $state<Line>("connecting");
  /** What the server said when it would not let us watch. */
  refused = $state.raw<Refused | undefined>();
  /** The names of players, by id. */
  names = $state.raw<Record<string, string>>({});

  #socket: WebSocket | undefined;
  #waiting = new Map<string, Waiting>();
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** How far the server's clock is ahead of ours. */
  #ahead = 0;

  constructor(
    readonly table: number,
    readonly audience: A,
  ) {
    this.#connect();
  }

  /** Asks something of the table; resolves when it is durable, fails with a `Refused`. */
  command(action: Action, given: Given = {}): Promise<Receipt> {
    const request: CommandRequest = { id: commandId(), action, ...given };
    return new Promise((done, failed) => {
      this.#waiting.set(request.id, { request, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
    });
  }

  /** Leaves the table's line. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // A browser complains of a line that is closed before it stands.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
    this.#fail(new Refused(unreachable("the page was left")));
  }

  /** No answer comes any more. */
  #fail(why: Refused): void {
    for (const waiting of this.#waiting.values()) waiting.failed(why);
    this.#waiting.clear();
  }

  #connect(): void {
    const query = new URLSearchParams({ as: this.audience });
    if (this.view !== undefined) query.set("resume", String(this.sequence));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?${query}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      for (const { request } of this.#waiting.values()) socket.send(JSON.stringify(request));
    };
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as FromServer);
    socket.onclose = () => {
      if (this.#closed || this.#socket !== socket) return;
      this.line = "lost";
      const wait = RETRY_MILLISECONDS[Math.min(this.#tries, RETRY_MILLISECONDS.length - 1)];
      this.#tries += 1;
      this.#timer = setTimeout(() => void this.#again(), wait);
    };
  }

  /** A browser does not say why a WebSocket was not opened, so a request asks first. */
  async #again(): Promise<void> {
    try {
      const answer = await fetch(`/api/tables/${this.table}/view?as=${this.audience}`);
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
        this.refused = new Refused(await answer.json());
        this.#fail(this.refused);
        return;
      }
    } catch {
      // The server is away; the attempt below fails and is made again.
    }
    if (!this.#closed) this.#connect();
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "view":
        this.line = "open";
        this.view = message.view as unknown as Views[A];
        this.#shown(message);
        break;
      case "change":
        if (message.from !== this.sequence || this.view === undefined) {
          // Something was missed: the whole view is asked for.
          this.view = undefined;
          this.#socket?.close();
          return;
        }
        // A change is told at once; a whole view may have been shown long before somebody asks for it.
        this.#ahead = message.at - Date.now();
        this.view = merged(this.view as unknown as Json, message.change as unknown as Json) as unknown as Views[A];
        this.#shown(message);
        break;
      case "resumed":
        this.line = "open";
        break;
      case "names":
        this.names = { ...this.names, ...message.names };
        break;
      case "answer":
        this.#answered(message.id)?.done({ sequence: message.sequence, at: message.at });
        break;
      case "refused":
        if (message.id == null) this.refused = new Refused(message.problem);
        else this.#answered(message.id)?.failed(new Refused(message.problem));
        break;
    }
  }

  #shown(message: { sequence: number; deadline?: number | null }): void {
    this.sequence = message.sequence;
    this.deadline = message.deadline == null ? undefined : message.deadline - this.#ahead;
  }

  #answered(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
