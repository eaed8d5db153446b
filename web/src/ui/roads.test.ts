import { describe, expect, it } from "vitest";
import type { Board } from "../api/schema";
import { beads, figuresOf, fromColumn, nextCell, width } from "./roads";

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

describe("a road in little room", () => {
  it("shows whole columns up to the next free one", () => {
    expect([fromColumn(3, 10), fromColumn(9, 10), fromColumn(10, 10), fromColumn(40, 12)]).toEqual([0, 0, 1, 29]);
  });
  it("knows where the next mark goes", () => {
    const cell = (column: number, row: number, of: string) => ({ column, row, of });
    expect(nextCell([], "B")).toEqual({ column: 0, row: 0 });
    expect(nextCell([cell(0, 0, "B")], "B")).toEqual({ column: 0, row: 1 });
    expect(nextCell([cell(0, 0, "B")], "P")).toEqual({ column: 1, row: 0 });
    const full = Array.from({ length: 6 }, (_, row) => cell(0, row, "B"));
    expect(nextCell(full, "B")).toEqual({ column: 1, row: 5 });
    expect(nextCell([...full, cell(1, 5, "B")], "P")).toEqual({ column: 1, row: 0 });
  });
});

it("tells what a shoe has been like", () => {
  const result = { ...outcome, banker_pair: true, player_pair: false };
  const shoe = board("BPBBT", [{ result }, { result: { ...result, banker_points: 7 } }, { result: { ...result, player_cards: 3 } }]);
  shoe.roads.counts = { banker: 3, player: 1, tie: 1 };
  expect(figuresOf(shoe)).toEqual({
    banker: 60, player: 20, tie: 20, naturals: 1, bankerPairs: 3, playerPairs: 0, streak: { side: "B", length: 2 },
  });
});
