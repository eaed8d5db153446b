import { describe, expect, it, vi } from "vitest";
import type { BetInfo, Condition, Ended, Payoff } from "../../api/schema";

vi.stubGlobal("localStorage", { getItem: () => "en" });
vi.stubGlobal("navigator", { languages: ["en"] });
const { timesLost, whyOf } = await import("./why");

const win = (odds: string, less?: string): Payoff => ({ is: "win", odds, ...(less === undefined ? {} : { less }) });
const line = (condition: Condition, payoff: Payoff, ...clauses: string[]) => ({ when: "", condition, pays: "", payoff, clauses });
const cards = (number: number): Condition => ({ is: "cards", side: "banker", numbers: [number] });
const LUCKY: BetInfo = {
  bet: 5, id: "lucky-6", names: {}, clause: [],
  pays: [
    line(cards(2), win("12:1"), "HB 6.2.1"),
    line(cards(3), win("20:1"), "HB 6.2.2"),
    line({ is: "otherwise" }, { is: "lose" }, "HB 6.2.3"),
  ],
};
const won = (winnings: number, commission = 0): Ended => ({
  end: "win", winnings, commission, collected: 0, in_action: 1_000, returned: 1_000,
});

describe("why a wager won", () => {
  it("is the line that paid it", () => {
    expect(whyOf(LUCKY, won(12_000), ["HB 6.2.1"])?.payoff).toEqual(win("12:1"));
    expect(whyOf(LUCKY, won(20_000), ["HB 6.2.2"])?.payoff).toEqual(win("20:1"));
  });
  it("counts what was kept as commission", () => {
    const banker = { ...LUCKY, pays: [line(cards(2), win("1:1", "1/20"))] };
    expect(whyOf(banker, won(950, 50), [])?.condition).toEqual(cards(2));
  });
  it("names no condition where several lines would fit", () => {
    const even = {
      ...LUCKY,
      pays: [2, 3].map((number) => line(cards(number), win("1:1"), "5.1", `5.1/${number}`)),
    };
    expect(whyOf(even, won(1_000), ["NN 5.1"])).toEqual({ condition: undefined, payoff: win("1:1") });
    expect(whyOf(even, won(1_000), ["NN 5.1", "NN 5.1/3"])).toEqual({ condition: cards(3), payoff: win("1:1") });
  });
  it("is not made up where no line fits, or nothing was won", () => {
    expect(whyOf(LUCKY, won(7_000), [])).toBeUndefined();
    expect(whyOf(LUCKY, { ...won(0), end: "lose" }, ["HB 6.2.3"])).toBeUndefined();
    expect(whyOf(undefined, won(12_000), [])).toBeUndefined();
  });
});

it("tells a loss of more than the stake by how many times it was", () => {
  const lost = (collected: number) => timesLost({ stake: 500, ended: { ...won(0), end: "lose", collected } });
  expect([lost(0), lost(500), lost(1_000), lost(1_500)]).toEqual([undefined, undefined, 2, 3]);
});
