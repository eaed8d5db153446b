// How a hand of Niu Niu is laid out: three cards that make tens, and two beside them. What a hand is worth is said by
// the server; here only the printed figures are added up for those who look.

/** What a card counts in a sum: pictures ten, an ace one. */
function printed(card: string): number {
  const rank = card[0] ?? "";
  return rank === "A" ? 1 : "TJQK".includes(rank) ? 10 : Number(rank);
}

export function total(cards: readonly string[]): number {
  return cards.reduce((sum, card) => sum + printed(card), 0);
}

/** A sum as one writes it: `10 + 7 + 3 = 20`. */
export function sum(cards: readonly string[]): string {
  return `${cards.map(printed).join(" + ")} = ${total(cards)}`;
}

/** Whether cards make tens. */
export function makesTens(cards: readonly string[]): boolean {
  return cards.length === 3 && total(cards) % 10 === 0;
}

/** Cards in two groups: those at the places, and the others. */
export function grouped<T>(cards: readonly T[], places: readonly number[] | null | undefined): [T[], T[]] {
  if (places == null) return [[...cards], []];
  return [cards.filter((_, at) => places.includes(at)), cards.filter((_, at) => !places.includes(at))];
}
