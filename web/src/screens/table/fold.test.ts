import { describe, expect, it } from "vitest";
import { folded, heldAt } from "./fold";

const moved = (m: readonly number[], x: number, y: number): [number, number] => [
  m[0]! * x + m[2]! * y + m[4]!,
  m[1]! * x + m[3]! * y + m[5]!,
];

describe("a fold", () => {
  it("brings the held corner to where it is pulled", () => {
    const fold = folded(100, 140, { x: 0, y: 140 }, { x: 40, y: 100 })!;
    // The corner at the lower left of the back is the lower right of the face.
    const [x, y] = moved(fold.matrix, 100, 140);
    expect(x).toBeCloseTo(40);
    expect(y).toBeCloseTo(100);
  });
  it("shows half of the card when an end is pulled to the other", () => {
    const fold = folded(100, 140, { x: 50, y: 140 }, { x: 50, y: 0 })!;
    expect(fold.share).toBeCloseTo(0.5);
    expect(Math.min(...fold.lying.map((spot) => spot.y))).toBeCloseTo(0);
    expect(Math.max(...fold.lying.map((spot) => spot.y))).toBeCloseTo(70);
  });
  it("leaves a corner where it is until it is pulled", () => {
    expect(folded(100, 140, { x: 0, y: 0 }, { x: 0, y: 0 })).toBeUndefined();
  });
  it.each([
    [{ x: 50, y: 140 }, { x: 50, y: 160 }],
    [{ x: 0, y: 140 }, { x: -20, y: 160 }],
    [{ x: 50, y: 140 }, { x: 95, y: 140 }],
    [{ x: 100, y: 70 }, { x: 130, y: 10 }],
  ])("shows nothing of a card that is pulled away from itself or along its edge: %j to %j", (held, pulled) =>
    expect(folded(100, 140, held, pulled)).toBeUndefined(),
  );
  it("shows no more than what is pulled inwards, however far beside the card", () => {
    expect(folded(100, 140, { x: 0, y: 140 }, { x: -40, y: 120 })!.share).toBeCloseTo(10 / 140);
    expect(folded(100, 140, { x: 50, y: 140 }, { x: 200, y: 130 })!.share).toBeLessThan(0.15);
  });
  it("is a turn, not a mirror", () => {
    const { matrix: [a, b, c, d] } = folded(100, 140, { x: 100, y: 140 }, { x: 30, y: 60 })!;
    expect(a * d - b * c).toBeCloseTo(1);
  });
});

describe("where a card is held", () => {
  it.each([
    [{ x: 6, y: 130 }, { x: 0, y: 140 }],
    [{ x: 50, y: 120 }, { x: 50, y: 140 }],
    [{ x: 90, y: 70 }, { x: 100, y: 70 }],
  ])("%j", (touched, held) => expect(heldAt(100, 140, touched)).toEqual(held));
});
