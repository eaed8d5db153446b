import { describe, expect, it } from "vitest";
import { when } from "./conditions";

describe("when a line pays", () => {
  it.each([
    ["otherwise", [{ is: "otherwise" }]],
    [
      "Banker wins, Banker on 6, Banker 3 cards",
      [
        { is: "wins", who: "banker" },
        { is: "points", who: "banker", numbers: "6" },
        { is: "cards", who: "banker", numbers: "3" },
      ],
    ],
    ["tie, natural", [{ is: "tie" }, { is: "natural" }]],
    ["Player wins, 4 cards", [{ is: "wins", who: "player" }, { is: "all-cards", numbers: "4" }]],
    ["Player wins, by 4–9", [{ is: "wins", who: "player" }, { is: "margin", numbers: "4–9" }]],
    ["Banker on 2, 4", [{ is: "points", who: "banker", numbers: "2, 4" }]],
    ["no Player pair", [{ is: "no-pair", who: "player" }]],
    ["something new", [{ is: "words", words: "something new" }]],
  ])("%s", (text, parts) => {
    expect(when(text)).toEqual({ parts });
  });

  it("a list of hands is one part, and a Reserve stands apart", () => {
    expect(when("otherwise; Reserve: Dealer wins, Dealer has niu-7, niu-niu, hoiana-niu-niu")).toEqual({
      parts: [{ is: "otherwise" }],
      reserve: [
        { is: "wins", who: "dealer" },
        { is: "hand", who: "dealer", hands: ["niu-7", "niu-niu", "hoiana-niu-niu"] },
      ],
    });
  });
});
