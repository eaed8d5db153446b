// How the bets of a menu are grouped on the felt. Only their ids are looked at: a bet nobody thought of still
// gets an area.
import type { BetInfo } from "../../../api/schema";
import { share } from "../../../lib/fractions";

/** The colour that a bet has on the felt. */
export type Tone = "player" | "banker" | "tie" | "gold";

export interface Area {
  bet: BetInfo;
  tone: Tone;
}

/** The large areas and those around them, each from left to right. */
export interface Areas {
  main: Area[];
  side: Area[];
}

const MAIN = ["player", "tie", "banker"];
const TONES: readonly (readonly [part: string, tone: Tone])[] = [
  ["dragon-tiger", "tie"],
  ["player", "player"],
  ["banker", "banker"],
  ["tiger", "banker"],
  ["dragon", "player"],
  ["tie", "tie"],
];
/** Bets on the left lie towards the Player's hand, those on the right towards the Banker's. */
const FROM_LEFT: readonly Tone[] = ["player", "tie", "gold", "banker"];

export function toneOf(id: string): Tone {
  return TONES.find(([part]) => id.includes(part))?.[1] ?? "gold";
}

export function areasOf(bets: readonly BetInfo[]): Areas {
  const areas = bets.map((bet) => ({ bet, tone: toneOf(bet.id) }));
  const main = MAIN.flatMap((id) => areas.filter((area) => area.bet.id === id));
  if (main.length === 0) return { main: areas, side: [] };
  const side = areas.filter((area) => !main.includes(area));
  return { main, side: FROM_LEFT.flatMap((tone) => side.filter((area) => area.tone === tone)) };
}

/** A row of areas on the cloth. */
export interface AreaRow {
  areas: Area[];
  isMain: boolean;
  /** How wide the row is, as a share of the others. */
  share: number;
}

/** Most side bets in a row where there is little width, and where there is plenty. */
const FEW = 4;
const MANY = 5;

/** The areas row by row, from the Dealer down: side bets before the main ones, pairs behind them if there are many.
    Where there is little width the main bets come first. */
export function rowsOf({ main, side }: Areas, isNarrow: boolean): AreaRow[] {
  const mains: AreaRow = { areas: main, isMain: true, share: 1 };
  const row = (areas: Area[], share = 1): AreaRow => ({ areas, isMain: false, share });
  if (side.length === 0) return [mains];
  if (isNarrow) {
    const count = Math.ceil(side.length / Math.ceil(side.length / FEW));
    const rows = Array.from({ length: Math.ceil(side.length / count) }, (_, at) => side.slice(at * count, (at + 1) * count));
    return [mains, ...rows.map((areas) => row(areas))];
  }
  if (side.length <= MANY) return [row(side, 0.94), mains];
  const isPair = ({ bet }: Area): boolean => bet.id.endsWith("-pair");
  const [pairs, others] = [side.filter(isPair), side.filter((area) => !isPair(area))];
  if (pairs.length === 0 || others.length > MANY + 2) {
    const half = Math.ceil(side.length / 2);
    return [row(side.slice(0, half)), mains, row(side.slice(half))];
  }
  return [row(others, 0.96), mains, row(pairs, 0.62)];
}

/** What a bet pays, in few characters: `8:1`, `12:1 · 20:1`, `1:1 – 30:1`. */
export function paysInShort(bet: BetInfo): string {
  const odds = bet.pays.flatMap(({ payoff }) => {
    if (payoff.is !== "win") return [];
    return payoff.less === undefined ? payoff.odds : `${payoff.odds} −${share(payoff.less)}`;
  });
  const different = [...new Set(odds)].sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
  if (different.length <= 2) return different.join(" · ");
  return `${different[0]} – ${different.at(-1)}`;
}
