import { expect, it } from "vitest";
import type { Felt } from "../../api/schema";
import { cuesOf } from "./cues";

const felt = (phase: string, faces: (string | undefined)[], closed: unknown = null): Felt =>
  ({ round: 1, phase, hands: [], closed, draws: faces.map((up) => ({ face: up === undefined ? "down" : { up } })) }) as unknown as Felt;

it("is heard what happens, and nothing else", () => {
  const closed = felt("bets-closed", []);
  expect(cuesOf(felt("bets-open", []), closed, undefined)).toEqual(["close"]);
  expect(cuesOf(closed, felt("initial-deal", [undefined]), undefined)).toEqual(["card"]);
  expect(cuesOf(felt("dealing", [undefined]), felt("dealing", ["2S"]), undefined)).toEqual(["turn"]);
  const ended = felt("ready", ["2S"], { result: { winner: "banker" } });
  expect(cuesOf(felt("result", ["2S"]), ended, undefined)).toEqual(["banker"]);
  expect(cuesOf(felt("result", ["2S"]), ended, 500)).toEqual(["win"]);
  expect(cuesOf(felt("result", ["2S"]), ended, -500)).toEqual(["lose"]);
  expect(cuesOf(ended, ended, 500)).toEqual([]);
});
