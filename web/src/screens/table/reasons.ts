// One line for each wager and insurance of a finished round: why it ended so, in words and with the cards.
import type { BetInfo, Felt, InsuranceShown, Side, WagerShown } from "../../api/schema";
import { table } from "../../i18n/table";
import { sides, wagerEnds, winners } from "../../i18n/terms";
import { named, t } from "../../i18n/text.svelte";
import { type Currency, money } from "../../lib/money";
import { joined, toldPays, toldWhen } from "../../lib/told";
import { spelled } from "../../ui/cards";
import { handOf, up } from "./felt/hands";
import { outcomeOf, winnerOf } from "./felt/result";
import { type Came, cameOf, oddsOf, timesLost, whyOf } from "./why";

/** What is kept of a round to tell of it. */
export type Told = Pick<Felt, "closed" | "draws" | "hands">;

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" } as const;
const MAIN = ["player", "banker", "tie"];

/** How the round came out: `Banker wins 8 to 7`. */
export function resultOf(round: Pick<Told, "closed">): string | undefined {
  const outcome = outcomeOf(round.closed);
  if (outcome === undefined) return undefined;
  const winner = winnerOf(round);
  const points = [outcome.player_points, outcome.banker_points];
  const [first = 0, second = 0] = winner === "banker" ? points.toReversed() : points;
  return `${winner === undefined ? t(table.freeHand) : t(winners[winner])} ${t(table.against, { player: first, banker: second })}`;
}

function cameTo(round: Told, box: number | null): Came {
  const cards = (side: Side): string[] =>
    handOf(round, side)
      .flatMap(({ face }) => up(face) ?? [])
      .map((card) => `${spelled(card).index}${SUITS[spelled(card).suit]}`);
  const held = (holder: string): Came["box"] => round.hands.find((hand) => hand.holder === holder)?.set_as ?? undefined;
  return {
    outcome: outcomeOf(round.closed),
    cards: { player: cards("player"), banker: cards("banker") },
    box: held(`box${box}`),
    dealer: held("dealer"),
  };
}

/** Why a wager ended as it did; `cited` are the ids of its clauses. */
export function reasonOf(bet: BetInfo | undefined, wager: WagerShown, round: Told, cited: readonly string[], currency: Currency): string | undefined {
  const { ended } = wager;
  if (bet === undefined || ended == null) return undefined;
  const name = named(bet.names);
  if (ended.end === "returned") return round.closed === "void" ? t(table.voided) : `${name}: ${t(wagerEnds.returned)}`;
  const came = cameTo(round, wager.area);
  const result = MAIN.includes(bet.id) ? resultOf(round) : undefined;
  const facts = result ?? joined(cameOf(bet, came));
  if (ended.end === "win") {
    const found = whyOf(bet, ended, cited);
    const condition = result !== undefined && found?.condition?.is !== "all-of" ? undefined : found?.condition;
    const told = condition === undefined ? (result ?? t(wagerEnds.win)) : toldWhen(condition);
    return t(table.because, { when: told, bet: name, pays: found === undefined ? oddsOf(ended) : toldPays(found.payoff) });
  }
  const times = timesLost(wager);
  if (times !== undefined) {
    return [facts, t(table.lostTimes, { bet: name, n: times, amount: money(wager.stake, currency) })].filter(Boolean).join(". ");
  }
  return t(ended.end === "lose" ? table.loses : table.standsOff, { when: facts, bet: name });
}

/** Why an insurance ended as it did. */
export function insuranceReason({ side, ended }: InsuranceShown, round: Told): string | undefined {
  if (ended == null) return undefined;
  const bet = t(table.insure, { side: t(sides[side]) });
  const result = resultOf(round) ?? t(table.voided);
  if (ended.end === "win") return t(table.because, { when: result, bet, pays: oddsOf(ended) });
  if (ended.end === "returned") return `${bet}: ${t(wagerEnds.returned)}`;
  return t(ended.end === "lose" ? table.loses : table.standsOff, { when: result, bet });
}
