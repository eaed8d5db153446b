// What the server said about the end of a round.
import type { MarkShown, OutcomeShown, Winner } from "../../../api/schema";

/** Who won a round that is over. Nobody won a Free Hand: no wager counts in it. */
export function winnerOf({ closed }: { closed?: MarkShown | null | undefined }): Winner | undefined {
  return typeof closed === "object" && closed !== null && "result" in closed ? closed.result.winner : undefined;
}

/** The points that a round ended with. */
export function outcomeOf(mark: MarkShown | null | undefined): OutcomeShown | undefined {
  if (mark == null || typeof mark === "string") return undefined;
  return "result" in mark ? mark.result : mark.free;
}
