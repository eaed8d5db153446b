// What the server said about the end of a round.
import type { Felt, MarkShown, OutcomeShown, Winner } from "../../../api/schema";

/** Who won the round that has just ended; nobody won a Free Hand. */
export function winnerOf(felt: Felt): Winner | undefined {
  if (felt.closed == null || typeof felt.closed === "string" || "free" in felt.closed) return undefined;
  return felt.closed.result.winner;
}

/** The points that a round ended with. */
export function outcomeOf(mark: MarkShown | null | undefined): OutcomeShown | undefined {
  if (mark == null || typeof mark === "string") return undefined;
  return "result" in mark ? mark.result : mark.free;
}
