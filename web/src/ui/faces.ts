// Card faces as outlines. All ink of a face is one path: a felt may show sixty cards, and every element of each of them
// would have to be laid out.
import type { Suit } from "./cards";

/** Outlines about their middle, a hundred high and in steps from point to point, so that they can be scaled number by
    number. The ranks are the capitals of Inter. */
const RANKS: Readonly<Record<string, string>> = {
  A: "m-48 50l34-100l27 0l35 100l-23 0l-16-48q-3-10-6-21q-3-11-6-24l5 0q-4 13-6 25q-3 11-6 20l-15 48zm21-23l0-16l54 0l0 16z",
  "2": "m-35 50l0-15l35-33q5-4 8-8q3-4 5-7q2-3 2-8q0-4-2-7q-2-3-5-5q-4-2-9-2q-5 0-9 2q-3 2-4 5q-2 4-2 9l-20 0q0-10 4-17q5-7 13-11q8-4 18-4q11 0 19 3q8 4 12 11q4 7 4 15q0 6-2 12q-2 5-8 12q-5 6-15 16l-15 14l0 1l42 0l0 17z",
  "3": "m0 51q-11 0-20-3q-8-4-13-10q-5-7-5-16l21 0q0 4 3 6q2 3 6 4q3 2 8 2q5 0 8-2q4-1 6-4q3-3 3-7q0-4-3-7q-2-4-6-6q-4-1-10-1l-9 0l0-16l9 0q5 0 8-1q4-2 6-5q3-3 3-7q0-4-2-7q-2-3-5-5q-4-1-8-1q-4 0-8 1q-4 2-6 5q-2 3-2 7l-20 0q0-9 5-16q5-6 13-10q8-3 18-3q10 0 18 3q8 4 12 10q4 7 4 15q0 8-5 13q-5 6-13 8l0 1q7 1 12 4q5 3 8 8q2 5 2 11q0 8-5 15q-5 7-13 11q-9 3-20 3z",
  "4": "m-40 32l0-16l42-66l14 0l0 23l-8 0l-27 42l0 1l59 0l0 16zm48 18l0-23l1-7l0-70l19 0l0 100z",
  "5": "m-1 51q-10 0-18-3q-8-4-13-11q-4-7-4-15l19 0q1 4 3 7q2 3 6 5q3 1 7 1q5 0 9-2q4-2 6-6q3-4 3-10q0-5-3-9q-2-4-6-6q-4-3-9-3q-4 0-9 2q-4 2-6 5l-18-3l4-53l61 0l0 17l-44 0l-2 25q3-3 9-6q5-2 11-2q7 0 13 2q5 3 10 8q4 4 6 10q2 6 2 13q0 10-4 17q-5 8-14 12q-8 5-19 5z",
  "6": "m1 51q-7 0-15-3q-7-2-12-8q-6-5-9-14q-3-10-3-24q0-12 2-22q3-10 8-17q6-7 14-11q7-3 16-3q10 0 18 3q7 4 12 10q4 7 5 16l-20 0q-1-6-5-9q-4-3-10-3q-7 0-12 4q-4 4-6 11q-2 7-2 17q3-4 6-7q4-3 9-5q5-2 11-2q8 0 15 4q7 5 11 12q4 7 4 17q0 10-4 17q-5 8-14 12q-8 5-19 5zm0-16q5 0 9-3q4-2 6-6q2-4 2-9q0-5-2-9q-2-4-6-6q-4-3-9-3q-3 0-7 1q-3 2-5 4q-2 3-3 6q-2 3-2 7q0 5 2 9q2 4 6 6q4 3 9 3z",
  "7": "m-28 50l42-82l0-1l-49 0l0-17l70 0l0 17l-42 83z",
  "8": "m0 51q-11 0-20-3q-9-4-14-10q-4-7-4-15q0-6 2-11q3-6 8-10q5-3 11-4q-8-2-13-8q-5-6-5-14q0-8 5-14q4-6 12-10q8-3 18-3q10 0 18 3q8 4 12 10q5 6 5 14q0 8-5 14q-5 6-13 8q6 1 11 4q5 4 8 10q2 5 2 11q0 8-4 15q-5 6-14 10q-9 3-20 3zm0-15q5 0 9-2q4-2 6-5q2-3 2-7q0-5-2-8q-2-4-6-6q-4-2-9-2q-5 0-9 2q-4 2-6 6q-2 3-2 8q0 4 2 7q2 3 6 5q4 2 9 2zm0-45q4 0 8-1q3-2 5-5q2-3 2-7q0-4-2-7q-2-3-5-5q-4-2-8-2q-4 0-8 2q-3 2-5 5q-2 3-2 7q0 4 2 7q2 3 5 5q4 1 8 1z",
  "9": "m-2 51q-10 0-18-3q-7-4-12-11q-4-7-5-15l20 0q1 6 5 9q4 3 10 3q7 0 12-4q4-4 6-11q2-7 2-17q-3 4-6 7q-4 3-9 5q-5 2-10 2q-9 0-16-4q-7-5-11-12q-4-7-4-17q0-10 4-18q5-8 14-13q8-4 19-3q7 0 15 3q7 2 12 8q6 5 9 14q3 10 3 24q0 12-2 22q-3 10-8 17q-6 7-14 11q-7 3-16 3zm1-50q3 0 7-1q3-2 6-4q2-3 3-6q1-4 1-7q0-5-2-9q-2-4-6-6q-4-3-9-3q-5 0-9 3q-4 2-6 6q-2 4-2 9q0 5 2 9q2 4 6 6q4 3 9 3z",
  T: "m-22-50l0 100l-20 0l0-82l-1 0l-23 16l0-19l22-15zm48 101q-13 0-22-6q-9-6-14-17q-4-12-4-28q0-16 4-28q5-11 14-17q9-6 22-6q13 0 22 6q8 6 13 17q5 12 5 28q0 16-5 28q-5 11-13 17q-9 6-22 6zm0-17q6 0 10-4q5-4 7-12q2-7 2-18q0-11-2-18q-2-8-7-12q-4-4-10-4q-6 0-10 4q-5 4-7 12q-2 7-2 18q0 11 2 18q2 8 7 12q4 4 10 4z",
  J: "m-2 51q-16 0-25-8q-9-8-9-23l0-6l21 0l0 6q0 7 3 11q4 4 10 4q6 0 10-4q3-4 3-11l0-70l20 0l0 70q0 15-9 23q-9 8-24 8z",
  Q: "m-7 16l18 0l9 11l8 10l17 21l-19 0l-12-14l-5-8zm7 35q-14 0-24-6q-11-6-17-17q-6-12-6-28q0-16 6-28q6-11 17-17q10-6 24-6q13 0 24 6q10 6 16 17q6 12 6 28q0 16-6 28q-6 11-16 17q-11 6-24 6zm0-18q7 0 13-3q6-4 9-12q3-7 3-18q0-11-3-18q-3-8-9-12q-6-3-13-3q-8 0-14 3q-6 4-9 12q-3 7-3 18q0 11 3 18q3 8 9 12q6 3 14 3z",
  K: "m-25 27l0-18q3-6 6-11q3-4 7-9q3-5 7-10l25-29l25 0l-42 49l-2-1zm-15 23l0-100l20 0l0 27l0 26l0 10l0 37zm62 0l-30-45l13-15l41 60z",
};

