import { expect, it } from "vitest";
import { ink } from "./faces";

const RANKS = [..."A23456789TJQK"];
const CARDS = RANKS.flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));

it("draws every card otherwise", () => {
  expect(new Set(CARDS.map(ink)).size).toBe(52);
});

it("has as many pips as the rank says, beside the rank and the suit in two corners", () => {
  const pips = RANKS.map((rank) => (ink(`${rank}H`).match(/M/g) ?? []).length - 4);
  // The letter of a picture stands twice, with its suit.
  expect(pips).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 4, 4, 4]);
});

it("stays on the card", () => {
  for (const card of CARDS) {
    let [x, y] = [0, 0];
    for (const [, step = "", numbers = ""] of ink(card).matchAll(/([Mmlqcz])([^Mmlqcz]*)/g)) {
      const [dx = 0, dy = 0] = numbers.trim().split(/\s+/).slice(-2).map(Number);
      if (step === "M") [x, y] = [dx, dy];
      else if (step !== "z") [x, y] = [x + dx, y + dy];
      expect(x > 0 && x < 100 && y > 0 && y < 140, `${card} at ${x} ${y}`).toBe(true);
    }
  }
});
