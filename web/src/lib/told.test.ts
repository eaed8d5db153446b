import { describe, expect, it, vi } from "vitest";
import type { Condition, Payoff } from "../api/schema";

vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { documentElement: { lang: "en" } });
const { toldNet, toldPays, toldWhen } = await import("./told");
const { categories } = await import("../i18n/terms");
const { language } = await import("../i18n/text.svelte");
const examples = (await import("./conditions.examples.json")).default;

/** Every condition and payoff of the shipped and the example rulebooks and of well-known side bets, by its English words. */
const conditions = Object.entries(examples.conditions as Record<string, Condition>);
const payoffs = Object.entries(examples.payoffs as Record<string, Payoff>);
/** Names stay as they are in every language. */
const NAMES = /Niu|Hoiana/g;
/** Ranks are letters everywhere. */
const RANKS = /\b[AJQK]\b/g;
const english = /[a-z]/i;

/** The English of the terminal names Niu Niu hands by their ids. */
function named(words: string): string {
  const ids = Object.entries(categories).sort(([one], [other]) => other.length - one.length);
  return ids.reduce((text, [id, [name]]) => text.replaceAll(new RegExp(`(?<= )${id}(?=,|$)`, "g"), name), words);
}

describe("every known condition", () => {
  it("is said in English as in the terminal", () => {
    language.choose("en");
    expect(conditions.length).toBeGreaterThan(100);
    for (const [words, condition] of conditions) expect(toldWhen(condition)).toBe(named(words));
    for (const [words, payoff] of payoffs) expect(toldPays(payoff)).toBe(words);
  });
  it("has no English left in Chinese", () => {
    language.choose("zh");
    const texts = [...conditions.map(([, one]) => toldWhen(one)), ...payoffs.map(([, one]) => toldPays(one))];
    expect(texts.filter((text) => english.test(text.replaceAll(NAMES, "").replaceAll(RANKS, "")))).toEqual([]);
  });
  it("has no English left in Vietnamese", () => {
    const said = (code: "en" | "vi"): string[][] => {
      language.choose(code);
      const texts = [...conditions.map(([, one]) => toldWhen(one)), ...payoffs.map(([, one]) => toldPays(one))];
      return texts.map((text) => text.replaceAll(NAMES, "").replaceAll(RANKS, "").match(/\p{L}{2,}/gu) ?? []);
    };
    const [en, vi] = [new Set(said("en").flat()), said("vi")];
    for (const text of vi) expect(text.filter((word) => en.has(word))).toEqual([]);
  });
  it("fills every gap in its words", () => {
    for (const code of ["en", "vi", "zh"] as const) {
      language.choose(code);
      expect(conditions.map(([, condition]) => toldWhen(condition)).filter((text) => /[{}]|undefined/.test(text))).toEqual([]);
    }
  });
});

describe("a line of the odds lab", () => {
  it("says what of the Reserve is lost beside its condition", () => {
    language.choose("en");
    const lost: Condition = { is: "box", winner: "dealer", dealer: ["niu-7", "niu-niu"] };
    expect(toldWhen({ is: "otherwise" }, lost)).toBe("otherwise; Reserve: Dealer wins, Dealer has Niu 7, Niu Niu");
    language.choose("zh");
    expect(toldWhen({ is: "otherwise" }, lost)).toBe("其余情况；备用金：荷官赢，荷官为牛七、牛牛");
  });
  it("says what a gain of one unit pays", () => {
    language.choose("en");
    expect(["8/1", "19/20", "0/1", "-1/1", "-3/1"].map(toldNet)).toEqual(["8:1", "19:20", "push", "lose", "lose"]);
  });
});
