import { describe, expect, it } from "vitest";
import { rack, stacked } from "./chips";

describe("a rack of chips", () => {
  it("goes up in fives and twos from the smallest chip", () => {
    expect(rack(100, 50_000).map((chip) => chip.value)).toEqual([100, 500, 1_000, 5_000, 10_000, 50_000]);
  });
  it("has no chip above the limit", () => {
    expect(rack(100, 499).map((chip) => chip.value)).toEqual([100]);
    expect(rack(100, 500).map((chip) => chip.value)).toEqual([100, 500]);
  });
});

describe("a stack", () => {
  const chips = rack(100, 10_000);
  it("adds up to the amount with the fewest chips", () => {
    const stack = stacked(6_700, chips).map((chip) => chip.value);
    expect(stack).toEqual([5_000, 1_000, 500, 100, 100]);
  });
  it("is never higher than asked for", () => {
    expect(stacked(10_000_000, chips, 5)).toHaveLength(5);
  });
});
