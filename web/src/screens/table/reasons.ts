// One line for each wager and insurance of a finished round: why it ended so, in words and with the cards.
import type { BetInfo, Condition, Felt, InsuranceShown, NiuNiuCategory, Side, WagerShown } from "../../api/schema";
import { table } from "../../i18n/table";
import { categories, sides, wagerEnds, winners } from "../../i18n/terms";
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

/** What a box and the Dealer held. */
export interface Held {
  own?: NiuNiuCategory | undefined;
  dealer?: NiuNiuCategory | undefined;
}

export function heldIn(round: Pick<Told, "hands">, box: number | null | undefined): Held {
  const held = (holder: string): NiuNiuCategory | undefined => round.hands.find((hand) => hand.holder === holder)?.set_as ?? undefined;
  return { own: held(`box${box}`), dealer: held("dealer") };
}

/** When a line paid, as one says it of a round that is over: `Banker wins with 6 on three cards`. */
export function saidWhen(condition: Condition, held: Held = {}): string {
  if (condition.is === "box" && condition.winner === "player" && held.own !== undefined && held.dealer !== undefined) {
    return t(table.beats, { own: t(categories[held.own]), dealer: t(categories[held.dealer]) });
  }
  const parts = condition.is === "all-of" ? condition.of : [];
  const [winner, points, cards] = parts;
  const isOne =
    parts.length === 3 && winner?.is === "winner" && points?.is === "points" && cards?.is === "cards" &&
    winner.winner === points.side && points.side === cards.side && points.numbers.length === 1 && cards.numbers.length === 1;
  if (!isOne) return toldWhen(condition);
  return t(table.wonWith, { side: t(sides[points.side]), n: points.numbers[0] ?? 0, cards: t(cards.numbers[0] === 2 ? table.twoCards : table.threeCards) });
}

function cameTo(round: Told, box: number | null): Came {
  const cards = (side: Side): string[] =>
    handOf(round, side)
      .flatMap(({ face }) => up(face) ?? [])
      .map((card) => `${spelled(card).index}${SUITS[spelled(card).suit]}`);
  const held = heldIn(round, box);
  return {
    outcome: outcomeOf(round.closed),
    cards: { player: cards("player"), banker: cards("banker") },
    box: held.own,
    dealer: held.dealer,
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
    const told = condition === undefined ? (result ?? t(wagerEnds.win)) : saidWhen(condition, heldIn(round, wager.area));
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
