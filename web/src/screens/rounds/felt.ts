// The layout of a finished round, as far as it is shown.
import type { BetInfo, Ended, Face, Felt, InsuranceShown, RoundKept, Side, WagerShown } from "../../api/schema";

/** What is kept of the layout: all but the board. */
export type KeptFelt = Omit<Felt, "board">;

/** The document of the API leaves the layout open; it is that of the public view without the board. */
export function feltOf(kept: RoundKept): KeptFelt {
  return kept.felt as unknown as KeptFelt;
}

/** A card that is open, as the server writes it. */
export function faceOf(face: Face): string | undefined {
  return typeof face === "object" ? face.up : undefined;
}

/** The cards of a hand, in draw order. */
export function handOf(felt: KeptFelt, side: Side): KeptFelt["draws"] {
  return felt.draws.filter((draw) => draw.side === side);
}

/** A wager or an insurance. */
export type Laid = WagerShown | InsuranceShown;

export function isInsurance(laid: Laid): laid is InsuranceShown {
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
