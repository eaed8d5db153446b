// What the roads are drawn from: beads with their pairs.
import type { Board, MarkShown, OutcomeShown } from "../api/schema";

/** How many rows every road has. */
export const ROWS = 6;

export type Letter = "B" | "P" | "T";

/** A hand on the bead plate. */
export interface Bead {
  letter: Letter;
  column: number;
  row: number;
  bankerPair: boolean;
  playerPair: boolean;
}

/** The result of a round with wagers. */
function resultOf(mark: MarkShown): OutcomeShown | undefined {
  return typeof mark === "object" && "result" in mark ? mark.result : undefined;
}

/** The letters on the bead plate. */
export function letters(board: Board): Letter[] {
  return [...board.roads.bead].filter((letter) => letter === "B" || letter === "P" || letter === "T");
}

/** The bead plate: down first, then to the right. */
export function beads(board: Board): Bead[] {
  const results = board.marks.flatMap((mark) => resultOf(mark) ?? []);
  const all = letters(board);
  // Only as many results as beads say which bead had which pairs.
  const paired = results.length === all.length;
  return all.map((letter, at) => ({
    letter,
    column: Math.floor(at / ROWS),
    row: at % ROWS,
    bankerPair: paired && (results[at]?.banker_pair ?? false),
    playerPair: paired && (results[at]?.player_pair ?? false),
  }));
}

/** How many columns a road has so far. */
export function width(cells: readonly { column: number }[]): number {
  return cells.reduce((widest, cell) => Math.max(widest, cell.column + 1), 0);
}
