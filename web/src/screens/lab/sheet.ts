// The sheets of the odds lab, each fetched once while the rulebooks stay the same.
import { data, GET } from "../../api/client";
import type { ParInsuranceLine, ParSheet, ParSituation } from "../../api/schema";

/** Insurance in one situation, or over a line of the rulebook's table, where the points are ranges. */
export type ParInsurance = ParSituation | ParInsuranceLine;

/** Which cards are priced: whole decks, or what is left of each rank from ace to king. */
export type Stock = { decks: number } | { shoe: string };

const fetched = new Map<string, Promise<ParSheet>>();

/** A rulebook was added: a game may have other odds now. */
export function forgetSheets(): void {
  fetched.clear();
}

/** The address of a sheet. */
export function sheetAddress(game: string, stock?: Stock): string {
  const query = new URLSearchParams({ game });
  for (const [name, value] of Object.entries(stock ?? {})) query.set(name, String(value));
  return `/api/games/par?${query}`;
}

/** The sheet of a game; without a stock, with as many decks as its rulebook has by default. */
export function fetchSheet(game: string, stock?: Stock): Promise<ParSheet> {
  const key = sheetAddress(game, stock);
  const before = fetched.get(key);
  if (before !== undefined) return before;
  const sheet = data(GET("/api/games/par", { params: { query: { game, ...stock } } }));
  sheet.catch(() => fetched.delete(key));
  fetched.set(key, sheet);
  return sheet;
}
