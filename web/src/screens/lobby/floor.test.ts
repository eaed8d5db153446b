import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MarkShown } from "../../api/schema";

vi.stubGlobal("document", { hidden: false });
const answers = vi.hoisted(() => ({ of: (path: string): unknown => void path }));
vi.mock("../../api/client", () => ({
  GET: async (path: string) => answers.of(path),
  data: async (answer: unknown) => answer,
  problemOf: () => ({ title: "no answer" }),
}));
const { Floor } = await import("./floor.svelte");

const LOBBY = "/api/tables";
const ROADS = "/api/tables/{table}/roads";
const ROUNDS = "/api/tables/{table}/rounds";
const ROUND = "/api/tables/{table}/rounds/{round}";

/** A floor with one table of Niu Niu after its third round; paths in `failing` have no answer. */
function answering(failing: Set<string>, marks: MarkShown[] = ["played"]): void {
  answers.of = (path) => {
    if (failing.has(path)) throw new Error(path);
    if (path === LOBBY) return [{ id: 7, shoe: 1, round: 3, phase: "ready" }];
    if (path === ROADS) return { marks, roads: { bead: "" } };
    if (path === ROUNDS) return { rounds: [{ round: 3, mark: "played" }] };
    if (path === ROUND) return { kept: { round: 3 } };
    return [];
  };
}

describe("the floor", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([ROADS, ROUNDS, ROUND])("goes without an answer about one table, and asks again: %s", async (path) => {
    const failing = new Set([path]);
    answering(failing);
    const floor = new Floor();
    await vi.advanceTimersByTimeAsync(0);
    expect([floor.tables?.length, floor.problem, floor.last[7]]).toEqual([1, undefined, undefined]);
    failing.clear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(floor.last[7]).toEqual({ round: 3 });
    floor.close();
  });

  it("has the last hands of a shoe with a void round too", async () => {
    answering(new Set(), ["void", "played"]);
    const floor = new Floor();
    await vi.advanceTimersByTimeAsync(0);
    expect(floor.last[7]).toEqual({ round: 3 });
    floor.close();
  });

  it("says so when the tables themselves have no answer", async () => {
    answering(new Set([LOBBY]));
    const floor = new Floor();
    await vi.advanceTimersByTimeAsync(0);
    expect([floor.tables, floor.problem]).toEqual([undefined, { title: "no answer" }]);
    floor.close();
  });
});
