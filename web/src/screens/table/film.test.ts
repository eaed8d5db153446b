import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Felt } from "../../api/schema";

const motion = { matches: false };
vi.stubGlobal("matchMedia", () => motion);
vi.stubGlobal("localStorage", { getItem: () => "en" });
vi.stubGlobal("navigator", { languages: ["en"] });
const { Film, frames } = await import("./film.svelte");

const SIDES = ["player", "banker", "player", "banker", "player", "banker"];
const card = (face: string | undefined, at: number) => ({ side: SIDES[at], misplaced: null, stand_in: false, face: face === undefined ? "down" : { up: face } });
const felt = (cards: (string | undefined)[], points: (number | null)[], closed: unknown = null, round = 1): Felt =>
  ({ round, draws: cards.map(card), points, closed, wagers: closed === null ? ["lies"] : ["paid"], outcome: null, board: null }) as unknown as Felt;
const DOWN = [undefined, undefined, undefined, undefined];
const CLOSED = felt(DOWN, [null, null]);
const OPENED = felt(["9S", "4H", "KD", "2C"], [9, 6]);

describe("what is shown of a round", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    motion.matches = false;
    vi.useRealTimers();
  });

  it("counts a card once it has turned, never before", () => {
    const film = new Film();
    film.push(CLOSED);
    film.push(OPENED);
    expect([film.shown?.draws, film.shown?.points]).toEqual([OPENED.draws, [null, null]]);
    vi.advanceTimersByTime(339);
    expect([film.shown?.points, film.isBehind]).toEqual([[null, null], true]);
    vi.advanceTimersByTime(2);
    expect([film.shown?.points, film.isBehind]).toEqual([[9, 6], false]);
  });

  it("takes a breath before a third card, and pays after the last count", () => {
    const five = felt(["9S", "4H", "KD", "2C", "3D"], [2, 6], { result: {} });
    const { said } = frames(OPENED, five)[0] ?? {};
    expect(said).toEqual({ is: "draws", side: "player", points: 9 });
    const film = frames(OPENED, five);
    expect(film.map(({ felt }) => [felt.draws.length, felt.points[0], felt.closed !== null, felt.wagers[0]])).toEqual([
      [4, 9, false, "lies"],
      [5, 9, false, "lies"],
      [5, 2, false, "lies"],
      [5, 2, true, "paid"],
    ]);
    expect(film.map(({ milliseconds }) => milliseconds)).toEqual([600, 720, 600, 1_500]);
    expect(film.map(({ said }) => said?.is)).toEqual(["draws", undefined, "stands", undefined]);
  });

  it("keeps what was said until the round ends, also where nothing moves", () => {
    motion.matches = true;
    const film = new Film();
    film.push(OPENED);
    film.push(felt(["9S", "4H", "KD", "2C", "3D"], [2, 6]));
    expect([film.said?.is, film.shown?.draws.length]).toEqual(["draws", 4]);
    vi.advanceTimersByTime(1_000);
    expect([film.said?.is, film.shown?.draws.length]).toEqual(["draws", 5]);
    film.push(felt(["9S", "4H", "KD", "2C", "3D"], [2, 6], { result: {} }));
    expect([film.said?.is, film.shown?.closed]).toEqual(["stands", null]);
    vi.advanceTimersByTime(1_000);
    expect([film.said, film.shown?.closed]).toEqual([undefined, { result: {} }]);
  });

  it("shows at once what has nothing to do with cards, and the next round", () => {
    const film = new Film();
    film.push(OPENED);
    const next = felt([], [null, null], null, 2);
    film.push(next);
    expect(film.shown).toBe(next);
  });

  it("hurries once the next round has begun", () => {
    const film = new Film();
    film.push(OPENED);
    film.push(felt(["9S", "4H", "KD", "2C", "3D"], [2, 6]));
    film.push(felt(["9S", "4H", "KD", "2C", "3D"], [2, 6], { result: {} }));
    film.push(felt([], [null, null], null, 2));
    // The first breath had begun; the rest takes no time to speak of, but for the end.
    vi.advanceTimersByTime(600 + 3 * 210);
    expect([film.shown?.closed, film.isBehind]).toEqual([{ result: {} }, false]);
    vi.advanceTimersByTime(1_490);
    expect([film.shown?.round, film.isBehind]).toEqual([2, false]);
  });

  it("jumps ahead of what it cannot keep up with", () => {
    const film = new Film();
    film.push(felt([], [null, null]));
    for (let at = 1; at <= 4; at += 1) film.push(felt(DOWN.slice(0, at), [null, null]));
    for (let at = 1; at <= 4; at += 1) film.push(felt(DOWN.map((_, place) => (place < at ? "2S" : undefined)), [at, null]));
    film.push(CLOSED);
    film.push(OPENED);
    while (film.shown?.draws !== OPENED.draws) vi.advanceTimersByTime(10);
    expect(film.shown.points).toEqual([null, null]);
    vi.advanceTimersByTime(400);
    expect(film.shown.points).toEqual([9, 6]);
  });

  it("counts no card early when it jumps, not even one that turned in what was left out", () => {
    const film = new Film();
    const seen: { open: number; points: number | null | undefined }[] = [];
    film.push(felt([], [null, null]));
    for (let at = 0; at < 5; at += 1) film.push(felt(DOWN, [null, null]));
    // The Player's hand turns, then the Banker's, while the cards still land.
    film.push(felt(["9S", undefined, "KD", undefined], [9, null]));
    film.push(OPENED);
    for (let at = 0; at < 600; at += 1) {
      seen.push({ open: film.shown?.draws.filter(({ face }) => face !== "down").length ?? 0, points: film.shown?.points[0] });
      vi.advanceTimersByTime(10);
    }
    const firstOpen = seen.findIndex(({ open }) => open >= 2);
    const firstCount = seen.findIndex(({ points }) => points === 9);
    expect(firstCount - firstOpen).toBeGreaterThanOrEqual(34);
  });

  it("tells of every end of a round, also of one that nobody saw", () => {
    const ends: unknown[] = [];
    const film = new Film((frame) => void (frame.closed != null && ends.push(frame.round)));
    film.push(felt([], [null, null]));
    for (let round = 1; round <= 9; round += 1) {
      film.push(felt(DOWN, [null, null], null, round));
      film.push(felt(["9S", "4H", "KD", "2C"], [9, 6], { result: {} }, round));
      film.push(felt([], [null, null], null, round + 1));
    }
    vi.advanceTimersByTime(20_000);
    expect([...new Set(ends)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("lies still for those who asked for it", () => {
    motion.matches = true;
    const film = new Film();
    film.push(CLOSED);
    film.push(OPENED);
    expect(film.shown?.points).toEqual([9, 6]);
  });
});
