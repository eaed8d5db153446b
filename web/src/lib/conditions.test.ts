import { describe, expect, it } from "vitest";
import type { Condition } from "../api/schema";
import { testsOf } from "./conditions";

const six: Condition = { is: "points", side: "banker", numbers: [6] };
const pair: Condition = { is: "pair", side: "player" };

describe("what a condition asks", () => {
  it("is every test in it, in order", () => {
    const natural: Condition = { is: "natural" };
    expect(testsOf({ is: "all-of", of: [six, { is: "any-of", of: [pair, natural] }] })).toEqual([
      { test: six, isDenied: false },
      { test: pair, isDenied: false },
      { test: natural, isDenied: false },
    ]);
  });
  it("is denied by each `not` around it", () => {
    const not = (of: Condition): Condition => ({ is: "not", of });
    expect(testsOf(not({ is: "all-of", of: [six, not(pair)] }))).toEqual([
      { test: six, isDenied: true },
      { test: pair, isDenied: false },
    ]);
  });
});
