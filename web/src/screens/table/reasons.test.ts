import { describe, expect, it, vi } from "vitest";
import type { BetInfo, Condition, Ended, InsuranceShown, Payoff, WagerShown } from "../../api/schema";
import examples from "../../lib/conditions.examples.json";

vi.stubGlobal("localStorage", { getItem: () => "en" });
vi.stubGlobal("navigator", { languages: ["en"] });
const { insuranceReason, reasonOf } = await import("./reasons");

const VND = { currency: "VND", decimals: 0 };
/** A line by its English words; the values are those of the rulebooks. */
const line = (when: string, pays: string) => ({
  when,
  condition: (examples.conditions as Record<string, Condition>)[when] ?? { is: "otherwise" as const },
  pays,
  payoff: (examples.payoffs as Record<string, Payoff>)[pays] ?? { is: "lose" as const },
  clauses: [when],
});
const bet = (id: string, name: string, ...pays: ReturnType<typeof line>[]): BetInfo => ({
  bet: 0, id, names: { en: name }, clause: [], pays: [...pays, line("otherwise", "lose")],
});
const card = (side: "player" | "banker", up: string) => ({ side, misplaced: null, stand_in: false, face: { up } });
/** Player 9 on 4♠ 5♥, Banker 6 on 2♦ 2♣ 2♥. */
const ROUND = {
  closed: {
    result: { winner: "player", player_points: 9, banker_points: 6, player_cards: 2, banker_cards: 3, player_pair: false, banker_pair: true },
  },
  draws: [card("player", "4S"), card("banker", "2D"), card("player", "5H"), card("banker", "2C"), card("banker", "2H")],
  hands: [],
} as Parameters<typeof reasonOf>[2];
const ended = (end: Ended["end"], winnings = 0, collected = 0): Ended => ({
  end, winnings, collected, commission: 0, in_action: 1_000, returned: 0,
});
const reason = (of: BetInfo, end: Ended, round = ROUND, stake = 1_000) =>
  reasonOf(of, { ended: end, stake, reserve: 0, area: 2 } as WagerShown, round, of.pays.map(({ when }) => when), VND);

const BANKER = bet("banker", "Banker", line("Banker wins", "1:1 less 5%"), line("tie", "push"));
const LUCKY = bet("lucky-6", "Lucky 6", line("Banker wins, Banker on 6, Banker 2 cards", "12:1"), line("Banker wins, Banker on 6, Banker 3 cards", "20:1"));
const PAIR = bet("player-pair", "Player Pair", line("Player pair", "11:1"));
const BONUS = bet("dragon-bonus-player", "Dragon Bonus", line("Player wins, natural", "1:1"), line("Player wins, by 9", "30:1"));
const TIGER = bet("dragon-tiger", "Dragon Tiger", line("Player wins, Player on 7, Banker on 6, 6 cards", "100:1"));
const SUPER = bet("super-niu", "Super Niu", line("box wins, box has niu-3", "3:1 less 5%"));

const PERFECT = bet("perfect", "Perfect Pairs", line("Player perfect pair or Banker perfect pair", "25:1"));
const EIGHTS = bet("eights", "Eights", line("2 × 8", "3:1"));

describe("the line under a wager", () => {
  it("says the result under a main bet", () => {
    expect(reason(BANKER, ended("lose", 0, 1_000))).toBe("Player wins 9 to 6: Banker loses");
    const tie = { ...ROUND, closed: { result: { winner: "tie", player_points: 6, banker_points: 6 } } } as typeof ROUND;
    expect(reason(BANKER, ended("stand-off"), tie)).toBe("Tie 6 to 6: Banker is a stand-off");
    expect(reason(bet("player", "Player", line("Player wins", "1:1")), ended("win", 1_000))).toBe("Player wins 9 to 6: Player pays 1:1");
  });
  it("says how those things came that a side bet speaks of", () => {
    const lost = ended("lose", 0, 1_000);
    expect(reason(LUCKY, lost)).toBe("Player wins, Banker on 6, Banker 3 cards: Lucky 6 loses");
    expect(reason(PAIR, lost)).toBe("no Player pair, 4♠ 5♥: Player Pair loses");
    expect(reason(BONUS, lost)).toBe("Player wins, by 3: Dragon Bonus loses");
    expect(reason(TIGER, lost)).toBe("Player wins, Player on 9, Banker on 6, 5 cards: Dragon Tiger loses");
  });
  it("shows the cards that a bet on cards asks for", () => {
    const lost = ended("lose", 0, 1_000);
    expect(reason(PERFECT, lost)).toBe("no Player perfect pair, 4♠ 5♥, no Banker perfect pair, 2♦ 2♣: Perfect Pairs loses");
    expect(reason(EIGHTS, lost)).toBe("Player 4♠ 5♥, Banker 2♦ 2♣ 2♥: Eights loses");
  });
  it("says the line that paid", () => {
    expect(reason(LUCKY, ended("win", 20_000))).toBe("Banker wins with 6 on three cards: Lucky 6 pays 20:1");
  });
  it("says which hand beat which in Niu Niu", () => {
    const hands = [{ holder: "box2", set_as: "niu-3" }, { holder: "dealer", set_as: "niu-1" }] as unknown as (typeof ROUND)["hands"];
    const bare = { ...SUPER, pays: SUPER.pays.map((pay) => ({ ...pay, condition: { is: "box", winner: "player", hand: ["niu-3"] } as Condition })) };
    expect(reason(bare, ended("win", 3_000), { ...ROUND, closed: "played", hands })).toBe("Niu 3 beats the Dealer's Niu 1: Super Niu pays 3:1 less 5%");
  });
  it("says both hands of Niu Niu, and how often a stake was lost", () => {
    const hands = [{ holder: "box2", set_as: "niu-3" }, { holder: "dealer", set_as: "niu-8" }];
    const round = { closed: "played", draws: [], hands } as unknown as typeof ROUND;
    expect(reason(SUPER, ended("lose", 0, 1_000), round)).toBe("Dealer wins, box has Niu 3, Dealer has Niu 8: Super Niu loses");
    expect(reason(SUPER, ended("lose", 0, 3_000), round)).toMatch(/^Dealer wins, box has Niu 3, Dealer has Niu 8. Super Niu: lost 3 times/);
  });
  it("says that a stake went back", () => {
    expect(reason(BANKER, ended("returned"), { ...ROUND, closed: "void" })).toBe("Round void: all wagers go back");
    expect(reason(BANKER, ended("returned"))).toBe("Banker: Returned");
  });
  it("tells of insurance too", () => {
    const insured = (end: Ended) => insuranceReason({ side: "banker", ended: end } as InsuranceShown, ROUND);
    expect(insured(ended("win", 3_000))).toBe("Player wins 9 to 6: Insurance on Banker pays 3:1");
    expect(insured(ended("lose", 0, 1_000))).toBe("Player wins 9 to 6: Insurance on Banker loses");
  });
});
