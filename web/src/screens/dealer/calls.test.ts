import { describe, expect, it } from "vitest";
import { aside, inOrder, plainly } from "./calls";

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
  it("are commands by themselves where nothing more is to be said", () => {
    expect(plainly("open-bets")).toBe("open-bets");
    expect(plainly("load-shoe")).toEqual({ "load-shoe": {} });
    expect(plainly("burn")).toBeUndefined();
  });
});
