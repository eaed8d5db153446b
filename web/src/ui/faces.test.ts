import { expect, it } from "vitest";
import { ink } from "./faces";

const RANKS = [..."A23456789TJQK"];
const CARDS = RANKS.flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));

it("draws every card otherwise", () => {
  expect(new Set(CARDS.map((card) => ink(card))).size).toBe(52);
});

it("has as many pips as the rank says, beside the rank and the suit in two corners", () => {
  const pips = RANKS.map((rank) => (ink(`${rank}H`).match(/M/g) ?? []).length - 4);
  // A picture has its suit twice, beside its figure.
  expect(pips).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 2, 2]);
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

it("covers the index while a card is squeezed, and nothing else", () => {
  for (const card of CARDS.filter((card) => !"JQK".includes(card[0] ?? ""))) expect(ink(card).endsWith(ink(card, true))).toBe(true);
  expect(ink("2H", true)).not.toBe(ink("2H"));
});
