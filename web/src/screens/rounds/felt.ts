// The layout of a finished round, as far as it is shown.
import type { BetInfo, Ended, Face, InsuranceShown, KeptFelt, LaidShown, Side } from "../../api/schema";

/** A card that is open, as the server writes it. */
export function faceOf(face: Face): string | undefined {
  return typeof face === "object" ? face.up : undefined;
}

/** The cards of a hand, in draw order. */
export function handOf(felt: KeptFelt, side: Side): KeptFelt["draws"] {
  return felt.draws.filter((draw) => draw.side === side);
}

export function isInsurance(laid: LaidShown): laid is InsuranceShown {
  return !("bet" in laid);
}

/** What a wager brought or cost: what was paid on it less what was taken. */
export function change(ended: Ended): number {
  return ended.winnings - ended.collected;
}

export function betOf(bets: readonly BetInfo[], index: number): BetInfo | undefined {
  return bets.find((bet) => bet.bet === index);
}

/** The number of a box, from whose hand it is (`box3`, `dealer`). */
export function boxOf(holder: string): number | undefined {
  const found = /^box(\d+)$/.exec(holder);
  return found === null ? undefined : Number(found[1]);
}
