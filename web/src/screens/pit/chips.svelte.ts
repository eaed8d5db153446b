// The chips of a table: its counts and slips, asked for every few seconds, and what is done with them.
import { commandId, data, GET, POST, problemOf } from "../../api/client";
import type { PaperShown, Pieces, Problem, Proof, TrayAsked, TrayShown } from "../../api/schema";
import { type Chip, rack } from "../../ui/chips";

const EVERY_MILLISECONDS = 3_000;
/** The most denominations that a count asks for, beginning with the smallest. */
const KINDS = 8;

/** The denominations of a table, the highest first. */
export function kindsOf(smallest: number): Chip[] {
  return rack(smallest, smallest * 10_000, KINDS).toReversed();
}

/** What was typed into the fields of a count, as chips; nothing where a field is no number. */
export function piecesOf(typed: ReadonlyMap<number, string>): Pieces[] | undefined {
  const found: Pieces[] = [];
  for (const [value, text] of typed) {
    const bare = text.trim();
    if (bare === "") continue;
    if (!/^\d{1,7}$/.test(bare)) return undefined;
    found.push({ value, pieces: Number(bare) });
  }
  return found;
}

export function total(pieces: readonly Pieces[]): number {
  return pieces.reduce((sum, { value, pieces }) => sum + value * pieces, 0);
}

export class Chips {
  shown = $state.raw<TrayShown | undefined>();
  problem = $state.raw<Problem | undefined>();
  busy = $state(false);
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly table: number) {}

  begin(): void {
    this.#timer = setInterval(() => void this.look(), EVERY_MILLISECONDS);
    void this.look();
  }
  end(): void {
    clearInterval(this.#timer);
  }
  async look(): Promise<void> {
    if (document.hidden && this.shown !== undefined) return;
    try {
      this.shown = await data(GET("/api/tables/{table}/tray", { params: { path: { table: this.table } } }));
    } catch (thrown) {
      if (this.shown === undefined) this.problem = problemOf(thrown);
    }
  }
  /** Gives an order; the paper as it is then, or nothing where it was refused. PINs are forgotten with the answer. */
  async order(order: TrayAsked, by: { given_by?: Proof; witness?: Proof } = {}): Promise<PaperShown | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.problem = undefined;
    try {
      const body = { id: commandId(), order, ...by };
      const paper = await data(POST("/api/tables/{table}/tray", { params: { path: { table: this.table } }, body }));
      await this.look();
      return paper;
    } catch (thrown) {
      this.problem = problemOf(thrown);
      return undefined;
    } finally {
      for (const proof of [by.given_by, by.witness]) if (proof) proof.pin = "";
      this.busy = false;
    }
  }
}
