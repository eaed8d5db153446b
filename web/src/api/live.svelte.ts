// A table as it happens: the view that the server sends over its WebSocket, and commands the other way.
//
// A connection that breaks is made again. Commands that had no answer are sent again with their ids, which is
// harmless: the server answers the same id the same, and refuses what answers a moment that is over meanwhile. A line
// that died without a word is noticed by its silence: every moment without a message is asked about, and no answer
// means that nothing gets through.
import { commandId, LEFT, Refused } from "./client";
import { type Json, merged } from "./merge";
import type {
  Action,
  As,
  CommandRequest,
  DealerView,
  FromServer,
  Moment,
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
/** What a client says to hear whether the line is alive. */
const BEAT = "beat";
/** Between two looks at the line; without a message for so long, it is asked whether it is alive. */
const LOOK_MILLISECONDS = 500;
/** No answer for so long: the line is dead as far as anybody knows. Within three seconds it is noticed. */
const SILENCE_MILLISECONDS = 1_500;
/** After so long a new line is made beside the silent one. */
const PATIENCE_MILLISECONDS = 6_000;
/** A page that was away for so long has a line that may be dead. */
const AWAY_MILLISECONDS = 8_000;

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
  /** That clock has run out. */
  isOver = $state(false);
  /** How the connection is. */
  line = $state<Line>("connecting");
  /** What the server said when it would not let us watch. */
  refused = $state.raw<Refused | undefined>();
  /** The names of players, by id. */
  names = $state.raw<Record<string, string>>({});

  #socket: WebSocket | undefined;
  #waiting = new Map<string, Waiting>();
  /** Who waits for a line of the journal to be in the view. */
  #expected: { sequence: number; go: () => void }[] = [];
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runsOut: ReturnType<typeof setTimeout> | undefined;
  readonly #looks: ReturnType<typeof setInterval>;
  /** When something was heard last, and since when a beat has no answer. */
  #heard = 0;
  #asked: number | undefined;
  #closed = false;
  /** Something was missed: what is shown stays until the whole view comes. */
  #isBehind = false;
  /** How far the server's clock is ahead of ours, as far as it is known. */
  #ahead: number | undefined;
  /** The moment of play in the view: what a command answers. */
  #moment: Moment | undefined;
  #away: number | undefined;
  readonly #gone = new AbortController();

  constructor(
    readonly table: number,
    readonly audience: A,
  ) {
    this.#connect();
    this.#looks = setInterval(() => this.#look(), LOOK_MILLISECONDS);
    // A line that died while the page slept or the network changed is found by making a new one.
    const { signal } = this.#gone;
    addEventListener("online", () => this.#renew(), { signal });
    document.addEventListener("visibilitychange", () => this.#returned(), { signal });
  }

  /** Asks something of the table; resolves when it is durable, fails with a `Refused`. */
  command(action: Action, given: Given = {}): Promise<Receipt> {
    if (this.refused !== undefined) return Promise.reject(this.refused);
    const request: CommandRequest = { id: commandId(), action, answers: this.#moment ?? null, ...given };
    return new Promise((done, failed) => {
      this.#waiting.set(request.id, { request, done, failed });
      this.#send(request);
    });
  }

  /** Waits until the view has a line of the journal: what comes next is decided from it. */
  shows(sequence: number): Promise<void> {
    if (this.sequence >= sequence || this.#closed || this.refused !== undefined) return Promise.resolve();
    return new Promise((go) => this.#expected.push({ sequence, go }));
  }

  /** Leaves the table's line. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#looks);
    clearTimeout(this.#runsOut);
    this.#gone.abort();
    this.#hangUp();
    this.#fail(new Refused(LEFT));
  }

  #send(request: CommandRequest): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(request));
  }

  /** Asks a silent line whether it is alive, and says so when it does not answer. */
  #look(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const now = Date.now();
    if (this.#asked === undefined) {
      if (now - this.#heard < LOOK_MILLISECONDS) return;
      this.#asked = now;
      socket.send(BEAT);
    } else if (now - this.#asked >= PATIENCE_MILLISECONDS) this.#renew();
    else if (now - this.#asked >= SILENCE_MILLISECONDS) this.line = "lost";
  }

  #returned(): void {
    if (document.visibilityState === "hidden") this.#away = Date.now();
    else if (this.#away !== undefined && Date.now() - this.#away > AWAY_MILLISECONDS) this.#renew();
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
    this.#asked = undefined;
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
    this.#arrived(Infinity);
  }

  /** The view has come so far. */
  #arrived(sequence: number): void {
    const there = this.#expected.filter((expected) => expected.sequence <= sequence);
    this.#expected = this.#expected.filter((expected) => expected.sequence > sequence);
    for (const { go } of there) go();
  }

  #connect(): void {
    const query = new URLSearchParams({ as: this.audience });
    if (this.view !== undefined && !this.#isBehind) query.set("resume", String(this.sequence));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?${query}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#heard = Date.now();
      this.#asked = undefined;
      for (const { request } of this.#waiting.values()) this.#send(request);
    };
    socket.onmessage = (message) => {
      if (this.#socket === socket) this.#hear(JSON.parse(String(message.data)) as FromServer);
    };
    socket.onclose = () => {
      if (this.#closed || this.#socket !== socket || this.refused !== undefined) return;
      this.line = "lost";
      const wait = RETRY_MILLISECONDS[Math.min(this.#tries, RETRY_MILLISECONDS.length - 1)] ?? 0;
      this.#tries += 1;
      // Not all at once when a server comes back: each after a while of its own, up to twice as long.
      this.#timer = setTimeout(() => void this.#again(), wait * (1 + Math.random()));
    };
  }

  /** A browser does not say why a WebSocket was not opened, so a request asks first. */
  async #again(): Promise<void> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MILLISECONDS), this.#gone.signal]);
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
    const asked = this.#asked;
    this.#heard = Date.now();
    this.#asked = undefined;
    // It was only slow: what was missed meanwhile is told by the sequence.
    if (this.line === "lost" && this.view !== undefined) this.line = "open";
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
        this.#ahead = message.at - Date.now();
        this.#shown(message);
        break;
      case "beat":
        // Half of the way there and back lies before the server's time, and half behind it.
        if (asked !== undefined) this.#ahead = message.at - (asked + this.#heard) / 2;
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

  #shown(message: { sequence: number; deadline?: number | null; moment?: Moment }): void {
    this.sequence = message.sequence;
    // A view that was resumed is of the same moment.
    if (message.moment !== undefined) this.#moment = message.moment;
    this.deadline = message.deadline == null ? undefined : message.deadline - (this.#ahead ?? 0);
    clearTimeout(this.#runsOut);
    const left = (this.deadline ?? Infinity) - Date.now();
    this.isOver = left <= 0;
    if (left > 0 && left < Infinity) this.#runsOut = setTimeout(() => (this.isOver = true), left);
    this.#arrived(message.sequence);
  }

  #answered(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
