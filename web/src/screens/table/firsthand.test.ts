import { beforeEach, describe, expect, it, vi } from "vitest";

const store = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) });
const { FirstHand } = await import("./firsthand.svelte");
const { keep, kept } = await import("../../lib/kept");

describe("the first hand", () => {
  beforeEach(() => store.clear());

  it("is told until the round after it begins, and never again", () => {
    const first = new FirstHand();
    first.began(4);
    expect(first.isTold).toBe(true);
    first.ended(4);
    first.began(4);
    expect(first.isTold).toBe(true);
    expect(new FirstHand().isTold).toBe(false);
    first.began(5);
    expect(first.isTold).toBe(false);
  });
  it("is told on through rounds without a wager", () => {
    const first = new FirstHand();
    for (const round of [1, 2, 3]) first.began(round);
    expect([first.isTold, new FirstHand().isTold]).toEqual([true, true]);
  });
});

describe("what a browser keeps", () => {
  it("is nothing where it is spoilt, or the store is closed", () => {
    keep("local", "a", { b: 1 });
    expect(kept("local", "a")).toEqual({ b: 1 });
    store.set("a", "{");
    expect([kept("local", "a"), kept("local", "other"), kept("session", "a")]).toEqual([undefined, undefined, undefined]);
    expect(() => keep("session", "a", 1)).not.toThrow();
  });
});
