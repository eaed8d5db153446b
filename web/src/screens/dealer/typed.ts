// Cards as people type them, and as the server writes them.
import type { Suit } from "../../ui/cards";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"] as const;
export const SUITS: readonly Suit[] = ["S", "H", "C", "D"];
export const SYMBOLS: Record<Suit, string> = { S: "♠", H: "♥", C: "♣", D: "♦" };

/** The cards in a text such as `8s`, `10h` or `kd, 3c`; nothing if there is anything else in it. */
export function cardsTyped(text: string): string[] | undefined {
  let plain = text.toUpperCase().replaceAll("10", "T");
  for (const suit of SUITS) plain = plain.replaceAll(SYMBOLS[suit], suit);
  plain = plain.replace(/[\s,;]+/g, "");
  if (plain === "" || !/^([A2-9TJQK][SHCD])+$/.test(plain)) return undefined;
  return plain.match(/../g) ?? undefined;
}
