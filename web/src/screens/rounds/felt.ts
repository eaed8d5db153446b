// The layout of a finished round, as far as it is shown.
import type { BetInfo, Ended, InsuranceShown, LaidShown } from "../../api/schema";

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
