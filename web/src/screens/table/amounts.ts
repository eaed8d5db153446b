// How much a tap adds: the chosen chip, brought within what the server says may be added.
import type { Bounds } from "../../api/schema";

/** The nearest allowed amount that is not below the wanted one, or the most there is. */
export function within(wanted: number, { from, to, step }: Bounds): number {
  if (wanted <= from) return from;
  const stepped = from + Math.ceil((wanted - from) / step) * step;
  return Math.min(stepped, to);
}

/** What a chip adds while `waiting` is still on its way to the same bet; nothing if there is no room. */
export function added(chip: number, bounds: Bounds, waiting: number): number | undefined {
  const left = { from: waiting > 0 ? bounds.step : bounds.from, to: bounds.to - waiting, step: bounds.step };
  return left.to < left.from ? undefined : within(chip, left);
}

/** A few handy amounts within bounds for buttons, from small to large. */
export function handy({ from, to, step }: Bounds, wanted: readonly number[]): number[] {
  const fits = wanted.map((amount) => within(Math.min(amount, to), { from, to, step }));
  return [...new Set(fits)].sort((a, b) => a - b);
}
