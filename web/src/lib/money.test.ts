import { describe, expect, it, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});
const { language } = await import("../i18n/text.svelte");
const { limits, money, parsed, short, signed } = await import("./money");

const dong = { currency: "VND", decimals: 0 };
const dollars = { currency: "USD", decimals: 2 };

describe("amounts", () => {
  it("are written as the language writes them", () => {
    expect(money(1_500_000, dong)).toBe("₫1,500,000");
    expect(signed(-2_550, dollars)).toBe("−$25.50");
    language.choose("vi");
    expect(money(1_500_000, dong)).toBe("1.500.000\u00a0₫");
    expect(short(1_500_000, dong)).toBe("1,5M");
    language.choose("en");
  });
  it("are short on a chip", () => {
    expect([500, 25_000, 1_250_000, 2e9].map((amount) => short(amount, dong))).toEqual(["500", "25K", "1.25M", "2B"]);
    expect(short(50, dollars)).toBe("0.5");
  });
  it("never look like more than they are", () => {
    const cut = { 10_025_000: "10.025M", 999_999: "999.999K", 999_999_999: "999.999M", 1_005_000: "1.005M", 1_999_999: "1.999M" };
    for (const [amount, text] of Object.entries(cut)) expect(short(Number(amount), dong)).toBe(text);
    expect([99_999, 100_000, 123_456].map((amount) => short(amount, dollars))).toEqual(["999.99", "1K", "1.234K"]);
  });
  it("are read back, whichever mark stands between the groups", () => {
    for (const text of ["1500000", "1,500,000", "1.500.000", "1 500 000", "1'500'000"]) expect(parsed(text, dong)).toBe(1_500_000);
    expect(parsed("25.5", dollars)).toBe(2_550);
    expect(parsed("25.5", dong)).toBeUndefined();
    for (const text of ["", "-5", "much", "1e5", "."]) expect(parsed(text, dollars)).toBeUndefined();
  });
  it("may be said in thousands, millions and billions", () => {
    const said = { "10K": 10_000, "10k": 10_000, "1.5M": 1_500_000, "1,25m": 1_250_000, "2B": 2e9 };
    for (const [text, amount] of Object.entries(said)) expect(parsed(text, dong)).toBe(amount);
    expect(parsed("1.5K", dollars)).toBe(150_000);
    for (const text of ["K", "1.2345K", "1KM", "1,000K", "1.500M"]) expect(parsed(text, dong)).toBeUndefined();
  });
  it("bound a table", () => {
    expect(limits({ ...dong, minimum: 500_000, maximum: 50_000_000 })).toBe("500K–50M");
    expect(limits({ ...dong, minimum: null, maximum: null })).toBe("0–∞");
  });
});
