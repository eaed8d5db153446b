// What somebody fills in to open a table, and the settings that it makes.
import type {
  ChosenSetting,
  GameForm,
  LayoutForm,
  RulebookForm,
  Setting,
  SettingFault,
  SettingForm,
} from "../../api/schema";
import { type Currency, parsed } from "../../lib/money";

/** What was typed, by the key of the field; empty where nothing was. */
export type Typed = Record<string, string | number | null | undefined>;

/** One place to type something. */
export interface Field {
  key: string;
  setting: Setting;
  /** The bet or the odds it is for, where it is for one. */
  bet?: string;
  odds?: string;
}

/** The fields of a setting: most have one, some have one more for each bet, or one for each odds. */
export function fieldsOf(form: SettingForm, game: GameForm): Field[] {
  const { setting } = form;
  const whole: Field = { key: setting, setting };
  if (form.takes === "money-per-bet") {
    return [whole, ...game.bets.map(({ id }) => ({ key: `${setting} ${id}`, setting, bet: id }))];
  }
  if (form.takes === "money-per-odds") {
    const all = [...new Set(game.insurance.map(({ odds }) => odds))];
    return all.map((odds) => ({ key: `${setting} ${odds}`, setting, odds }));
  }
  return [whole];
}

/** What the server found amiss at a field. */
export function faultsAt(faults: readonly SettingFault[], field: Field): SettingFault[] {
  return faults.filter(
    ({ setting, bet, odds }) =>
      setting === field.setting && (bet ?? undefined) === field.bet && (odds ?? undefined) === field.odds,
  );
}

/** The layouts for a game: those of its variant, and those of all. */
export function layoutsOf(book: RulebookForm, game: string): LayoutForm[] {
  const variant = game.split("/")[1];
  return book.layouts.filter((layout) => layout.variant == null || layout.variant === variant);
}

/** The settings that were filled in, or the fields whose amounts are none. */
export function chosen(
  book: RulebookForm,
  game: GameForm,
  typed: Typed,
  currency: Currency,
): { settings: ChosenSetting[] } | { wrong: Field[] } {
  const settings: ChosenSetting[] = [];
  const wrong: Field[] = [];
  for (const form of book.settings) {
    for (const field of fieldsOf(form, game)) {
      const text = String(typed[field.key] ?? "").trim();
      if (text === "") continue;
      const { setting, bet = null, odds = null } = field;
      if (form.takes === "count") {
        settings.push({ setting, value: { count: Number(text) } });
      } else if (form.takes.startsWith("money")) {
        const money = parsed(text, currency);
        if (money === undefined) wrong.push(field);
        else settings.push({ setting, bet, odds, value: { money } });
      } else {
        settings.push({ setting, value: { word: text } });
      }
    }
  }
  return wrong.length > 0 ? { wrong } : { settings };
}
