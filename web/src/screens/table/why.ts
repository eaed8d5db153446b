// Why a wager ended as it did, in words. One that won: the line of its pay table that the server settled it by, found by
// the clauses that the end rests on and by what was paid. One that did not: how those things came that its lines speak
// of. Nothing is decided here.
import type { BetInfo, Condition, Ended, NiuNiuCategory, OutcomeShown, Payoff, Side } from "../../api/schema";
import { sides } from "../../i18n/terms";
import { t } from "../../i18n/text.svelte";
import { type Asked, testsOf } from "../../lib/conditions";
import { toldHands, toldWhen } from "../../lib/told";

export interface Why {
  /** When the line pays; nothing where several pay the same and it is not known which one it was. */
  condition: Condition | undefined;
  payoff: Payoff;
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
  const isPaid = ({ payoff }: { payoff: Payoff }): boolean => {
    if (payoff.is !== "win") return false;
    const [win = 0, stake = 1] = payoff.odds.split(":").map(Number);
    return win * ended.in_action === paid * stake;
  };
  const agrees = ({ clauses }: { clauses: readonly string[] }): number =>
    clauses.filter((id) => cited.some((one) => one === id || one.endsWith(` ${id}`))).length;
  const lines = bet.pays.filter(isPaid);
  const most = Math.max(...lines.map(agrees));
  const [line, ...others] = lines.filter((one) => agrees(one) === most);
  if (line === undefined) return undefined;
  return { condition: others.length === 0 ? line.condition : undefined, payoff: line.payoff };
}

/** How a round came out, for one wager. */
export interface Came {
  outcome?: OutcomeShown | undefined;
  /** The cards of each hand, as they are read. */
  cards?: Readonly<Record<Side, readonly string[]>>;
  /** In Niu Niu: the hand of the box and the Dealer's. */
  box?: NiuNiuCategory | undefined;
  dealer?: NiuNiuCategory | undefined;
}

/** How those things came that the lines of a bet speak of, in words: why it did not win. */
export function cameOf(bet: BetInfo, came: Came): string[] {
  const spoken = bet.pays.flatMap((line) => testsOf(line.condition));
  return [...new Set([...boxAs(spoken, came), ...spoken.flatMap((asked) => cameAs(asked, came))])];
}

/** How the box came, if the lines speak of one: all that they ask of it at once. */
function boxAs(spoken: readonly Asked[], { box, dealer }: Came): string[] {
  const asked = spoken.flatMap(({ test }) => (test.is === "box" ? [test] : []));
  const lost = asked.some(({ winner }) => winner !== undefined) ? [toldWhen({ is: "box", winner: "dealer" })] : [];
  const isAsked = asked.some((test) => test.hand !== undefined || test.dealer !== undefined);
  if (!isAsked || box === undefined || dealer === undefined) return lost;
  return [...lost, ...toldHands({ hand: [box], dealer: [dealer] })];
}

function cameAs({ test, isDenied }: Asked, { outcome, cards }: Came): string[] {
  if (outcome === undefined) return [];
  const fact = (condition: Condition): string[] => [toldWhen(condition)];
  const points = (side: Side): number => (side === "player" ? outcome.player_points : outcome.banker_points);
  const numbers = { player: outcome.player_cards, banker: outcome.banker_cards };
  const read = (side: Side, most?: number): string[] => [cards?.[side].slice(0, most).join(" ") ?? ""].filter(Boolean);
  const whose = (side: Side, most?: number): string[] => read(side, most).map((one) => `${t(sides[side])} ${one}`);
  switch (test.is) {
    case "winner":
      return fact({ is: "winner", winner: outcome.winner });
    case "points":
      return fact({ ...test, numbers: [points(test.side)] });
    case "cards":
      return fact({ ...test, numbers: [numbers[test.side]] });
    case "total-cards":
      return fact({ ...test, numbers: [numbers.player + numbers.banker] });
    case "margin":
      return outcome.winner === "tie" ? [] : fact({ ...test, numbers: [Math.abs(points("player") - points("banker"))] });
    case "points-sum":
      return fact({ ...test, numbers: [points("player") + points("banker")] });
    case "pair":
    case "perfect-pair":
      return isDenied ? [] : [...fact({ is: "not", of: test }), ...read(test.side, 2)];
    case "suited":
    case "initial-points":
      return whose(test.side, 2);
    case "equal-pairs":
      return [...whose("player", 2), ...whose("banker", 2)];
    case "card":
      return whose(test.side);
    case "count":
    case "every":
      return test.whose === "both" ? [...whose("player"), ...whose("banker")] : whose(test.whose);
    // A natural pays where a line speaks of one: that it did not win says the rest.
    case "natural":
    case "otherwise":
    case "always":
    case "box":
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
