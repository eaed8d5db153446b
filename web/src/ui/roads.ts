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

/** The first column to show where there is room for so many: one more than is taken, so that the place of the next mark
    is in sight, and never the middle of one. */
export function fromColumn(taken: number, room: number): number {
  return Math.max(taken + 1 - room, 0);
}

/** Where the next mark goes: below one of its kind, to the right of it at the end of a column, or into a new column. */
export function nextCell(cells: readonly { column: number; row: number; of: string }[], of: string): { column: number; row: number } {
  const last = cells.at(-1);
  if (last === undefined) return { column: 0, row: 0 };
  const isTaken = (column: number, row: number): boolean => cells.some((cell) => cell.column === column && cell.row === row);
  if (last.of === of) {
    const isBelow = last.row + 1 < ROWS && !isTaken(last.column, last.row + 1);
    return isBelow ? { column: last.column, row: last.row + 1 } : { column: last.column + 1, row: last.row };
  }
  const streak = cells.slice(cells.findLastIndex((cell) => cell.of !== last.of) + 1);
  let column = (streak[0]?.column ?? 0) + 1;
  while (isTaken(column, 0)) column += 1;
  return { column, row: 0 };
}

/** What a shoe has been like: how often each came of all, and what stands out. */
export interface Figures {
  banker: number;
  player: number;
  tie: number;
  naturals: number;
  bankerPairs: number;
  playerPairs: number;
  /** How many hands the last winner has won in a row. */
  streak: { side: "B" | "P"; length: number } | undefined;
}

export function figuresOf(board: Board): Figures {
  const { counts } = board.roads;
  const all = Math.max(counts.banker + counts.player + counts.tie, 1);
  const share = (count: number): number => Math.round((100 * count) / all);
  const results = board.marks.flatMap((mark) => resultOf(mark) ?? []);
  const isNatural = (of: OutcomeShown): boolean =>
    of.player_cards === 2 && of.banker_cards === 2 && Math.max(of.player_points, of.banker_points) >= 8;
  const decided = letters(board).filter((letter) => letter !== "T");
  const side = decided.at(-1);
  const length = decided.length - 1 - decided.findLastIndex((letter) => letter !== side);
  return {
    banker: share(counts.banker),
    player: share(counts.player),
    tie: share(counts.tie),
    naturals: results.filter(isNatural).length,
    bankerPairs: results.filter((of) => of.banker_pair).length,
    playerPairs: results.filter((of) => of.player_pair).length,
    streak: side === undefined || length < 2 ? undefined : { side, length },
  };
}
