// What games and bets are called: the server's sheets name bets in English only, the rulebooks in every language.
import type { RulebookForm, RulebookSummary } from "../../api/schema";
import { lab } from "../../i18n/lab";
import { named, t } from "../../i18n/text.svelte";

/** The rulebook of a game: what stands before the variant. */
export function bookOf(game: string): string {
  return game.split("/")[0] ?? game;
}

/** A game among those of its rulebook. */
export function gameName(book: RulebookSummary, game: string): string {
  const name = named(book.names);
  const variant = game.split("/")[1];
  if (variant === undefined) return name;
  return `${name}, ${variantName(variant)}`;
}

/** A variant of a game; one that the lists do not name in every language keeps its id. */
export function variantName(variant: string): string {
  const known = { commission: lab.commission, "non-commission": lab.nonCommission }[variant];
  return known === undefined ? variant : t(known);
}

/** A bet; as the sheet calls it until the rulebook is there. */
export function betName(book: RulebookForm | undefined, game: string, bet: { bet: string; name: string }): string {
  const found = book?.games.find((form) => form.id === game)?.bets.find((form) => form.id === bet.bet);
  return found === undefined ? bet.name : named(found.names);
}
