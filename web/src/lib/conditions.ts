// What a condition asks, test by test.
import type { Condition } from "../api/schema";

/** A condition that is not made of others. */
export type Test = Exclude<Condition, { is: "all-of" | "any-of" | "not" }>;

/** One test, and whether the condition asks for its contrary. */
export interface Asked {
  test: Test;
  isDenied: boolean;
}

/** Every test in a condition, in the order in which they are said. */
export function testsOf(condition: Condition, isDenied = false): Asked[] {
  switch (condition.is) {
    case "all-of":
    case "any-of":
      return condition.of.flatMap((part) => testsOf(part, isDenied));
    case "not":
      return testsOf(condition.of, !isDenied);
    default:
      return [{ test: condition, isDenied }];
  }
}
