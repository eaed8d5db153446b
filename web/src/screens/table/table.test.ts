import { describe, expect, it } from "vitest";
import type { BetInfo, Payoff } from "../../api/schema";
import { handy, tapped, within } from "./amounts";
import { areasOf, paysInShort, rowsOf } from "./felt/areas";

const bet = (id: string, ...pays: Payoff[]): BetInfo => ({
  bet: 0,
  id,
  names: { en: id },
  clause: [],
  pays: pays.map((payoff) => ({ when: "", condition: { is: "otherwise" }, pays: "", payoff, clauses: [] })),
});
const win = (odds: string, less?: string): Payoff => ({ is: "win", odds, ...(less === undefined ? {} : { less }) });

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
    expect(paysInShort(bet("tie", win("8:1"), { is: "lose" }))).toBe("8:1");
    expect(paysInShort(bet("banker", win("1:1", "1/20"), { is: "push" }))).toBe("1:1 −5%");
    expect(paysInShort(bet("banker", win("1:1", "1/30"), { is: "push" }))).toBe("1:1 −1/30");
    expect(paysInShort(bet("bonus", win("1:1"), win("30:1"), win("4:1"), win("1:1")))).toBe("1:1 – 30:1");
  });
});

describe("what a tap adds", () => {
  const bounds = { from: 500, to: 2_050, step: 50 };
  it("is at least the minimum and at most what is left", () => {
    expect(within(100, bounds)).toBe(500);
    expect(within(510, bounds)).toBe(550);
    expect(within(10_000, bounds)).toBe(2_050);
  });
  it("is the chip and nothing else; where that does not fit, the table asks", () => {
    expect(tapped(500, bounds, 0)).toEqual({ amount: 500 });
    expect(tapped(450, bounds, 0)).toEqual({ amount: 500, because: "minimum" });
    expect(tapped(2_050, bounds, 0)).toEqual({ amount: 2_050 });
    expect(tapped(2_100, bounds, 0)).toEqual({ amount: 2_050, because: "rest" });
    expect(tapped(undefined, bounds, 0)).toEqual({ amount: 2_050, because: "rest" });
  });
  it("needs no minimum once something is on its way", () => {
    expect(tapped(100, bounds, 500)).toEqual({ amount: 100 });
    expect(tapped(100, bounds, 2_000)).toEqual({ amount: 50, because: "rest" });
    expect(tapped(100, bounds, 2_050)).toBeUndefined();
  });
  it("has handy amounts without doubles", () => {
    expect(handy(bounds, [100, 500, 1_000, 9_000])).toEqual([500, 1_000, 2_050]);
  });
});

describe("rows on the cloth", () => {
  const ids = (isNarrow: boolean, ...sides: string[]): string[][] =>
    rowsOf(areasOf(["banker", "player", "tie", ...sides].map((id) => bet(id))), isNarrow).map(({ areas }) => areas.map(({ bet }) => bet.id));
  const DRAGONS = ["small-dragon", "big-dragon", "small-tiger", "big-tiger", "dragon-tiger", "banker-pair", "player-pair"];
  it("has side bets before the main ones, and pairs behind them where there are many", () => {
    expect(ids(false, "lucky-6", "player-pair")).toEqual([["player-pair", "lucky-6"], ["player", "tie", "banker"]]);
    const rows = ids(false, ...DRAGONS);
    expect(rows.map((row) => row.length)).toEqual([5, 3, 2]);
    expect(rows[2]).toEqual(["player-pair", "banker-pair"]);
  });
  it("has the main bets first where there is little width, and four others in a row at most", () => {
    expect(ids(true, ...DRAGONS).map((row) => row.length)).toEqual([3, 4, 3]);
  });
  it("has every bet once", () => {
    for (const isNarrow of [true, false]) expect(new Set(ids(isNarrow, ...DRAGONS, "a", "b", "c").flat()).size).toBe(13);
  });
});
