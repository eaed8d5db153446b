import { describe, expect, it } from "vitest";
import type { Act, Phase } from "../../api/schema";
import { aside, awaitsShoe, inOrder, plainly } from "./calls";

describe("the Dealer's calls", () => {
  it("stand in the order of the procedure", () => {
    expect(inOrder(["settle", "call", "count-shoe"])).toEqual(["call", "settle"]);
    expect(inOrder(["burn", "cut-cards", "record-shuffle"])).toEqual(["record-shuffle", "cut-cards", "burn"]);
  });
  it("end with the cut where a device deals packets", () => {
    expect(inOrder(["cut-cards", "close-bets"], true)).toEqual(["close-bets", "cut-cards"]);
  });
  it("keep what is about the shoe aside", () => {
    expect(aside(["settle", "count-shoe", "cut-card-out"])).toEqual(["cut-card-out", "count-shoe"]);
  });
  it("are none while new cards have to come", () => {
    const waits = (phase: Phase, acts: Act[]): boolean =>
      awaitsShoe({ phase, draws: [], method: null }, { acts, draw: null, liability: 0, float: 100 }, false);
    expect(waits("ready", ["count-shoe"])).toBe(true);
    expect(waits("ready", ["open-bets"])).toBe(false);
    expect(waits("shoe-decision", ["open-bets"])).toBe(true);
    expect(waits("bets-closed", [])).toBe(true);
    expect(waits("initial-deal", [])).toBe(false);
    const closed = { phase: "bets-closed" as const, draws: [] };
    const idle = { acts: [], draw: null, liability: 0, float: 100 };
    expect(awaitsShoe({ ...closed, method: "C" }, idle, false)).toBe(false);
    expect(awaitsShoe({ ...closed, method: null }, idle, true)).toBe(false);
    const short = { acts: [], draw: null, liability: 101, float: 100 };
    expect(awaitsShoe({ phase: "bets-open", draws: [], method: null }, short, false)).toBe(false);
  });
  it("are commands by themselves where nothing more is to be said", () => {
    expect(plainly("open-bets")).toBe("open-bets");
    expect(plainly("load-shoe")).toEqual({ "load-shoe": {} });
    expect(plainly("burn")).toBeUndefined();
  });
});
