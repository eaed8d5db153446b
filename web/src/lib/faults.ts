// Faults in a text that the server read: every one with its place.
import type { Problem, TextFault } from "../api/schema";

/** The faults that a problem lists; none if it is another kind of problem. */
export function faultsOf(problem: Problem | undefined): TextFault[] {
  return problem?.parameters?.faults ?? [];
}

/** Where a line and a column (in characters, from 1) stand in a text. */
export function placeOf(text: string, { line, column }: TextFault): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return Math.min(before + Array.from(lines[line - 1] ?? "").slice(0, column - 1).join("").length, text.length);
}
