// The sheets of the odds lab: their shape, which the server's document leaves open, and fetching each once.
import { data, GET } from "../../api/client";

/** What a bet pays on one line. Counts and decimals are text: they are longer than a number can hold. */
export interface ParLine {
  line: string;
  pays: string;
  /** The result of one unit, as a fraction. */
  net: string;
  ways: string;
  chance: string;
}

export interface ParBet {
  bet: string;
  name: string;
  lines: ParLine[];
  edge: string;
  edge_exact: string;
  hit_frequency: string;
  variance: string;
  standard_deviation: string;
  favours_player: boolean;
  /** Niu Niu: the stake with its Reserve. */
  units_risked?: number;
  edge_per_unit_risked?: string;
  edge_per_unit_risked_exact?: string;
}

/** Insurance in one situation; over a line of the rulebook's table the points are ranges. */
export interface ParInsurance<Points = number> {
  side: "player" | "banker";
  stage: "four-cards" | "player-third";
  banker_points: Points;
  player_points: Points;
  pays: string;
  win: string;
  push: string;
  lose: string;
  chance: string;
  edge: string | null;
  edge_exact: string | null;
  favours_player: boolean;
}

export interface ParSheet {
  game: string;
  decks: number | null;
  cards: number;
  shoe: string;
  total: string;
  bets: ParBet[];
  insurance: ParInsurance[];
  insurance_lines: ParInsurance<string>[];
  /** Niu Niu: the hands of five cards in each category, lowest first. */
  categories?: { category: string; hands: string }[];
  notes: string[];
}

/** Which cards are priced: whole decks, or what is left of each rank from ace to king. */
export type Stock = { decks: number } | { shoe: string };

const fetched = new Map<string, Promise<ParSheet>>();

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
  const answer = data(GET("/api/games/par", { params: { query: { game, ...stock } } }));
  const sheet = answer.then((sheet) => sheet as unknown as ParSheet);
  sheet.catch(() => fetched.delete(key));
  fetched.set(key, sheet);
  return sheet;
}
