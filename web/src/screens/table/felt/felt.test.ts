import { describe, expect, it } from "vitest";
import type { CardShown, OutcomeShown } from "../../../api/schema";
import { handOf } from "./hands";
import { outcomeOf, winnerOf } from "./result";

const outcome: OutcomeShown = {
  winner: "banker",
  player_points: 6,
  player_cards: 2,
  player_pair: false,
  banker_points: 9,
  banker_cards: 2,
  banker_pair: false,
};

describe("the end of a round", () => {
  it("has a winner", () => expect(winnerOf({ closed: { result: outcome } })).toBe("banker"));
  it("has points and no winner in a Free Hand", () => {
    expect(winnerOf({ closed: { free: outcome } })).toBeUndefined();
    expect(outcomeOf({ free: outcome })).toBe(outcome);
  });
  it.each([null, "void", "played"] as const)("has neither when it is %s", (closed) => {
    expect([winnerOf({ closed }), outcomeOf(closed)]).toEqual([undefined, undefined]);
  });
});

it("has a card on the hand it lies on, not where it belongs", () => {
  const card = (side: CardShown["side"], misplaced: CardShown["misplaced"] = null): CardShown => ({
    side,
    misplaced,
    face: "down",
    stand_in: false,
  });
  const draws = [card("player"), card("banker"), card("player", "banker"), card("banker")];
  expect(handOf({ draws }, "player")).toEqual([draws[0]]);
  expect(handOf({ draws }, "banker")).toEqual([draws[1], draws[2], draws[3]]);
});
