// A table as it happens: the view that the server sends over its WebSocket, and commands the other way.
//
// A connection that breaks is made again. Commands that had no answer are sent again with their ids, which is
// harmless: the server answers the same id the same.
import { commandId, LEFT, Refused } from "./client";
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
/** A command without an answer for so long, or a page that was away for so long, has a line that may be dead. */
const SILENCE_MILLISECONDS = 8_000;

/** Whether an answer says that we may not look at the table, or not any more. */
const isShutOut = (status: number): boolean => status === 401 || status === 403 || status === 404;

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
  /** Something was missed: what is shown stays until the whole view comes. */
  #isBehind = false;
  /** How far the server's clock is ahead of ours, as far as it is known. */
  #ahead: number | undefined;
  #away: number | undefined;
  readonly #gone = new AbortController();

  constructor(
    readonly table: number,
    readonly audience: A,
  ) {
    this.#connect();
    // A line that died while the page slept or the network changed is found by making a new one.
    const { signal } = this.#gone;
    addEventListener("online", () => this.#renew(), { signal });
    document.addEventListener("visibilitychange", () => this.#returned(), { signal });
  }

  /** Asks something of the table; resolves when it is durable, fails with a `Refused`. */
  command(action: Action, given: Given = {}): Promise<Receipt> {
    if (this.refused !== undefined) return Promise.reject(this.refused);
    const request: CommandRequest = { id: commandId(), action, ...given };
    return new Promise((done, failed) => {
      this.#waiting.set(request.id, { request, done, failed });
      this.#send(request);
    });
  }

  /** Leaves the table's line. */
  close(): void {
    this.#closed = true;
    this.#gone.abort();
    this.#hangUp();
    this.#fail(new Refused(LEFT));
  }

  #send(request: CommandRequest): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(request));
    setTimeout(() => {
      if (this.#socket === socket && this.#waiting.has(request.id)) this.#renew();
    }, SILENCE_MILLISECONDS);
  }

  #returned(): void {
    if (document.visibilityState === "hidden") this.#away = Date.now();
    else if (this.#away !== undefined && Date.now() - this.#away > SILENCE_MILLISECONDS) this.#renew();
  }

  /** Makes the line again without waiting for the old one to end: a dead one takes minutes to find out. */
  #renew(): void {
    if (this.#closed || this.refused !== undefined) return;
    this.#hangUp();
    this.line = "lost";
    void this.#again();
  }

  #hangUp(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    // A browser complains of a line that is closed before it stands.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** Nothing is heard from this table any more. */
  #shutOut(why: Refused): void {
    this.refused = why;
    this.#fail(why);
  }

  /** No answer comes any more. */
  #fail(why: Refused): void {
    for (const waiting of this.#waiting.values()) waiting.failed(why);
    this.#waiting.clear();
  }

  #connect(): void {
    const query = new URLSearchParams({ as: this.audience });
    if (this.view !== undefined && !this.#isBehind) query.set("resume", String(this.sequence));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?${query}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      for (const { request } of this.#waiting.values()) this.#send(request);
    };
    socket.onmessage = (message) => {
      if (this.#socket === socket) this.#hear(JSON.parse(String(message.data)) as FromServer);
    };
    socket.onclose = () => {
      if (this.#closed || this.#socket !== socket || this.refused !== undefined) return;
      this.line = "lost";
      const wait = RETRY_MILLISECONDS[Math.min(this.#tries, RETRY_MILLISECONDS.length - 1)];
      this.#tries += 1;
      this.#timer = setTimeout(() => void this.#again(), wait);
    };
  }

  /** A browser does not say why a WebSocket was not opened, so a request asks first. */
  async #again(): Promise<void> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(SILENCE_MILLISECONDS), this.#gone.signal]);
      const answer = await fetch(`/api/tables/${this.table}/view?as=${this.audience}`, { signal });
      if (isShutOut(answer.status)) {
        this.#shutOut(new Refused(await answer.json()));
        return;
      }
    } catch {
      // The server is away; the attempt below fails and is made again.
    }
    const isThere = this.#socket !== undefined && this.#socket.readyState <= WebSocket.OPEN;
    if (!this.#closed && !isThere) this.#connect();
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "view":
        this.line = "open";
        this.#isBehind = false;
        this.view = message.view as unknown as Views[A];
        // It may have been shown long before somebody asks for it, so it tells only how far ahead we are at least.
        this.#ahead = Math.max(this.#ahead ?? -Infinity, message.at - Date.now());
        this.#shown(message);
        break;
      case "change":
        if (message.from !== this.sequence || this.view === undefined) {
          this.#isBehind = true;
          this.#socket?.close();
          return;
        }
        // A change is told at once.
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
        if (message.id != null) this.#answered(message.id)?.failed(new Refused(message.problem));
        else if (isShutOut(message.problem.status)) this.#shutOut(new Refused(message.problem));
        // It does not say which: none of them was understood.
        else this.#fail(new Refused(message.problem));
        break;
    }
  }

  #shown(message: { sequence: number; deadline?: number | null }): void {
    this.sequence = message.sequence;
    this.deadline = message.deadline == null ? undefined : message.deadline - (this.#ahead ?? 0);
  }

  #answered(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
