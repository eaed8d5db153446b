// The tables that whoever looks may work at, as they are opened and closed.
import { data, GET } from "../../api/client";
import { type AtTable, openTable } from "../dealer/at.svelte";

export class Watched {
  readonly #open = new Map<number, AtTable>();
  #closed = false;
  #isLooking = false;

  /** Tells the tables whenever there are others. */
  constructor(readonly tell: (tables: readonly AtTable[]) => void) {}

  /** Asks which tables there are now; those that are open stay as they are. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const all = await data(GET("/api/tables"));
      const mine = all.filter(({ phase, consoles }) => phase !== "table-closed" && consoles.length > 0);
      const fresh = mine.filter(({ id }) => !this.#open.has(id));
      const found = await Promise.all(fresh.map(({ id }) => openTable(id)));
      const gone = [...this.#open.values()].filter((table) => !mine.some(({ id }) => id === table.id));
      for (const table of gone) this.#end(table);
      for (const table of found) if (table !== undefined) this.#open.set(table.id, table);
      if (this.#closed) this.close();
      else if (gone.length > 0 || fresh.length > 0) this.tell([...this.#open.values()].sort((one, other) => one.id - other.id));
    } finally {
      this.#isLooking = false;
    }
  }

  close(): void {
    this.#closed = true;
    for (const table of this.#open.values()) this.#end(table);
  }

  #end(table: AtTable): void {
    table.close();
    this.#open.delete(table.id);
  }
}
