import { describe, expect, it } from "vitest";
import { depth, holds, pieces, wordsOf } from "./find";

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
  it("depth", () => {
    expect(["1", "4.16", "4.12.2", "6.4.6/BI4"].map(depth)).toEqual([0, 1, 2, 3]);
  });
});
