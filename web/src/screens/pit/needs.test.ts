import { describe, expect, it } from "vitest";
import { lowest, pressing } from "./needs";

describe("what waits", () => {
  it("begins with rulings", () => {
    expect(["insurance", "answers", "ruling", "differential"].sort((one, other) => pressing(one as "ruling", other as "ruling"))).toEqual([
      "ruling",
      "differential",
      "answers",
      "insurance",
    ]);
  });
});

describe("who may rule", () => {
  it("is the lowest rank of those that may", () => {
    expect(lowest([{ who: { rank: 4 } }, { who: { rank: 2 } }])).toEqual({ rank: 2 });
    expect(lowest([{ who: { rank: 4 } }, { who: "anybody" }])).toBe("anybody");
  });
  it("is nobody where the table has not named the rank", () => {
    expect(lowest([{ who: "nobody" }])).toBe("nobody");
    expect(lowest([{ who: "nobody" }, { who: { rank: 5 } }])).toEqual({ rank: 5 });
    expect(lowest([])).toBeUndefined();
  });
});
