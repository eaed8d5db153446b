// What is said of consequences in few words: on the button that brings them about, and beside a ruling.
import type { PreviewedEffects, RulingOffer } from "../../api/schema";
import { ahead } from "../../i18n/ahead";
import { remedies } from "../../i18n/terms";
import { t } from "../../i18n/text.svelte";
import type { AtTable } from "./at.svelte";

/** Whether it ends the round or moves money. */
export function isGrave(effects: PreviewedEffects): boolean {
  return effects.wagers.length > 0 || !["none", "goes-on"].includes(effects.round);
}

/** What becomes of the round and the money, as an order: `Void round 44, give back 164M`. */
export function inOneLine(at: AtTable, effects: PreviewedEffects): string {
  const amount = at.brief(effects.given_back);
  const round = effects.round_number;
  const back = effects.given_back > 0 ? `, ${t(ahead.giveBack, { amount })}` : "";
  switch (effects.round) {
    case "void":
      return t(ahead.voidRound, { round }) + back;
    case "free":
      return t(ahead.turnFree, { round }) + back;
    case "abandoned":
      return t(ahead.abandon, { round }) + back;
    case "betting-again":
      return t(ahead.betAgain, { round }) + back;
    case "settled":
      return t(ahead.settle, { round });
    case "none":
    case "goes-on":
      if (effects.given_back > 0) return t(ahead.giveBackOnly, { amount });
      if (effects.may_withdraw.length > 0) return t(ahead.ask, { count: effects.may_withdraw.length });
      if (effects.holds) return t(ahead.stops);
      if (effects.next_is_free) return t(ahead.freesNext);
      return effects.round === "none" ? t(ahead.nothingLost) : t(ahead.stands, { round });
  }
}

/** What a ruling is called. Two that do the same are told apart by what players may choose. */
export function titleOf(ruling: RulingOffer): string {
  const title = t(remedies[ruling.remedy]);
  return ruling.withdrawal ? t(ahead.withChoice, { title }) : title;
}
