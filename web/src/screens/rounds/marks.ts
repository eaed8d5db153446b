// How a round ended, for people to read.
import type { MarkShown, OutcomeShown, Winner } from "../../api/schema";

/** A mark taken apart. */
export type Told =
  | { kind: "result" | "free"; outcome: OutcomeShown; winner: Winner }
  | { kind: "void" }
  | { kind: "played" };

export function told(mark: MarkShown): Told {
  if (mark === "void" || mark === "played") return { kind: mark };
  const [kind, outcome] = "result" in mark ? (["result", mark.result] as const) : (["free", mark.free] as const);
  return { kind, outcome, winner: outcome.winner };
}
