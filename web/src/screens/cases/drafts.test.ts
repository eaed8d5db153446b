import { describe, expect, it, vi } from "vitest";
import { correctionsOf, type Draft, evidenceOf, groundOf, orderOf } from "./drafts";

// Amounts are read here, not shown; the chosen language needs a browser.
vi.mock("../../i18n/text.svelte", () => ({ language: { locale: "en-GB" } }));

const currency = { currency: "USD", decimals: 2 };
const known = { version: "1", attached: [{ surveillance: { reference: "tape 9" } }], currency };
const draft: Draft = {
  words: "so it was",
  person: 7,
  evidence: { kind: "journal", table: 1, round: 2, from: 3, to: 4, reference: "", document: "" },
  due: "2026-01-02T03:04",
  reason: "too busy",
  tellsDue: false,
  grounds: [{ kind: "rules", text: " 7.16 ", evidence: 0 }],
  corrections: [{ player: 5, amount: "12.50", gets: false }],
};

describe("orders of a case", () => {
  it("names the evidence", () => {
    expect(evidenceOf(draft.evidence)).toEqual({ journal: { table: 1, from: 3, to: 4 } });
  });
  it("points to attached evidence, and to nothing that is not there", () => {
    expect(groundOf({ kind: "evidence", text: "", evidence: 0 }, known)).toEqual({ evidence: known.attached[0] });
    expect(groundOf({ kind: "evidence", text: "", evidence: 1 }, known)).toBeUndefined();
  });
  it("counts money in the smallest unit, below zero when the player pays", () => {
    expect(correctionsOf(draft.corrections, currency)).toEqual([{ player: 5, amount: -1250 }]);
    expect(correctionsOf([{ player: 5, amount: "0", gets: true }], currency)).toBeUndefined();
  });
  it("makes orders", () => {
    expect(orderOf("agree", draft, known)).toBe("agree");
    expect(orderOf("tell-due", draft, known)).toEqual({ "tell-due": { due: { "not-told": { reason: "too busy" } } } });
    expect(orderOf("decide", draft, known)).toEqual({
      decide: {
        grounds: [{ rules: { clause: "7.16", version: "1" } }],
        corrections: [{ player: 5, amount: -1250 }],
        reasoning: "so it was",
      },
    });
    // A decision rests on every ground that was named, or is not made.
    const grounds = [...draft.grounds, { kind: "evidence" as const, text: "", evidence: 1 }];
    expect(orderOf("decide", { ...draft, grounds }, known)).toBeUndefined();
    expect(orderOf("assign", { ...draft, person: undefined }, known)).toBeUndefined();
  });
});
