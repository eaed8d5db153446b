import { describe, expect, it } from "vitest";
import { faultsOf, placeOf } from "./faults";

const fault = (line: number, column: number): { line: number; column: number; message: string } => ({
  line, column, message: "",
});

describe("faults", () => {
  it("places count characters, not units of UTF-16", () => {
    expect(placeOf("ab\ncd", fault(2, 2))).toBe(4);
    expect(placeOf("🂡b", fault(1, 2))).toBe(2);
    expect(placeOf("ab", fault(9, 9))).toBe(2);
  });
  it("only a list of faults is one", () => {
    const problem = { type: "", title: "", status: 422, code: "faults", detail: "" };
    expect(faultsOf({ ...problem, parameters: { faults: [fault(1, 1)] } } as never)).toHaveLength(1);
    expect(faultsOf(problem)).toEqual([]);
    expect(faultsOf(undefined)).toEqual([]);
  });
});
