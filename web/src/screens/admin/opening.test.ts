import { describe, expect, it, vi } from "vitest";
import type { GameForm, InsuranceForm, RulebookForm, Setting, SettingFault } from "../../api/schema";
import { chosen, faultsAt, fieldsOf, layoutsOf } from "./opening";

// Amounts are read here, not shown; the chosen language needs a browser.
vi.mock("../../i18n/text.svelte", () => ({ language: { locale: "en-GB" } }));

const bet = (id: string, place: number) => ({ id, place, names: {}, clauses: [], pays: [] });
const insured: Omit<InsuranceForm, "odds"> = {
  side: "banker", stage: "four-cards", banker_points: "4", player_points: "0", clauses: [],
};
const game: GameForm = {
  id: "book/with",
  names: {},
  bets: [bet("player", 0), bet("banker", 1)],
  insurance: [
    { ...insured, odds: "3:2" },
    { ...insured, odds: "3:2" },
  ],
};
const setting = (setting: Setting, takes: string) => ({ setting, takes, says: "", words: [], clauses: [] });
const layout = (id: string, variant: string | null) => ({
  id, variant, seats_min: 5, seats_max: 7, insurance: false, clauses: [],
});
const book: RulebookForm = {
  abbreviation: "B",
  clauses: [],
  readings: [],
  ranks: [],
  games: [game],
  layouts: [layout("A.1", "with"), layout("A.2", "without"), layout("A.3", null)],
  settings: [
    setting("layout", "name"),
    setting("decks", "count"),
    setting("minimum", "money-per-bet"),
    setting("insurance-limit", "money-per-odds"),
  ],
  summary: { id: "book", family: "baccarat", games: [], hash: "", names: {}, operator: "", version: "1" },
};
const dollars = { currency: "USD", decimals: 2 };

describe("opening a table", () => {
  it("has a field for every bet and for every odds", () => {
    const keys = book.settings.flatMap((form) => fieldsOf(form, game)).map((field) => field.key);
    expect(keys).toEqual(["layout", "decks", "minimum", "minimum player", "minimum banker", "insurance-limit 3:2"]);
  });
  it("offers the layouts of the variant", () => {
    expect(layoutsOf(book, "book/with").map((layout) => layout.id)).toEqual(["A.1", "A.3"]);
  });
  it("sends what was filled in, and money in the smallest unit", () => {
    const typed = { layout: "A.1", decks: 8, minimum: "25", "minimum banker": "1,000.50", "insurance-limit 3:2": "" };
    expect(chosen(book, game, typed, dollars)).toEqual({
      settings: [
        { setting: "layout", value: { word: "A.1" } },
        { setting: "decks", value: { count: 8 } },
        { setting: "minimum", bet: null, odds: null, value: { money: 2500 } },
        { setting: "minimum", bet: "banker", odds: null, value: { money: 100050 } },
      ],
    });
  });
  it("finds what is amiss at each field", () => {
    const fault = (setting: Setting | null, bet: string | null): SettingFault => ({
      setting, bet, odds: null, message: `${setting} ${bet}`, clauses: [],
    });
    const faults = [fault("decks", null), fault("minimum", "banker"), fault(null, null)];
    const fields = book.settings.flatMap((form) => fieldsOf(form, game));
    const marked = fields.filter((field) => faultsAt(faults, field).length > 0).map((field) => field.key);
    expect(marked).toEqual(["decks", "minimum banker"]);
  });
  it("says which amounts are none", () => {
    const typed = { decks: 8, minimum: "much", "minimum banker": "1.234.5x" };
    expect(chosen(book, game, typed, dollars)).toEqual({
      wrong: [
        { key: "minimum", setting: "minimum" },
        { key: "minimum banker", setting: "minimum", bet: "banker" },
      ],
    });
  });
});
