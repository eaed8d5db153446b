// What somebody types as a second factor: six digits of an app, or a recovery code.
import type { FactorProof } from "../api/schema";

/** What was typed: digits are a code of the app, anything else is a recovery code. */
export function proofOf(typed: string): FactorProof {
  const text = typed.trim();
  return /^[\d\s]*$/.test(text) ? { code: text } : { recovery: text };
}

/** A key in groups of four, as people read it aloud. */
export function grouped(key: string): string {
  return key.match(/.{1,4}/g)?.join(" ") ?? "";
}
