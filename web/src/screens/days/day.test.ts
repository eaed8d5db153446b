import { describe, expect, it, vi } from "vitest";
import { dayAfter, dayName } from "./day";

// The chosen language needs a browser.
vi.mock("../../i18n/text.svelte", () => ({ language: { locale: "en-GB" } }));

describe("gaming days", () => {
  it.each([
    ["2026-11-16", "2026-11-17"],
    ["2026-12-31", "2027-01-01"],
    ["2028-02-28", "2028-02-29"],
    // Clocks change this night in many places.
    ["2026-10-25", "2026-10-26"],
  ])("the day after %s is %s", (day, next) => {
    expect(dayAfter(day)).toBe(next);
  });
  it("names a day in full, and leaves what is none", () => {
    expect(dayName("2026-11-16")).toMatch(/^Monday,? 16 November 2026$/);
    expect(dayName("today")).toBe("today");
  });
});
