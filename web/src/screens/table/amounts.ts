// How much a tap adds: the chosen chip and nothing else. Where that does not fit within what the server says may be
// added, the table asks for what would.
import type { Bounds } from "../../api/schema";

/** Why another amount than the chip's is asked for: less than the least, or more than what is left. */
export type Because = "minimum" | "rest";

/** What a tap does: lays the chip, or asks whether another amount is wanted. */
export interface Tap {
  amount: number;
  because?: Because;
}

/** The nearest allowed amount that is not below the wanted one, or the most there is. */
export function within(wanted: number, { from, to, step }: Bounds): number {
  if (wanted <= from) return from;
  const stepped = from + Math.ceil((wanted - from) / step) * step;
  return Math.min(stepped, to);
}

/** What a tap does while `waiting` is still on its way to the same bet; nothing if there is no room. Without a chip, the
    player has none that is small enough. */
export function tapped(chip: number | undefined, bounds: Bounds, waiting: number): Tap | undefined {
  const left = { from: waiting > 0 ? bounds.step : bounds.from, to: bounds.to - waiting, step: bounds.step };
  if (left.to < left.from) return undefined;
  if (chip === undefined || chip > left.to) return { amount: left.to, because: "rest" };
  const amount = within(chip, left);
  return amount === chip ? { amount } : { amount, because: "minimum" };
}

/** Whether just this amount may be added. */
export function fits(amount: number, { from, to, step }: Bounds): boolean {
  return amount >= from && amount <= to && (amount - from) % step === 0;
}

/** A few handy amounts within bounds for buttons, from small to large. */
export function handy({ from, to, step }: Bounds, wanted: readonly number[]): number[] {
  const fits = wanted.map((amount) => within(Math.min(amount, to), { from, to, step }));
  return [...new Set(fits)].sort((a, b) => a - b);
}
