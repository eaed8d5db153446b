// How a round ended, for people to read.
import type { Outcome, RoundMark, Winner } from "../../api/schema";

/** A mark taken apart. */
export type Told =
  | { kind: "result" | "free"; outcome: Outcome; winner: Winner }
  | { kind: "void" }
  | { kind: "played" };

export function told(mark: RoundMark): Told {
  if (mark === "void" || mark === "played") return { kind: mark };
  const [kind, outcome] = "result" in mark ? (["result", mark.result] as const) : (["free", mark.free] as const);
  return { kind, outcome, winner: colour(outcome) };
}

/** The colour of a mark: marks tell the counts of both hands, and the higher one gives the colour. */
function colour({ player_points, banker_points }: Outcome): Winner {
  if (player_points === banker_points) return "tie";
  return player_points > banker_points ? "player" : "banker";
}
