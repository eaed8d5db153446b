import { describe, expect, it } from "vitest";
import type { OpeningTold, ShoeTold } from "../api/schema";
import { checked, isCommitment, isSame } from "./shoe";
import { BEGUN, OVER } from "./shoe.examples";

/** The shoe with one of its openings changed. */
function tampered(shoe: ShoeTold, at: number, change: Partial<OpeningTold>): ShoeTold {
  const openings = shoe.openings.map((opening, index) => (index === at ? { ...opening, ...change } : opening));
  return { ...shoe, openings };
}

describe("the test vector of the layout", () => {
  const shoe: ShoeTold = {
    table: 1,
    shoe: 1,
    cards: 3,
    above: 0,
    is_over: true,
    commitment: "a8c5510a49b50479f686a33c584d9354498025f54a8184d3bceb3288222eea2c",
    openings: [
      { position: 0, card: "AS", salt: "01".repeat(32) },
      { position: 1, card: "8H", salt: "02".repeat(32) },
      { position: 2, card: "KD", salt: "03".repeat(32) },
    ],
  };

  it("fits as a whole", async () => {
    expect((await checked(shoe)).fitting).toBe(3);
  });

  it("fits by the path of the last card, which has no neighbour at first", async () => {
    const path = ["5824e631822fc6fe3d107db6d2cf372222fefe765c2248a266484552219d00dd"];
    const one = { ...shoe, openings: [{ position: 2, card: "KD", salt: "03".repeat(32), path }] };
    expect((await checked(one)).cards).toEqual([{ card: "KD", position: 2, drawn: 3, fits: true }]);
  });
});

describe("a shoe in play", () => {
  it("takes nothing that is no card for the one before it in the deck", async () => {
    const ranks = "A23456789TJQK";
    const at = BEGUN.openings.findIndex(({ card }) => card[1] === "D" && card[0] !== "K");
    const next = ranks[ranks.indexOf(BEGUN.openings[at]?.card[0] ?? "") + 1];
    const { fitting } = await checked(BEGUN);
    expect((await checked(tampered(BEGUN, at, { card: `${next}X` }))).fitting).toBe(fitting - 1);
  });

  it("fits card by card, in the order of drawing from the cut on", async () => {
    const { cards, fitting, isWhole, isWholeDecks } = await checked(BEGUN);
    expect(fitting).toBe(BEGUN.openings.length);
    // The first card was burned and nobody saw it.
    expect(cards.map((card) => card.drawn)).toEqual([2, 3, 4]);
    expect([isWhole, isWholeDecks]).toEqual([false, undefined]);
  });

  it.each<[string, Partial<OpeningTold>]>([
    ["another card", { card: "KS" }],
    ["another place", { position: 7 }],
    ["a place outside the shoe", { position: 416 }],
    ["another salt", { salt: "00".repeat(32) }],
    ["a path that is too short", { path: BEGUN.openings[1]?.path?.slice(1) ?? [] }],
    ["a path that is too long", { path: [...(BEGUN.openings[1]?.path ?? []), "00".repeat(32)] }],
  ])("finds %s", async (_, change) => {
    const { cards } = await checked(tampered(BEGUN, 1, change));
    expect(cards.filter((card) => !card.fits)).toHaveLength(1);
  });

  it("finds a place that is none, though its bytes are those of one", async () => {
    expect((await checked(tampered(BEGUN, 0, { position: 89.5 }))).fitting).toBe(BEGUN.openings.length - 1);
  });

  it("finds a card that is told twice", async () => {
    const { cards, fitting } = await checked({ ...BEGUN, openings: [...BEGUN.openings, ...BEGUN.openings.slice(0, 1)] });
    expect(fitting).toBe(BEGUN.openings.length);
    expect(cards.map((card) => card.fits)).toEqual([true, false, true, true]);
  });

  it("is not whole because one card is told as often as there are cards", async () => {
    const openings = Array.from({ length: BEGUN.cards }, () => BEGUN.openings.slice(0, 1)).flat();
    const { fitting, isWhole } = await checked({ ...BEGUN, openings });
    expect([fitting, isWhole]).toEqual([1, false]);
  });

  it("fits no other commitment and no other number of cards", async () => {
    expect((await checked({ ...BEGUN, commitment: OVER.commitment ?? "" })).fitting).toBe(0);
    expect((await checked({ ...BEGUN, cards: 415 })).fitting).toBe(0);
    expect((await checked({ ...BEGUN, commitment: null })).fitting).toBe(0);
  });
});

describe("a shoe that is over", () => {
  it("fits as a whole and has whole decks", async () => {
    const { fitting, isWhole, isWholeDecks } = await checked(OVER);
    expect([fitting, isWhole, isWholeDecks]).toEqual([52, true, true]);
  });

  it("does not fit when two cards changed places", async () => {
    const [first, second] = [OVER.openings[0]?.card ?? "", OVER.openings[1]?.card ?? ""];
    const swapped = tampered(tampered(OVER, 0, { card: second }), 1, { card: first });
    const { fitting, isWholeDecks } = await checked(swapped);
    expect([fitting, isWholeDecks]).toEqual([0, true]);
  });

  it("does not fit when a card is missing, and finds decks that are not whole", async () => {
    expect((await checked({ ...OVER, openings: OVER.openings.slice(1) })).fitting).toBe(0);
    const twice = tampered(OVER, 0, { card: OVER.openings[1]?.card ?? "" });
    expect((await checked(twice)).isWholeDecks).toBe(false);
  });
});

it("compares commitments however they were written down", () => {
  const root = BEGUN.commitment ?? "";
  expect(isSame(root, ` ${root.toUpperCase().replace(/(.{8})/g, "$1 ")}\n`)).toBe(true);
  expect(isSame(root, root.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))).toBe(false);
  expect([isCommitment(root), isCommitment(root.slice(1)), isCommitment("g".repeat(64))]).toEqual([true, false, false]);
});
