// The server tells when a line pays in English words of a fixed form; here they are taken apart, to be said anew.

/** One thing that must be so. `numbers` and `hands` are as the server wrote them. */
export type Part =
  | { is: "wins"; who: "player" | "banker" | "box" | "dealer" }
  | { is: "tie" | "natural" | "no-natural" | "otherwise" | "always" | "any-winner" }
  | { is: "points" | "cards"; who: "player" | "banker"; numbers: string }
  | { is: "all-cards" | "margin"; numbers: string }
  | { is: "pair" | "no-pair"; who: "player" | "banker" }
  | { is: "hand"; who: "box" | "dealer"; hands: string[] }
  | { is: "words"; words: string };

/** A line: what must be so, and for a Reserve what must be so beside it. */
export interface When {
  parts: Part[];
  reserve?: Part[];
}

const PLAIN: Record<string, Part> = {
  "Player wins": { is: "wins", who: "player" },
  "Banker wins": { is: "wins", who: "banker" },
  "box wins": { is: "wins", who: "box" },
  "Dealer wins": { is: "wins", who: "dealer" },
  tie: { is: "tie" },
  natural: { is: "natural" },
  "no natural": { is: "no-natural" },
  otherwise: { is: "otherwise" },
  always: { is: "always" },
  "any winner": { is: "any-winner" },
};

const SETS = /^[\d–-]+$/;

/** Takes a line apart; what has no known form stays as it is. */
export function when(text: string): When {
  const [main = "", reserve] = text.split("; Reserve: ");
  const parts = partsOf(main);
  return reserve === undefined ? { parts } : { parts, reserve: partsOf(reserve) };
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (const piece of text.split(", ")) {
    const last = parts.at(-1);
    // A list goes on: `box has niu-8, niu-9`, `Banker on 2, 4`.
    if (last?.is === "hand" && /^(no-hand|[a-z]+-[a-z]+(-[a-z]+)?|niu-\d)$/.test(piece)) last.hands.push(piece);
    else if (last !== undefined && "numbers" in last && SETS.test(piece)) last.numbers += `, ${piece}`;
    else parts.push(part(piece));
  }
  return parts;
}

function part(piece: string): Part {
  const plain = PLAIN[piece];
  if (plain !== undefined) return { ...plain };
  const side = (word: string | undefined): "player" | "banker" => (word === "Player" ? "player" : "banker");
  const points = /^(Player|Banker) on ([\d–-]+)$/.exec(piece);
  if (points !== null) return { is: "points", who: side(points[1]), numbers: points[2] ?? "" };
  const cards = /^(?:(Player|Banker) )?([\d–-]+) cards$/.exec(piece);
  if (cards !== null) {
    const numbers = cards[2] ?? "";
    return cards[1] === undefined ? { is: "all-cards", numbers } : { is: "cards", who: side(cards[1]), numbers };
  }
  const margin = /^by ([\d–-]+)$/.exec(piece);
  if (margin !== null) return { is: "margin", numbers: margin[1] ?? "" };
  const pair = /^(no )?(Player|Banker) pair$/.exec(piece);
  if (pair !== null) return { is: pair[1] === undefined ? "pair" : "no-pair", who: side(pair[2]) };
  const hand = /^(box|Dealer) has (\S+)$/.exec(piece);
  if (hand !== null) return { is: "hand", who: hand[1] === "box" ? "box" : "dealer", hands: [hand[2] ?? ""] };
  return { is: "words", words: piece };
}
