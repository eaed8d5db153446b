import { describe, expect, it, vi } from "vitest";
import type { Problem } from "../api/schema";

// The chosen language is kept in the browser; here it is English.
vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
  vi.stubGlobal("navigator", { languages: ["en"] });
});
const { explained } = await import("./problems");
const { language } = await import("./text.svelte");

function problem(code: string, parameters: Record<string, unknown>, detail = "as the server says"): Problem {
  return { type: `urn:croupier:problem:${code}`, title: "", status: 422, code, detail, parameters: parameters as never };
}

describe("what was refused", () => {
  it("is told with its particulars", () => {
    expect(explained(problem("below-minimum", { bet: "tie", minimum: 500_000 }))).toBe(
      "The minimum for “tie” is 500,000.",
    );
    expect(explained(problem("below-minimum", { bet: "tie", minimum: 2_500 }), { currency: "USD", decimals: 2 })).toBe(
      "The minimum for “tie” is $25.00.",
    );
    expect(explained(problem("differential", { side: "banker", over: 1_000 }))).toContain("Banker is 1,000 over");
    expect(explained(problem("not-allowed", { needs: ["auditor", "admin"] }))).toBe("This needs: Auditor / Administrator.");
  });
  it("is told as the server told it where that is as good, or where a particular did not come", () => {
    expect(explained(problem("late", {}, "betting is closed"))).toBe("Betting is closed.");
    expect(explained(problem("rank-too-low", { act: "decide", title: null }, "nobody may"))).toBe("Nobody may.");
    expect(explained(problem("what-is-this", {}, "something new."))).toBe("Something new.");
  });
  it("is told in the chosen language", () => {
    vi.stubGlobal("document", { documentElement: {} });
    language.choose("vi");
    expect(explained(problem("seat-taken", { seat: 4 }))).toBe("Ghế 4 đã có người.");
    expect(explained(problem("burn", { due: 10 }), { currency: "USD", decimals: 2 })).toBe("Phải bỏ 10 lá.");
    language.choose("en");
  });
});
