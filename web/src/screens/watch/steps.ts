// A round's steps on a line of time.
import type { Phase, RoundStep } from "../../api/schema";

/** What kind of time a phase is: betting, dealing, the result, something on hold. */
export type Span = "bets" | "cards" | "result" | "hold" | "between";

const SPANS: Partial<Record<Phase, Span>> = {
  "bets-open": "bets",
  reopened: "bets",
  "differential-hold": "bets",
  result: "result",
  "on-hold": "hold",
  "option-window": "hold",
  sorting: "hold",
  ready: "between",
  "shoe-loaded": "between",
  "shoe-end": "between",
  "shoe-option": "between",
  "shoe-decision": "between",
  "free-hand": "between",
  "table-closed": "between",
};

export function spanOf(phase: Phase): Span {
  return SPANS[phase] ?? "cards";
}

/** A part of the line: from where to where, in parts of one, and what it was. */
export interface Part {
  span: Span;
  from: number;
  to: number;
}

/** Where each step lies between 0 and 1. Steps keep some room beside each other, so that each can be seen: half of the
 * place goes by time, the other half is shared. */
export function places(steps: readonly Pick<RoundStep, "at">[]): number[] {
  const [first, last] = [steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0];
  const time = last - first;
  const shares = Math.max(1, steps.length - 1);
  return steps.map(({ at }, place) => (time > 0 ? ((at - first) / time + place / shares) / 2 : place / shares));
}

/** The spans of the line: what follows a step lasts until the next. */
export function parts(steps: readonly Pick<RoundStep, "at" | "phase">[]): Part[] {
  const at = places(steps);
  const found: Part[] = [];
  for (const [place, step] of steps.entries()) {
    const [from, to] = [at[place] ?? 0, at[place + 1] ?? 1];
    const span = spanOf(step.phase);
    const before = found.at(-1);
    if (before?.span === span) before.to = to;
    else if (to > from) found.push({ span, from, to });
  }
  return found;
}

/** The next step with an exception, in a direction; the end of the round if there is none. */
export function mark(steps: readonly Pick<RoundStep, "exceptions">[], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < steps.length; at += by) {
    if ((steps[at]?.exceptions.length ?? 0) > 0) return at;
  }
  return by > 0 ? Math.max(0, steps.length - 1) : 0;
}
