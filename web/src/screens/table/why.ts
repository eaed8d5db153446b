// Why a wager ended as it did, in words. One that won: the line of its pay table that the server settled it by, found by
// the clauses that the end rests on and by what was paid. One that did not: how those things came that its lines speak
// of. Nothing is decided here.
import type { BetInfo, Ended, NiuNiuCategory, OutcomeShown } from "../../api/schema";
import { type Part, when } from "../../lib/conditions";

export interface Why {
  /** When the line pays; nothing where several pay the same and it is not known which one it was. */
  when: string | undefined;
  pays: string;
}

/** Odds as a fraction; nothing for a line that does not pay. */
function odds(pays: string): [number, number] | undefined {
  const found = /^(\d+(?:\.\d+)?):(\d+)/.exec(pays);
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

/** How many times its stake a wager lost, where that is more than once: the rest came out of the Reserve. */
export function timesLost({ stake, ended }: { stake: number; ended?: Ended | null }): number | undefined {
  const times = (ended?.collected ?? 0) / Math.max(stake, 1);
  return times > 1 ? times : undefined;
}

/** The line that a wager was paid by; nothing for one that did not win. `cited` are the ids of its clauses. */
export function whyOf(bet: BetInfo | undefined, ended: Ended, cited: readonly string[]): Why | undefined {
  if (bet === undefined || ended.end !== "win") return undefined;
  const paid = ended.winnings + ended.commission;
  const isPaid = ({ pays }: { pays: string }): boolean => {
    const found = odds(pays);
    return found !== undefined && found[0] * ended.in_action === paid * found[1];
  };
  const agrees = ({ clauses }: { clauses: readonly string[] }): number =>
    clauses.filter((id) => cited.some((one) => one === id || one.endsWith(` ${id}`))).length;
  const lines = bet.pays.filter(isPaid);
  const most = Math.max(...lines.map(agrees));
  const [line, ...others] = lines.filter((one) => agrees(one) === most);
  if (line === undefined) return undefined;
  return { when: others.length === 0 ? line.when : undefined, pays: line.pays };
}

/** How a round came out, for one wager. */
export interface Came {
  outcome?: OutcomeShown | undefined;
  /** The first two cards of each hand, as they are read. */
  pairs?: Readonly<Record<"player" | "banker", string>>;
  /** In Niu Niu: the hand of the box and the Dealer's. */
  box?: NiuNiuCategory | undefined;
  dealer?: NiuNiuCategory | undefined;
}

/** How those things came that the lines of a bet speak of: why it did not win. */
export function cameOf(bet: BetInfo, came: Came): Part[] {
  const spoken = bet.pays.flatMap((line) => when(line.when).parts);
  const parts: Part[] = [];
  const add = (part: Part): void => {
    if (!parts.some((one) => JSON.stringify(one) === JSON.stringify(part))) parts.push(part);
  };
  for (const part of spoken) for (const one of cameAs(part, came)) add(one);
  return parts;
}

function cameAs(part: Part, { outcome, pairs, box, dealer }: Came): Part[] {
  if (part.is === "wins" && (part.who === "box" || part.who === "dealer")) return [{ is: "wins", who: "dealer" }];
  if (part.is === "hand") {
    const [own, other] = [box, dealer];
    return own === undefined || other === undefined ? [] : [{ is: "hand", who: "box", hands: [own] }, { is: "hand", who: "dealer", hands: [other] }];
  }
  if (outcome === undefined) return [];
  const won: Part = outcome.winner === "tie" ? { is: "tie" } : { is: "wins", who: outcome.winner };
  switch (part.is) {
    case "wins":
    case "tie":
      return [won];
    case "points":
      return [{ is: "points", who: part.who, numbers: String(part.who === "player" ? outcome.player_points : outcome.banker_points) }];
    case "cards":
      return [{ is: "cards", who: part.who, numbers: String(part.who === "player" ? outcome.player_cards : outcome.banker_cards) }];
    case "all-cards":
      return [{ is: "all-cards", numbers: String(outcome.player_cards + outcome.banker_cards) }];
    case "margin":
      return outcome.winner === "tie" ? [] : [{ is: "margin", numbers: String(Math.abs(outcome.player_points - outcome.banker_points)) }];
    case "pair":
      return [{ is: "no-pair", who: part.who }, ...(pairs === undefined ? [] : [{ is: "words" as const, words: pairs[part.who] }])];
    // A natural pays where a line speaks of one: that it did not win says the rest.
    case "natural":
    case "no-natural":
    case "no-pair":
    case "otherwise":
    case "always":
    case "any-winner":
    case "words":
      return [];
  }
}

/** What was paid for each one at risk, in lowest terms: `3:1`, `19:20`. */
export function oddsOf({ winnings, commission, in_action }: Ended): string {
  const paid = winnings + commission;
  const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
  const by = Math.max(common(paid, in_action), 1);
  return `${paid / by}:${in_action / by}`;
}
