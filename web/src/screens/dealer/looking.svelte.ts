// Looks ahead: what a command would lead to, asked of the server while a form is filled. Nothing happens by it.
import { data, POST, problemOf } from "../../api/client";
import type { Action, Preview, Problem } from "../../api/schema";
import type { AtTable } from "./at.svelte";

export class Looking {
  told = $state.raw<Preview | undefined>();
  problem = $state.raw<Problem | undefined>();
  #asked = 0;

  /** Asks what would come of a command, or, without one, what is open at the table. Only the last answer counts. */
  async look(at: AtTable, action?: Action): Promise<void> {
    const mine = ++this.#asked;
    const as = at.audience === "surveillance" ? "surveillance" : "staff";
    try {
      const told = await data(
        POST("/api/tables/{table}/preview", {
          params: { path: { table: at.id } },
          body: { as, ...(action !== undefined && { action }) },
        }),
      );
      if (mine === this.#asked) [this.told, this.problem] = [told, undefined];
    } catch (thrown) {
      if (mine === this.#asked) [this.told, this.problem] = [undefined, problemOf(thrown)];
    }
  }
  /** What was asked is of no interest any more. */
  forget(): void {
    this.#asked += 1;
    this.told = undefined;
    this.problem = undefined;
  }
}