const SUITS: Readonly<Record<Suit, string>> = {
  S: "m0-44c12 21 38 33 38 55c-1 8-5 15-12 19c-7 3-16 2-22-2c1 6 3 11 8 16l-24 0c5-5 7-10 8-16c-6 4-15 5-22 2c-7-4-11-11-12-19c0-22 26-34 38-55z",
  H: "m0 41c-22-21-41-36-41-57c0-9 7-18 16-21c10-2 20 2 25 10c5-8 15-12 25-10c9 3 16 12 16 21c0 21-19 36-41 57z",
  D: "m0-44c9 17 20 31 33 44c-13 13-24 27-33 44c-9-17-20-31-33-44c13-13 24-27 33-44z",
  C: "m0-44c8 0 15 5 19 12c3 7 2 15-3 22c10-1 19 4 22 13c3 9 0 20-8 25c-9 5-19 4-26-3c1 7 3 14 8 19l-24 0c5-5 7-12 8-19c-7 7-17 8-26 3c-8-5-11-16-8-25c3-9 12-14 22-13c-5-7-6-15-3-22c4-7 11-12 19-12z",
};

/** An outline about a point; upside down if its height is negative. */
function outline(steps: string, x: number, y: number, height: number): string {
  return `M${x} ${y}${steps.replace(/-?\d+/g, (step) => ` ${((Number(step) * height) / 100).toFixed(2)}`)}`;
}

/** A suit about the origin, a hundred high. */
export const suit = (of: Suit): string => outline(SUITS[of], 0, 0, 100);

/** Where the pips of each rank stand on a face of 100 by 140; the lower half is upside down. */
const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [[50, 34], [50, 106]],
  "3": [[50, 34], [50, 70], [50, 106]],
  "4": [[33, 34], [67, 34], [33, 106], [67, 106]],
  "5": [[33, 34], [67, 34], [50, 70], [33, 106], [67, 106]],
  "6": [[33, 34], [67, 34], [33, 70], [67, 70], [33, 106], [67, 106]],
  "7": [[33, 34], [67, 34], [50, 52], [33, 70], [67, 70], [33, 106], [67, 106]],
  "8": [[33, 34], [67, 34], [50, 52], [33, 70], [67, 70], [50, 88], [33, 106], [67, 106]],
  "9": [[33, 30], [67, 30], [33, 57], [67, 57], [50, 70], [33, 83], [67, 83], [33, 110], [67, 110]],
  T: [[33, 30], [67, 30], [50, 43], [33, 57], [67, 57], [33, 83], [67, 83], [50, 97], [33, 110], [67, 110]],
};

/** What stands on both halves: at its place, and turned about the middle of the card. */
function twice(steps: string, x: number, y: number, height: number): string {
  return outline(steps, x, y, height) + outline(steps, 100 - x, 140 - y, -height);
}

const drawn = new Map<string, string>();

/** The ink of a card as the server writes it; `isBlind` without the index in its corners, as a finger covers it. */
export function ink(card: string, isBlind = false): string {
  const key = isBlind ? `${card}-` : card;
  let path = drawn.get(key);
  if (path === undefined) {
    path = draw(card[0] ?? "", card[1] as Suit, isBlind);
    drawn.set(key, path);
  }
  return path;
}

function draw(rank: string, of: Suit, isBlind: boolean): string {
  const [letter, pip] = [RANKS[rank] ?? "", SUITS[of]];
  const corners = isBlind ? "" : twice(letter, rank === "T" ? 15.5 : 14.5, 18, rank === "T" ? 15.5 : 18) + twice(pip, 14.5, 37.5, 13.5);
  if (rank === "A") return corners + outline(pip, 50, 70, 46);
  const pips = PIPS[rank];
  // A picture has its figure, and its suit beside it.
  if (pips === undefined) return corners + twice(pip, 32.5, 26, 9.5);
  return corners + pips.map(([x, y]) => outline(pip, x, y, y > 70 ? -17 : 17)).join("");
}
