// What the server said about the end of a round.
import type { Felt, Outcome, RoundMark, Winner } from "../../../api/schema";

const LETTERS: Readonly<Record<string, Winner>> = { P: "player", B: "banker", T: "tie" };

/** Who won the round that has just ended, as the bead plate tells it. */
export function winnerOf(felt: Felt): Winner | undefined {
  if (felt.closed == null || typeof felt.closed === "string" || "free" in felt.closed) return undefined;
  return LETTERS[felt.board.roads.bead.at(-1) ?? ""];
}

/** The points that a round ended with. */
export function outcomeOf(mark: RoundMark | null | undefined): Outcome | undefined {
  if (mark == null || typeof mark === "string") return undefined;
  return "result" in mark ? mark.result : mark.free;
}
