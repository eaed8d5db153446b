import { describe, expect, it } from "vitest";
import { merged } from "./merge";

describe("merge patches", () => {
  // The examples in the appendix of RFC 7396, with null for what is gone.
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, { a: null }],
    [{ a: "b", b: "c" }, { a: null }, { a: null, b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d", c: null } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [["a", "b"], ["c", "d"], ["c", "d"]],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b", c: null }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: { ccc: null } } }],
  ])("%j with %j", (value, patch, expected) => {
    expect(merged(value, patch)).toEqual(expected);
  });

  it("leaves what did not change as it was", () => {
    const before = { same: { deep: 1 }, other: { deep: 2 } };
    const after = merged(before, { other: { deep: 3 } }) as typeof before;
    expect(after.same).toBe(before.same);
    expect(before.other.deep).toBe(2);
  });
});
