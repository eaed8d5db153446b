// Wagers as whoever deals keys them in: `3 B 50 T 1, 5 P 20` is seat 3 with 50 on Banker and 1 on Tie, and seat 5 with 20
// on Player. Plain numbers count in the unit that the table's limits are told in; `500K` says its own.
import { type Currency, parsed } from "../../lib/money";

/** The key of an area, and its place on the menu. */
export interface Area {
  key: string;
  bet: number;
}

export type Step =
  | { kind: "lay"; seat: number; bet: number; amount: number }
  | { kind: "move"; seat: number; from: number; to: number }
  | { kind: "same"; seat: number | undefined }
  | { kind: "double"; seat: number }
  | { kind: "clear"; seat: number };

/** What a line asks for as far as it is written. */
export interface Reading {
  steps: Step[];
  /** The seat that the next word is about, and its area. */
  seat: number | undefined;
  bet: number | undefined;
  /** The word that is none, if there is one. */
  wrong: string | undefined;
  /** There is a seat or an area without its amount. */
  open: boolean;
}

/** The letters of the usual areas; others take the first that is free of their own name. */
const USUAL: Record<string, string> = {
  player: "P",
  banker: "B",
  dragon: "N",
  tiger: "G",
  tie: "T",
  "player-pair": "Q",
  "banker-pair": "W",
  "lucky-6": "6",
};
/** Letters with a sense of their own. */
const KEPT = "RDMKX";

/** A key for each bet of a menu, in its order. No two are the same. */
export function areasOf(bets: readonly { bet: number; id: string }[]): Area[] {
  const taken = new Set<string>(KEPT);
  const usual = bets.map(({ id }) => USUAL[id]);
  usual.forEach((key) => key !== undefined && taken.add(key));
  return bets.map(({ bet, id }, place) => {
    const own = usual[place];
    if (own !== undefined) return { key: own, bet };
    const letters = `${id.toUpperCase()}ABCEFHIJLNOSUVYZ`.replace(/[^A-Z]/g, "");
    const key = [...letters].find((letter) => !taken.has(letter)) ?? "?";
    taken.add(key);
    return { key, bet };
  });
}

/** What plain numbers count: millions, thousands or units, by the smallest wager. */
export function unitOf(minimum: number, { decimals }: Currency): number {
  const units = minimum / 10 ** decimals;
  const size = units >= 1e6 ? 1e6 : units >= 1e4 ? 1e3 : 1;
  return size * 10 ** decimals;
}

/** The amount of a word: in the unit of the table, or in its own. */
export function amountOf(word: string, unit: number, currency: Currency): number | undefined {
  if (/[KMB]$/i.test(word)) return parsed(word, currency);
  const plain = /^\d+(?:[.,]\d{1,3})?$/.test(word) ? Number(word.replace(",", ".")) * unit : NaN;
  return Number.isSafeInteger(plain) && plain > 0 ? plain : undefined;
}

interface Words {
  areas: readonly Area[];
  seats: number;
  unit: number;
  currency: Currency;
}

/** Reads a line. A seat holds until another is named, which is done after an amount. */
export function read(line: string, { areas, seats, unit, currency }: Words): Reading {
  const words = line.toUpperCase().replace(/[;,](?=\s|$)/g, " ").trim().split(/\s+/).filter((word) => word !== "");
  const reading: Reading = { steps: [], seat: undefined, bet: undefined, wrong: undefined, open: false };
  let moving = false;
  for (const [at, word] of words.entries()) {
    const { seat, bet } = reading;
    const area = areas.find(({ key }) => key === word);
    const number = /^\d+$/.test(word) ? Number(word) : undefined;
    // A digit may be an area: after a seat it is one where there is such an area.
    const isSeat = number !== undefined && number >= 1 && number <= seats && bet === undefined && (seat === undefined || area === undefined);
    if (word === "R" && seat === undefined && words[at - 1] !== "R") {
      if (words[at + 1] !== "R") reading.wrong = words.length > at + 1 ? word : undefined;
      reading.open = true;
    } else if (word === "R" && words[at - 1] === "R") {
      reading.steps.push({ kind: "same", seat: undefined });
      reading.open = false;
    } else if (word === "R" && seat !== undefined) {
      reading.steps.push({ kind: "same", seat });
      Object.assign(reading, { seat: undefined, open: false });
    } else if (word === "D" && seat !== undefined && bet === undefined) {
      reading.steps.push({ kind: "double", seat });
      Object.assign(reading, { seat: undefined, open: false });
    } else if (word === "X" && seat !== undefined && bet === undefined) {
      reading.steps.push({ kind: "clear", seat });
      Object.assign(reading, { seat: undefined, open: false });
    } else if (isSeat) {
      Object.assign(reading, { seat: number, bet: undefined, open: true });
    } else if (seat !== undefined && bet !== undefined && word === "M") {
      moving = true;
    } else if (moving && seat !== undefined && bet !== undefined && area !== undefined) {
      reading.steps.push({ kind: "move", seat, from: bet, to: area.bet });
      moving = false;
      Object.assign(reading, { bet: undefined, open: false });
    } else if (seat !== undefined && bet === undefined && area !== undefined) {
      Object.assign(reading, { bet: area.bet, open: true });
    } else if (seat !== undefined && bet !== undefined && !moving) {
      const amount = amountOf(word, unit, currency);
      if (amount === undefined) reading.wrong = word;
      else reading.steps.push({ kind: "lay", seat, bet, amount });
      Object.assign(reading, { bet: undefined, open: false });
    } else {
      reading.wrong = word;
    }
    if (reading.wrong !== undefined) return reading;
  }
  return reading;
}
