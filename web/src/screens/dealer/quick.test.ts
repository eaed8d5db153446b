import { describe, expect, it, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});
const { amountOf, areasOf, read, unitOf } = await import("./quick");

const VND = { currency: "VND", decimals: 0 };
const bets = ["player", "banker", "tie", "player-pair", "banker-pair", "lucky-6"].map((id, bet) => ({ bet, id }));
const words = { areas: areasOf(bets), seats: 7, unit: 1e6, currency: VND };
const steps = (line: string): unknown => read(line, words).steps;

describe("wagers as they are keyed", () => {
  it("are a seat, an area and an amount", () => {
    expect(steps("3 B 50")).toEqual([{ kind: "lay", seat: 3, bet: 1, amount: 50e6 }]);
    expect(steps("3 b 500k")).toEqual([{ kind: "lay", seat: 3, bet: 1, amount: 500e3 }]);
  });
  it("may be several in a breath, of one seat and of others", () => {
    expect(steps("3 B 50 T 1 5 P 20")).toEqual([
      { kind: "lay", seat: 3, bet: 1, amount: 50e6 },
      { kind: "lay", seat: 3, bet: 2, amount: 1e6 },
      { kind: "lay", seat: 5, bet: 0, amount: 20e6 },
    ]);
  });
  it("take a digit for an area after a seat, and for a seat before one", () => {
    expect(steps("6 6 2")).toEqual([{ kind: "lay", seat: 6, bet: 5, amount: 2e6 }]);
  });
  it("are laid again, doubled, cleared and moved", () => {
    expect(steps("R R")).toEqual([{ kind: "same", seat: undefined }]);
    expect(steps("3 R")).toEqual([{ kind: "same", seat: 3 }]);
    expect(steps("2 D")).toEqual([{ kind: "double", seat: 2 }]);
    expect(steps("2 X")).toEqual([{ kind: "clear", seat: 2 }]);
    expect(steps("3 B M P")).toEqual([{ kind: "move", seat: 3, from: 1, to: 0 }]);
  });
  it("are not sent before they are whole", () => {
    expect(read("3 B", words)).toMatchObject({ steps: [], seat: 3, bet: 1, open: true, wrong: undefined });
    expect(read("R", words)).toMatchObject({ steps: [], open: true, wrong: undefined });
  });
  it("are nothing else", () => {
    for (const line of ["8 B 5", "3 Z 5", "3 B x", "B 50", "3 B 0", "R P"]) expect(read(line, words).wrong).toBeDefined();
  });
});

describe("amounts as they are keyed", () => {
  it("count in what the limits are told in", () => {
    expect(unitOf(5_000_000, VND)).toBe(1e6);
    expect(unitOf(100_000, VND)).toBe(1e3);
    expect(unitOf(2_500, { currency: "SGD", decimals: 2 })).toBe(100);
  });
  it("may have a part", () => {
    expect(amountOf("2.5", 1e6, VND)).toBe(2_500_000);
    expect(amountOf("0.0001", 1e6, VND)).toBeUndefined();
  });
});

describe("the keys of areas", () => {
  it("are different, whatever the menu", () => {
    const many = ["dragon", "tiger", "tie", "big-tiger", "small-tiger", "tiger-tie", "red", "ride"].map((id, bet) => ({ bet, id }));
    const keys = areasOf(many).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect("RDMKX").not.toContain(key);
  });
});
