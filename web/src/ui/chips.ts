// Chips: which values a table has, and an amount as a stack of them.

/** A value and its colours. */
export interface Chip {
  value: number;
  /** The index of its colours. */
  colour: number;
}

/** Steps of a rack: one, five, ten, fifty times the smallest chip and so on, up to the limit. */
export function rack(smallest: number, highest: number, most = 7): Chip[] {
  const values: number[] = [];
  for (let step = smallest, five = true; step <= highest && values.length < 12; five = !five) {
    values.push(step);
    step *= five ? 5 : 2;
  }
  return values.slice(0, most).map((value, colour) => ({ value, colour }));
}

/** The chips that make up an amount, the largest first; what is smaller than the smallest chip is left out. */
export function stacked(amount: number, chips: readonly Chip[], most = 12): Chip[] {
  const stack: Chip[] = [];
  let left = amount;
  for (const chip of chips.toReversed()) {
    while (left >= chip.value && stack.length < most) {
      stack.push(chip);
      left -= chip.value;
    }
  }
  return stack;
}
