import { describe, expect, it } from "vitest";
import { depth, holds, pieces, stem, wordsOf } from "./find";

describe("searching clauses", () => {
  it("every word counts, in any order and case", () => {
    expect(holds(wordsOf("Third  BANKER"), "HB 4.16", "The Banker takes a third card.")).toBe(true);
    expect(holds(wordsOf("§ 4.16"), "HB 4.16", "x")).toBe(true);
    expect(holds(wordsOf("banker fourth"), "HB 4.16", "The Banker takes a third card.")).toBe(false);
  });
  it("what was found is marked, also where words overlap", () => {
    expect(pieces("cut card", wordsOf("card"))).toEqual([
      { text: "cut ", found: false },
      { text: "card", found: true },
    ]);
    expect(pieces("shoes", wordsOf("sho hoe"))).toEqual([
      { text: "shoe", found: true },
      { text: "s", found: false },
    ]);
    expect(pieces("shoes", [])).toEqual([{ text: "shoes", found: false }]);
  });
  it("other forms of a word are found", () => {
    for (const [typed, text] of [
      ["settled", "The Dealer settles the wagers."],
      ["settling", "It is settled."],
      ["betting", "He bets."],
      ["carries", "Cards are carried over."],
      ["wagers", "A wager lies."],
      ["burning", "Burn the first card."],
      ["classes", "a class"],
    ] as const) {
      expect(holds(wordsOf(typed), text), `${typed} in ${text}`).toBe(true);
      expect(pieces(text, wordsOf(typed)).some((piece) => piece.found)).toBe(true);
    }
    expect(holds(wordsOf("string"), "he strs")).toBe(false);
    expect(["ring", "red", "6.4.2", "loss", "status"].map(stem)).toEqual(["ring", "red", "6.4.2", "loss", "status"]);
  });
  it("depth", () => {
    expect(["1", "4.16", "4.12.2", "6.4.6/BI4"].map(depth)).toEqual([0, 1, 2, 3]);
  });
});
