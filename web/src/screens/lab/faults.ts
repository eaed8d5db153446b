// Faults in a text that the server read: every one with its place.
import type { Problem } from "../../api/schema";

export interface Fault {
  line: number;
  column: number;
  message: string;
}

/** The faults that a problem lists; none if it is another kind of problem. */
export function faultsOf(problem: Problem | undefined): Fault[] {
  const listed = (problem?.parameters as Record<string, unknown> | undefined)?.["faults"];
  return Array.isArray(listed) ? listed.filter(isFault) : [];
}

function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && "line" in value && "column" in value && "message" in value;
}

/** Where a line and a column (in characters, from 1) stand in a text. */
export function placeOf(text: string, { line, column }: Fault): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return Math.min(before + Array.from(lines[line - 1] ?? "").slice(0, column - 1).join("").length, text.length);
}
