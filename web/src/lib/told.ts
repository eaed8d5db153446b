// When a line pays and what, in the chosen language, from the values that the server gives.
import type { CardSet, Condition, NiuNiuCategory, Payoff, Side } from "../api/schema";
import { counts, everies, lines, places, suits, wins } from "../i18n/lines";
import { categories, sides } from "../i18n/terms";
import { t, type Words } from "../i18n/text.svelte";
import { share } from "./fractions";

/** When a line pays; for a Reserve, also what of it is lost. */
export function toldWhen(condition: Condition, reserve?: Condition): string {
  const main = told(condition);
  return reserve === undefined ? main : t(lines.reserve, { main, reserve: told(reserve) });
}

/** Several things, one after the other. */
export function joined(parts: readonly string[]): string {
  return parts.join(t(lines.and));
}

/** What a line pays: `8:1`, `1:1 less 5%`, `push`, `lose`. */
export function toldPays(payoff: Payoff): string {
  switch (payoff.is) {
    case "push":
      return t(lines.push);
    case "lose":
      return t(lines.lose);
    case "win":
      return payoff.less === undefined ? payoff.odds : t(lines.less, { odds: payoff.odds, n: share(payoff.less) });
  }
}

/** What a line with this gain or loss of one unit pays: `19:20`, `push`, `lose`. */
export function toldNet(net: string): string {
  const [above = "0", below = "1"] = net.split("/");
  if (above === "0") return t(lines.push);
  return above.startsWith("-") ? t(lines.lose) : `${above}:${below}`;
}

/** What a hand of Niu Niu is called. */
export function toldHand(category: NiuNiuCategory): string {
  return t(categories[category]);
}

/** Which hands of Niu Niu a box and the Dealer hold, as far as it is named. */
export function toldHands({ hand, dealer }: { hand?: readonly NiuNiuCategory[]; dealer?: readonly NiuNiuCategory[] }): string[] {
  const named = (words: Words, hands: readonly NiuNiuCategory[]): string => t(words, { hands: hands.map(toldHand).join(t(lines.list)) });
  return [hand && named(lines.boxHas, hand), dealer && named(lines.dealerHas, dealer)].filter((one) => one !== undefined);
}

function told(condition: Condition): string {
  const of = (words: Words, side: Side, numbers?: readonly number[]): string =>
    t(words, { side: t(sides[side]), n: numbers === undefined ? "" : toldNumbers(numbers) });
  switch (condition.is) {
    case "otherwise":
      return t(lines.otherwise);
    case "always":
      return t(lines.always);
    case "all-of":
      return bracketed(condition.of).join(t(lines.and));
    case "any-of":
      return bracketed(condition.of).join(t(lines.or));
    case "not":
      return denied(condition.of);
    case "winner":
      return t(wins[condition.winner]);
    case "natural":
      return t(lines.natural);
    case "points":
      return of(lines.points, condition.side, condition.numbers);
    case "cards":
      return of(lines.cards, condition.side, condition.numbers);
    case "total-cards":
      return t(lines.allCards, { n: toldNumbers(condition.numbers) });
    case "margin":
      return t(lines.margin, { n: toldNumbers(condition.numbers) });
    case "points-sum":
      return t(lines.pointsSum, { n: toldNumbers(condition.numbers) });
    case "pair":
      return of(lines.pair, condition.side);
    case "initial-points":
      return of(lines.initialPoints, condition.side, condition.numbers);
    case "card":
      return t(places[condition.place], { side: t(sides[condition.side]), cards: toldCards(condition.cards) });
    case "perfect-pair":
      return of(lines.perfectPair, condition.side);
    case "suited":
      return of(lines.suited, condition.side);
    case "equal-pairs":
      return t(lines.equalPairs);
    case "count":
      return t(counts[condition.whose], { n: toldNumbers(condition.numbers), cards: toldCards(condition.cards) });
    case "every":
      return t(everies[condition.whose], { cards: toldCards(condition.cards) });
    case "box": {
      const winner = { player: lines.boxWins, dealer: lines.dealerWins, any: lines.anyWinner }[condition.winner ?? "any"];
      return joined([t(winner), ...toldHands(condition)]);
    }
  }
}

/** That something does not hold. */
function denied(condition: Condition): string {
  switch (condition.is) {
    case "natural":
      return t(lines.noNatural);
    case "pair":
      return t(lines.noPair, { side: t(sides[condition.side]) });
    case "perfect-pair":
      return t(lines.noPerfectPair, { side: t(sides[condition.side]) });
    case "equal-pairs":
      return t(lines.noEqualPairs);
    default:
      return t(lines.not, { part: told(condition) });
  }
}

/** The parts; one that has words between its own parts stands in brackets. */
function bracketed(parts: readonly Condition[]): string[] {
  const isJoined = (part: Condition): boolean => (part.is === "all-of" || part.is === "any-of") && part.of.length > 1 && parts.length > 1;
  return parts.map((part) => (isJoined(part) ? t(lines.brackets, { part: told(part) }) : told(part)));
}

/** `6`, `0–5` or `2, 4, 6`. */
function toldNumbers(numbers: readonly number[]): string {
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  const isRange = numbers.length > 1 && numbers.length === last - first + 1;
  return isRange ? `${first}–${last}` : numbers.join(t(lines.list));
}

/** `8`, `K or Q`, `red`, `spades`, `red K`, `any`. */
function toldCards({ ranks, suits: of }: CardSet): string {
  const ranked = ranks?.join(t(lines.or));
  const suited = of && toldSuits(of);
  if (ranked !== undefined && suited !== undefined) return t(lines.ranksOfSuits, { ranks: ranked, suits: suited });
  return ranked ?? suited ?? t(lines.anyCard);
}

function toldSuits(of: NonNullable<CardSet["suits"]>): string {
  const isBoth = (one: "spades" | "hearts", other: "clubs" | "diamonds"): boolean => of.length === 2 && of.includes(one) && of.includes(other);
  if (isBoth("hearts", "diamonds")) return t(lines.red);
  if (isBoth("spades", "clubs")) return t(lines.black);
  return of.map((suit) => t(suits[suit])).join(t(lines.or));
}
