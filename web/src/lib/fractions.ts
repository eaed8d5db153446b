// Exact fractions, as the server writes them: `19/20`.

/** A share as a percentage of at most two places, else as the fraction that it is: `5%`, `2.5%`, `1/30`. */
export function share(fraction: string): string {
  const [above = 0, below = 1] = fraction.split("/").map(Number);
  const hundredths = (above * 10_000) / below;
  return Number.isInteger(hundredths) ? `${hundredths / 100}%` : fraction;
}
