// What a form asks of a table: one thing at a time, and what was refused is told in the form.
import type { Given } from "../../api/live.svelte";
import type { Action, Problem } from "../../api/schema";
import type { AtTable } from "./at.svelte";

export class Asking {
  /** The answer has not come yet. */
  busy = $state(false);
  problem = $state.raw<Problem | undefined>();

  /** Whether it went well. What is asked before the last answer has come is a second press of the same button, and
   * not asked. The PINs of those who proved themselves are forgotten with the answer. */
  async ask(at: AtTable, action: Action, given: Given = {}): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = await at.ask(action, given);
    for (const proof of [given.given_by, given.witness]) if (proof) proof.pin = "";
    this.busy = false;
    return this.problem === undefined;
  }
}
