import { describe, expect, it, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});
const { language, t } = await import("./text.svelte");

const left = ["{n} {n|card|cards} left of {all}", "còn {n} / {all} lá", "剩 {n}/{all} 张"] as const;

describe("words", () => {
  it("have their values and the form that fits the number", () => {
    expect(t(left, { n: 1, all: 52 })).toBe("1 card left of 52");
    expect(t(left, { n: 0, all: 52 })).toBe("0 cards left of 52");
    expect(t(left, { n: 2, all: 52 })).toBe("2 cards left of 52");
  });
  it("keep the place of a value that did not come", () => {
    expect(t(left, { n: 2 })).toBe("2 cards left of {all}");
  });
  it("follow the chosen language", () => {
    language.choose("zh");
    expect(t(left, { n: 1, all: 52 })).toBe("剩 1/52 张");
    language.choose("en");
  });
});
