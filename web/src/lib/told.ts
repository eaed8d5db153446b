// When a line pays and what, in the chosen language.
import { lines } from "../i18n/lines";
import { categories } from "../i18n/terms";
import { t, type Words } from "../i18n/text.svelte";
import { type Part, when } from "./conditions";

/** When a line pays. */
export function toldWhen(text: string): string {
  const { parts, reserve } = when(text);
  const main = toldParts(parts);
  return reserve === undefined ? main : t(lines.reserve, { main, reserve: toldParts(reserve) });
}

/** Several things, one after the other. */
export function toldParts(parts: readonly Part[]): string {
  return parts.map(said).join(t(lines.and));
}

/** What a line pays: `8:1`, `1:1 less 5%`, `push`, `lose`. */
export function toldPays(text: string): string {
  if (text === "push") return t(lines.push);
  if (text === "lose") return t(lines.lose);
  const [odds = "", less] = text.split(" less ");
  return less === undefined ? odds : t(lines.less, { odds, n: less });
}

/** What a hand of Niu Niu is called. */
export function toldHand(category: string): string {
  const known = (categories as Record<string, Words | undefined>)[category];
  return known === undefined ? category : t(known);
}

function said(part: Part): string {
  switch (part.is) {
    case "wins":
      return t({ player: lines.playerWins, banker: lines.bankerWins, box: lines.boxWins, dealer: lines.dealerWins }[part.who]);
    case "points":
      return t(part.who === "player" ? lines.playerPoints : lines.bankerPoints, { n: part.numbers });
    case "cards":
      return t(part.who === "player" ? lines.playerCards : lines.bankerCards, { n: part.numbers });
    case "all-cards":
      return t(lines.allCards, { n: part.numbers });
    case "margin":
      return t(lines.margin, { n: part.numbers });
    case "pair":
      return t(part.who === "player" ? lines.playerPair : lines.bankerPair);
    case "no-pair":
      return t(part.who === "player" ? lines.noPlayerPair : lines.noBankerPair);
    case "hand":
      return t(part.who === "box" ? lines.boxHas : lines.dealerHas, { hands: part.hands.map(toldHand).join(", ") });
    case "words":
      return part.words;
    case "tie":
      return t(lines.tie);
    case "natural":
      return t(lines.natural);
    case "no-natural":
      return t(lines.noNatural);
    case "otherwise":
      return t(lines.otherwise);
    case "always":
      return t(lines.always);
    case "any-winner":
      return t(lines.anyWinner);
  }
}
