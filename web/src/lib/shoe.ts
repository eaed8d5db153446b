// Checks, in the browser, what the house reveals of a shoe against the commitment it published before the first hand.
//
// The layout of the hashes (all SHA-256, numbers with the most significant byte first):
//   leaf  00, position (4 bytes), card (1 byte), salt (32 bytes)
//   node  01, left, right
//   root  02, number of cards (4 bytes), top
// Levels join hashes two by two from the left; a last one without a neighbour moves up unchanged.
import type { OpeningTold, ShoeTold } from "../api/schema";

type Bytes = Uint8Array<ArrayBuffer>;

/** A revealed card, and whether it is the one that was committed to. */
export interface CheckedCard {
  card: string;
  /** The place in the order as committed to, from 0. */
  position: number;
  /** Its place in the order of dealing, from 1: the cut decides where that begins. */
  drawn: number;
  fits: boolean;
}

export interface Checked {
  /** In the order of drawing. */
  cards: CheckedCard[];
  /** How many fit. */
  fitting: number;
  /** Every card of the shoe was revealed. */
  isWhole: boolean;
  /** With every card revealed: each of the 52 is there equally often. */
  isWholeDecks: boolean | undefined;
}

const RANKS = "A23456789TJQK";
const SUITS = "SHCD";

/** Checks every revealed card of a shoe that has a commitment. */
export async function checked(shoe: ShoeTold): Promise<Checked> {
  // A place that is told twice has one card at the most: the first may fit, what comes after it may not.
  const positions = shoe.openings.map((opening) => opening.position);
  const isFirst = positions.map((position, at) => isPlace(position, shoe.cards) && positions.indexOf(position) === at);
  const isWhole = isFirst.filter(Boolean).length === shoe.cards;
  const commitment = normal(shoe.commitment ?? "");
  // Cards without paths come all together, and fit together or not at all.
  const bare = shoe.openings.filter((opening) => opening.path === undefined);
  const bareFits = bare.length > 0 && hex(await rootOfAll(shoe.openings, shoe.cards)) === commitment;
  const cards = await Promise.all(
    shoe.openings.map(async (opening, at) => ({
      card: opening.card,
      position: opening.position,
      drawn: ((opening.position - shoe.above + shoe.cards) % shoe.cards) + 1,
      fits:
        isFirst[at] === true &&
        (opening.path === undefined ? bareFits : hex(await rootOfOne(opening, opening.path, shoe.cards)) === commitment),
    })),
  );
  cards.sort((one, other) => one.drawn - other.drawn);
  return {
    cards,
    fitting: cards.filter((card) => card.fits).length,
    isWhole,
    isWholeDecks: isWhole ? areWholeDecks(shoe.openings.filter((_, at) => isFirst[at]).map(({ card }) => card)) : undefined,
  };
}

/** Whether it is a place of a shoe with so many cards. */
function isPlace(position: number, cards: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < cards;
}

/** Whether two commitments are the same, however they were written down. */
export function isSame(one: string, other: string): boolean {
  return normal(one) === normal(other);
}

/** Whether it can be a commitment: 64 hexadecimal digits. */
export function isCommitment(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(normal(text));
}

function normal(text: string): string {
  return text.replace(/\s+/g, "").toLowerCase();
}

/** The root that one card with its path leads to; nothing if the path is not one of this shoe. */
async function rootOfOne(opening: OpeningTold, path: readonly string[], cards: number): Promise<Bytes> {
  let hash = await leaf(opening);
  let index = opening.position;
  let next = 0;
  for (let width = cards; width > 1; width = Math.ceil(width / 2), index = Math.floor(index / 2)) {
    const isLeft = index % 2 === 0;
    if (isLeft && index + 1 >= width) continue;
    const neighbour = bytes(path[next++] ?? "");
    hash = isLeft ? await node(hash, neighbour) : await node(neighbour, hash);
  }
  return next === path.length ? sealed(cards, hash) : NOTHING;
}

/** The root over all cards; nothing if one is missing. */
async function rootOfAll(openings: readonly OpeningTold[], cards: number): Promise<Bytes> {
  const sorted = openings.toSorted((one, other) => one.position - other.position);
  if (cards === 0 || sorted.length !== cards) return NOTHING;
  if (sorted.some((opening, at) => opening.position !== at)) return NOTHING;
  let level = await Promise.all(sorted.map(leaf));
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => level.slice(at * 2, at * 2 + 2));
    level = await Promise.all(
      pairs.map(([left = NOTHING, right]) => (right === undefined ? left : node(left, right))),
    );
  }
  return sealed(cards, level[0] ?? NOTHING);
}

const NOTHING: Bytes = new Uint8Array(0);

function leaf({ position, card, salt }: OpeningTold): Promise<Bytes> {
  const [rank, suit] = [RANKS.indexOf(card[0] ?? ""), SUITS.indexOf(card[1] ?? "")];
  // What is no card must not pass for another one: its number is that of none.
  const byte = rank < 0 || suit < 0 || card.length !== 2 ? 255 : 4 * rank + suit;
  return hash([0], number(position), [byte], bytes(salt));
}

function node(left: Bytes, right: Bytes): Promise<Bytes> {
  return hash([1], left, right);
}

function sealed(cards: number, top: Bytes): Promise<Bytes> {
  return hash([2], number(cards), top);
}

async function hash(...parts: ArrayLike<number>[]): Promise<Bytes> {
  const joined = Uint8Array.from(parts.flatMap((part) => Array.from(part)));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
}

function number(value: number): Bytes {
  const four = new Uint8Array(4);
  new DataView(four.buffer).setUint32(0, value);
  return four;
}

function bytes(text: string): Bytes {
  return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
}

function hex(value: Bytes): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function areWholeDecks(cards: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts.size === 52 && new Set(counts.values()).size === 1;
}
