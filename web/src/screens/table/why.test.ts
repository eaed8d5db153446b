import { describe, expect, it } from "vitest";
import type { BetInfo, Ended } from "../../api/schema";
import { timesLost, whyOf } from "./why";

const LUCKY: BetInfo = {
  bet: 5, id: "lucky-6", names: {}, clause: [],
  pays: [
    { when: "banker wins with 6, banker has 2 cards", pays: "12:1", clauses: ["HB 6.2.1"] },
    { when: "banker wins with 6, banker has 3 cards", pays: "20:1", clauses: ["HB 6.2.2"] },
    { when: "otherwise", pays: "lose", clauses: ["HB 6.2.3"] },
  ],
};
const won = (winnings: number, commission = 0): Ended => ({
  end: "win", winnings, commission, collected: 0, in_action: 1_000, returned: 1_000,
});

describe("why a wager won", () => {
  it("is the line that paid it", () => {
    expect(whyOf(LUCKY, won(12_000), ["HB 6.2.1"])?.pays).toBe("12:1");
    expect(whyOf(LUCKY, won(20_000), ["HB 6.2.2"])?.pays).toBe("20:1");
  });
  it("counts what was kept as commission", () => {
    const banker = { ...LUCKY, pays: [{ when: "banker wins", pays: "1:1 less 5%", clauses: [] }] };
    expect(whyOf(banker, won(950, 50), [])?.when).toBe("banker wins");
  });
  it("names no condition where several lines would fit", () => {
    const even = {
      ...LUCKY,
      pays: ["a", "b"].map((hand) => ({ when: `box has ${hand}`, pays: "1:1", clauses: ["5.1", `5.1/${hand}`] })),
    };
    expect(whyOf(even, won(1_000), ["NN 5.1"])).toEqual({ when: undefined, pays: "1:1" });
    expect(whyOf(even, won(1_000), ["NN 5.1", "NN 5.1/b"])).toEqual({ when: "box has b", pays: "1:1" });
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
