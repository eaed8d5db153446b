// Figures of the lab as people read them. What is exact stays text; a number is only made to be shown or drawn.
import type { ParBet, ParSheet } from "../../api/schema";

const formats = new Map<string, Intl.NumberFormat>();

function format(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const before = formats.get(key);
  if (before !== undefined) return before;
  const made = new Intl.NumberFormat(locale, options);
  formats.set(key, made);
  return made;
}

/** A decimal as a percentage: `0.0105…` is `1.0579%`. */
export function percent(decimal: string, locale: string, digits = 4): string {
  const options = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return format(locale, options).format(Number(decimal));
}

/** A decimal with few digits. */
export function rounded(decimal: string, locale: string, digits = 4): string {
  return format(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Number(decimal));
}

/** A whole number of any length, in groups of three. */
export function grouped(digits: string, locale: string): string {
  return format(locale, {}).format(BigInt(digits));
}

/** A fraction (`-1/1`, `19/20`) as a number, to draw it. */
export function ratio(fraction: string): number {
  const [over = "0", under = "1"] = fraction.split("/");
  return Number(over) / Number(under);
}

/** A result of one unit as people write it: `+8`, `−1`, `+0.95`. */
export function result(fraction: string): string {
  const value = ratio(fraction);
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return sign + String(+Math.abs(value).toFixed(4));
}

/** A result that a bet may have, and how often it has. */
export interface Bar {
  net: string;
  chance: number;
}

/** How the results of a bet are spread, from the largest loss to the largest gain. */
export function spread(bet: ParBet): Bar[] {
  const chances = new Map<string, number>();
  for (const line of bet.lines) chances.set(line.net, (chances.get(line.net) ?? 0) + Number(line.chance));
  const bars = Array.from(chances, ([net, chance]) => ({ net, chance }));
  return bars.sort((one, other) => ratio(one.net) - ratio(other.net));
}

/** Thirteen counts, from ace to king, of whole decks. */
export function ofDecks(decks: number): number[] {
  return Array.from({ length: 13 }, () => decks * 4);
}

/** Thirteen counts as they stand in an address, or nothing if they do not. */
export function counts(text: string): number[] | undefined {
  const parts = text.split(",").map((part) => (/^\d{1,2}$/.test(part.trim()) ? Number(part) : NaN));
  return parts.length === 13 && parts.every((count) => count <= 40) ? parts : undefined;
}

const HEADER =
  "game,decks,cards,total,kind,bet,line,stage,banker_points,player_points,pays,ways,chance," +
  "win,push,lose,edge,edge_exact,hit_frequency,variance,standard_deviation,favours_player";

/** A sheet for spreadsheets: the bets and the insurance, in the columns of `croupier odds --format csv`. */
export function csv(sheet: ParSheet): string {
  const start = [sheet.game, sheet.decks ?? "", sheet.cards, sheet.total];
  const bets = sheet.bets.flatMap((bet) =>
    bet.lines.map((line) => [
      ...start, "bet", bet.bet, line.line, "", "", "", line.pays, line.ways, line.chance, "", "", "",
      bet.edge, bet.edge_exact, bet.hit_frequency, bet.variance, bet.standard_deviation, bet.favours_player,
    ]),
  );
  const insurance = sheet.insurance.map((line) => [
    ...start, "insurance", `${line.side}-insurance`, "", line.stage, line.banker_points, line.player_points,
    line.pays, String(BigInt(line.win) + BigInt(line.push) + BigInt(line.lose)), line.chance,
    line.win, line.push, line.lose, line.edge ?? "", line.edge_exact ?? "", "", "", "", line.favours_player,
  ]);
  const categories = (sheet.categories ?? []).map(({ category, hands }) => [
    ...start, "category", "", category, "", "", "", "", hands, "", "", "", "", "", "", "", "", "", "",
  ]);
  const rows = [...bets, ...insurance, ...categories].map((row) => row.map((cell) => quoted(String(cell))).join(","));
  return [HEADER, ...rows, ""].join("\n");
}

function quoted(cell: string): string {
  return /[,"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
