import { describe, expect, it } from "vitest";
import type { ParBet, ParSheet } from "../../api/schema";
import { counts, csv, grouped, percent, ratio, result, spread } from "./figures";

const line = (net: string, chance: string, name = "x"): ParBet["lines"][number] => ({
  line: name, condition: { is: "otherwise" }, pays: "1:1", net, ways: "1", chance,
});
const bet = (lines: ParBet["lines"]): ParBet => ({
  bet: "tie", name: "Tie", lines, edge: "0.14359628778723827736", edge_exact: "103841353768/723147898655",
  hit_frequency: "0.09515", variance: "6.97", standard_deviation: "2.64", favours_player: false,
});

describe("figures", () => {
  it("percentages are rounded, not cut", () => {
    expect(percent("0.14359628778723827736", "en-GB")).toBe("14.3596%");
    expect(percent("-0.0843966817", "en-GB", 2)).toBe("-8.44%");
    expect(percent("0.0105790578", "vi-VN", 2)).toBe("1,06%");
  });
  it("counts keep every digit", () => {
    expect(grouped("4998398275503360", "en-GB")).toBe("4,998,398,275,503,360");
    expect(grouped("90071992547409931234", "en-GB")).toBe("90,071,992,547,409,931,234");
  });
  it("results have signs", () => {
    expect(["8/1", "-1/1", "0/1", "19/20"].map(result)).toEqual(["+8", "−1", "0", "+0.95"]);
    expect(ratio("-3/2")).toBe(-1.5);
  });
  it("lines with the same result are one bar", () => {
    const bars = spread(bet([line("8/1", "0.1"), line("-1/1", "0.5"), line("-1/1", "0.4")]));
    expect(bars).toEqual([{ net: "-1/1", chance: 0.9 }, { net: "8/1", chance: 0.1 }]);
  });
  it("thirteen counts or none", () => {
    expect(counts("4,4,4,4,4,4,4,4,4,4,4,4,0")).toHaveLength(13);
    expect(counts("4,4")).toBeUndefined();
    expect(counts("4,4,4,4,4,4,4,4,4,4,4,4,41")).toBeUndefined();
    expect(counts("4,4,4,4,4,4,4,4,4,4,4,4,x")).toBeUndefined();
  });
  it("cells with commas are quoted, and every row has all columns", () => {
    const sheet: ParSheet = {
      game: "g", decks: 8, cards: 416, shoe: "", without: [], total: "9", notes: [], insurance_lines: [],
      bets: [bet([line("8/1", "0.1", "Banker wins, natural")])],
      insurance: [{
        side: "banker", stage: "four-cards", banker_points: 6, player_points: 5, pays: "3:1", win: "1", push: "2",
        lose: "3", chance: "0.1", edge: "-0.1", edge_exact: "-1/10", favours_player: true,
      }],
      categories: [{ category: "niu-9", hands: "171288" }],
    };
    const rows = csv(sheet).trimEnd().split("\n");
    expect(rows[1]).toContain('"Banker wins, natural"');
    const columns = rows.map((row) => row.replace(/"[^"]*"/g, "x").split(",").length);
    expect(new Set(columns)).toEqual(new Set([22]));
  });
});
