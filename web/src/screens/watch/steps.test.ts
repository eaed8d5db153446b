import { expect, test } from "vitest";
import { mark, parts, places } from "./steps";

const step = (at: number, phase = "bets-open" as const, exceptions: "voided"[] = []) => ({ at, phase, exceptions });

test("steps lie in order between 0 and 1, by time and by number", () => {
  expect(places([step(0), step(10), step(100)])).toEqual([0, (0.1 + 0.5) / 2, 1]);
  expect(places([step(5), step(5), step(5)])).toEqual([0, 0.5, 1]);
  expect(places([step(5)])).toEqual([0]);
  expect(places([])).toEqual([]);
});

test("spans of the same kind are one", () => {
  const steps = [step(0), step(50), { ...step(100), phase: "result" as const }];
  expect(parts(steps)).toEqual([{ span: "bets", from: 0, to: 1 }]);
  const on = [step(0), { ...step(50), phase: "initial-deal" as const }, { ...step(100), phase: "result" as const }];
  expect(parts(on)).toEqual([{ span: "bets", from: 0, to: 0.5 }, { span: "cards", from: 0.5, to: 1 }]);
});

test("marks are the steps with exceptions, and the ends", () => {
  const steps = [step(0), step(1, "bets-open", ["voided"]), step(2), step(3, "bets-open", ["voided"]), step(4)];
  expect([mark(steps, 0, 1), mark(steps, 1, 1), mark(steps, 3, 1)]).toEqual([1, 3, 4]);
  expect([mark(steps, 4, -1), mark(steps, 3, -1), mark(steps, 1, -1)]).toEqual([3, 1, 0]);
});
