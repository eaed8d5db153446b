import { describe, expect, it } from "vitest";
import type { BetInfo } from "../../api/schema";
import { added, handy, within } from "./amounts";
import { areasOf, paysInShort } from "./felt/areas";
import { seatPoints } from "./felt/arc";

const bet = (id: string, ...pays: string[]): BetInfo => ({
  bet: 0,
  id,
  names: { en: id },
  clause: [],
  pays: pays.map((pays) => ({ when: "", pays, clauses: [] })),
});

describe("areas", () => {
  it("has the main bets from Player to Banker and the others on their sides", () => {
    const { main, side } = areasOf(["banker", "player", "tie", "banker-pair", "lucky-6", "small-dragon"].map((id) => bet(id)));
    expect(main.map((area) => area.bet.id)).toEqual(["player", "tie", "banker"]);
    expect(side.map((area) => area.bet.id)).toEqual(["small-dragon", "lucky-6", "banker-pair"]);
  });
  it("has an area for every bet of a game that it does not know", () => {
    expect(areasOf([bet("even"), bet("anything")]).main).toHaveLength(2);
  });
  it("tells in short what a bet pays", () => {
    expect(paysInShort(bet("tie", "8:1", "lose"))).toBe("8:1");
    expect(paysInShort(bet("banker", "1:1 less 5%", "push"))).toBe("1:1 −5%");
    expect(paysInShort(bet("bonus", "1:1", "30:1", "4:1", "1:1"))).toBe("1:1 – 30:1");
  });
});

describe("what a tap adds", () => {
  const bounds = { from: 500, to: 2_050, step: 50 };
  it("is at least the minimum and at most what is left", () => {
    expect(within(100, bounds)).toBe(500);
    expect(within(510, bounds)).toBe(550);
    expect(within(10_000, bounds)).toBe(2_050);
  });
  it("needs no minimum once something is on its way", () => {
    expect(added(100, bounds, 500)).toBe(100);
    expect(added(100, bounds, 2_050)).toBeUndefined();
  });
  it("has handy amounts without doubles", () => {
    expect(handy(bounds, [100, 500, 1_000, 9_000])).toEqual([500, 1_000, 2_050]);
  });
});

describe("seats", () => {
  it("are spread evenly from left to right", () => {
    const points = seatPoints(7);
    expect(points[3]?.x).toBeCloseTo(50, 0);
    expect(points.map((point) => point.x)).toEqual(points.map((point) => point.x).toSorted((a, b) => a - b));
  });
  it("has one seat in the middle", () => expect(seatPoints(1)[0]?.x).toBeCloseTo(50, 0));
});
