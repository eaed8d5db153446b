import { describe, expect, it, vi } from "vitest";
import type { Felt } from "../../api/schema";

vi.stubGlobal("localStorage", { getItem: () => "en" });
vi.stubGlobal("navigator", { languages: ["en"] });
const { language } = await import("../../i18n/text.svelte");
const { thirdOf, toldThird } = await import("./thirds");

vi.stubGlobal("localStorage", { setItem: () => undefined });
vi.stubGlobal("document", { documentElement: {} });

/** Cards as `P9S`: the hand, then the card; `P?` is closed. */
function felt(cards: string, player: number | null, banker: number | null, closed: unknown = null): Felt {
  const draws = cards.split(" ").map((card) => ({
    side: card.startsWith("P") ? "player" : "banker",
    misplaced: null,
    stand_in: false,
    face: card.endsWith("?") ? "down" : { up: card.slice(1) },
  }));
  return { round: 1, draws, points: [player, banker], closed, on_hold: null } as unknown as Felt;
}
const told = (before: Felt, now: Felt): string | undefined => {
  const third = thirdOf(before, now);
  return third && toldThird(third);
};
const OVER = { result: {} };
const FOUR = "P2S B3H P3S B2D";

describe("third cards in words", () => {
  it("the Player's", () => {
    expect(told(felt(FOUR, 5, 5), felt(`${FOUR} P?`, null, 5))).toBe("Player has 5 and draws a third card");
  });
  it("the Banker's, on the Player's third card or on none", () => {
    const five = `${FOUR} PKH`;
    expect(told(felt(five, 5, 5), felt(`${five} B4C`, 5, 9))).toBe("Banker 5 draws on a third card of K");
    expect(told(felt("P2S B3H P4S B2D", 6, 5), felt("P2S B3H P4S B2D B?", 6, null))).toBe("Player stands; Banker has 5 and draws");
  });
  it("or that none comes", () => {
    const five = `${FOUR} P3H`;
    expect(told(felt(five, 8, 5), felt(five, 8, 5, OVER))).toBe("Banker 5 stands on a third card of 3");
    expect(told(felt("P2S B3H P4S B4D", 6, 7), felt("P2S B3H P4S B4D", 6, 7, OVER))).toBe("Player stands on 6, Banker on 7");
    expect(told(felt("P4S B3H P4H B4D", 8, 7), felt("P4S B3H P4H B4D", 8, 7, OVER))).toBe("Natural 8: no more cards");
    expect(told(felt("P3S B5H P4H B4D", 7, 9), felt("P3S B5H P4H B4D", 7, 9, OVER))).toBe("Natural 9: no more cards");
  });
  it("nothing where there is nothing to say", () => {
    const six = `${FOUR} P3H B2C`;
    expect(told(felt(six, 8, 7), felt(six, 8, 7, OVER))).toBeUndefined();
    expect(told(felt("P2S", null, null), felt("P2S B3H", null, null))).toBeUndefined();
    expect(told(felt("P? B? P? B?", null, null), felt("P? B? P? B? P?", null, null))).toBeUndefined();
    expect(told(felt(FOUR, 5, 5), felt(FOUR, 5, 5, "void"))).toBeUndefined();
    expect(told(felt(FOUR, 5, 5), { ...felt(`${FOUR} P?`, null, 5), on_hold: "foreign-card" })).toBeUndefined();
  });
  it("in every language", () => {
    const says = (): string | undefined => told(felt(`${FOUR} P3H`, 8, 5), felt(`${FOUR} P3H`, 8, 5, OVER));
    language.choose("vi");
    expect(says()).toBe("Nhà cái 5 điểm dừng khi lá thứ ba của Nhà con là 3");
    language.choose("zh");
    expect(says()).toBe("闲第三张为 3，庄 5 点不补牌");
    language.choose("en");
  });
});
