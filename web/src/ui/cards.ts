// What a card written by the server (`8S`) looks like and is called.
import { t } from "../i18n/text.svelte";
import { cards } from "../i18n/cards";

export type Suit = "S" | "H" | "D" | "C";

export interface Spelled {
  /** `A`, `2` … `9`, `T`, `J`, `Q`, `K`. */
  rank: string;
  suit: Suit;
  /** What stands in the corner. */
  index: string;
  isRed: boolean;
  isPicture: boolean;
  /** What it is called, in the chosen language. */
  name: () => string;
}

export function spelled(card: string): Spelled {
  const rank = card[0] ?? "";
  const suit = card[1] as Suit;
  return {
    rank,
    suit,
    index: rank === "T" ? "10" : rank,
    isRed: suit === "H" || suit === "D",
    isPicture: rank === "J" || rank === "Q" || rank === "K",
    name: () => {
      const ranks: Record<string, keyof typeof cards> = { A: "ace", J: "jack", Q: "queen", K: "king" };
      const key = ranks[rank];
      const said = key === undefined ? (rank === "T" ? "10" : rank) : t(cards[key]);
      return t(cards.named, { rank: said, suit: t(cards[suit]) });
    },
  };
}
