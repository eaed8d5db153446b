import { describe, expect, it } from "vitest";
import type { Board } from "../api/schema";
import { beads, width } from "./roads";

const outcome = { winner: "banker", player_points: 2, banker_points: 9, player_cards: 2, banker_cards: 2 } as const;
const board = (bead: string, marks: Board["marks"]): Board => ({
  marks,
  roads: {
    bead,
    big_road: [],
    big_eye_boy: [],
    small_road: [],
    cockroach_pig: [],
    leading_ties: 0,
    counts: { banker: 0, player: 0, tie: 0 },
    next: { player: [null, null, null], banker: [null, null, null] },
  },
});

describe("the bead plate", () => {
  it("goes down six rows, then to the right", () => {
    const places = beads(board("BPTBPTB", [])).map(({ column, row }) => [column, row]);
    expect(places).toEqual([[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [1, 0]]);
  });

  it("takes pairs from the rounds with wagers, not from free hands", () => {
    const plate = beads(
      board("BP", [
        { result: { ...outcome, banker_pair: true, player_pair: false } },
        { free: { ...outcome, banker_pair: true, player_pair: true } },
        "void",
        { result: { ...outcome, banker_pair: false, player_pair: true } },
      ]),
    );
    expect(plate.map(({ bankerPair, playerPair }) => [bankerPair, playerPair])).toEqual([[true, false], [false, true]]);
  });
});

it("counts columns", () => {
  expect(width([])).toBe(0);
  expect(width([{ column: 0 }, { column: 3 }, { column: 2 }])).toBe(4);
});
