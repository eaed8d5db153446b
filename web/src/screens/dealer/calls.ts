// The calls of the Dealer in the order of the procedure, and the commands behind them.
import type { Act, Action } from "../../api/schema";

/** Acts that need nothing more to be said. */
const PLAIN = [
  "record-shuffle",
  "open-bets",
  "deal-free-hand",
  "ask-to-reduce",
  "close-bets",
  "offer-insurance",
  "close-insurance",
  "check-count",
  "open-dealer",
  "settle",
  "close-window",
  "close-shoe-choice",
  "cut-card-out",
  "announce-last",
  "shoe-empty",
] as const satisfies readonly Act[];

/** Those that carry a round along, as they follow each other. */
const PROCEDURE: readonly Act[] = [
  "load-shoe",
  "record-shuffle",
  "cut-cards",
  "burn",
  "close-shoe-choice",
  "deal-free-hand",
  "open-bets",
  "ask-to-reduce",
  "close-bets",
  "offer-insurance",
  "close-insurance",
  "hand-over-player",
  "hand-over-banker",
  "check-count",
  "open-dealer",
  "call",
  "settle",
  "close-window",
  "hold-two",
  "sorted",
];

/** Those about the shoe that may come at almost any time. */
const ASIDE: readonly Act[] = ["cut-card-out", "announce-last", "count-shoe", "shoe-empty"];

/** Those that nobody can take back and that are not asked for: they want a second press. */
export const FINAL: readonly Act[] = ["announce-last", "shoe-empty"];

/** The acts that are offered, in the order of the procedure. A device that deals packets needs no cut, so that one
 * comes last with boxes. */
export function inOrder(offered: readonly Act[], boxes = false): Act[] {
  const found = PROCEDURE.filter((act) => offered.includes(act));
  // A deck that lies ready is played from: another may be loaded, but that leads back to the beginning.
  const ready = found.some((act) => act === "record-shuffle" || act === "open-bets");
  const late = (act: Act): number => Number((boxes && act === "cut-cards") || (ready && act === "load-shoe"));
  return found.sort((one, other) => late(one) - late(other));
}

export function aside(offered: readonly Act[]): Act[] {
  return ASIDE.filter((act) => offered.includes(act));
}

/** The command of an act that needs nothing more to be said. */
export function plainly(act: Act): Action | undefined {
  if (act === "load-shoe") return { "load-shoe": {} };
  return PLAIN.find((plain) => plain === act);
}
