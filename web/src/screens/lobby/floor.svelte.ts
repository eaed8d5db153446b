// The tables of the floor and their roads, asked for again while somebody looks.
import { data, GET, problemOf } from "../../api/client";
import type { Board, Phase, Problem, RoundKept, RulebookSummary, TableSummary } from "../../api/schema";

const EVERY_MILLISECONDS = 3_000;
/** By how much of it each look may come earlier. */
const JITTER = 0.3;

/** Phases in which the last round is on the board: only then can the roads have changed. */
const AT_REST: readonly Phase[] = ["shoe-loaded", "ready", "shoe-option", "shoe-decision", "shoe-end", "table-closed"];

export class Floor {
  tables = $state.raw<TableSummary[] | undefined>();
  boards = $state.raw<Record<number, Board>>({});
  /** The last round of tables whose board shows nothing, such as those of Niu Niu. */
  last = $state.raw<Record<number, RoundKept>>({});
  /** By id. */
  rulebooks = $state.raw<Record<string, RulebookSummary>>({});
  /** Why the tables could not be asked for, the last time. */
  problem = $state.raw<Problem | undefined>();

  #known = new Map<number, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor() {
    void this.#look();
    data(GET("/api/rulebooks"))
      .then((books) => (this.rulebooks = Object.fromEntries(books.map((book) => [book.id, book]))))
      .catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    if (!document.hidden) {
      try {
        const tables = await data(GET("/api/tables"));
        this.tables = tables;
        this.problem = undefined;
        // The roads of a table that did not come are asked for again the next time.
        await Promise.all(tables.map((table) => this.#lookAt(table).catch(() => undefined)));
      } catch (thrown) {
        this.problem = problemOf(thrown);
      }
    }
    // Not everybody at the same time.
    const wait = EVERY_MILLISECONDS * (1 - JITTER * Math.random());
    if (!this.#closed) this.#timer = setTimeout(() => void this.#look(), wait);
  }

  /** Fetches the roads of a table if a round can have ended since. */
  async #lookAt({ id, shoe, round, phase }: TableSummary): Promise<void> {
    const isAtRest = AT_REST.includes(phase);
    const now = `${shoe} ${round} ${isAtRest}`;
    if (this.#known.get(id) === now) return;
    const board = await data(GET("/api/tables/{table}/roads", { params: { path: { table: id } } }));
    this.boards = { ...this.boards, [id]: board };
    if (board.roads.bead === "" && round > 1) await this.#lookBack(id);
    this.#known.set(id, now);
  }

  /** Fetches the last round of a table without roads. */
  async #lookBack(id: number): Promise<void> {
    const query = { limit: 1 };
    const { rounds } = await data(GET("/api/tables/{table}/rounds", { params: { path: { table: id }, query } }));
    const newest = rounds[0];
    if (newest?.mark !== "played" || this.last[id]?.round === newest.round) return;
    const path = { table: id, round: newest.round };
    const { kept } = await data(GET("/api/tables/{table}/rounds/{round}", { params: { path } }));
    this.last = { ...this.last, [id]: kept };
  }
}
