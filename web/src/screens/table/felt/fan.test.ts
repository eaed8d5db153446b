import { describe, expect, it } from "vitest";
import { fan, polygon } from "./fan";

const ROWS = [{ height: 0.6, widths: [1, 1, 1] }, { height: 1, widths: [1.35, 1, 1.35] }];

describe("a fan of areas", () => {
  for (const [width, height] of [[900, 360], [330, 300], [620, 150]] as const) {
    it(`lies within ${width} × ${height}, symmetrical and without overlap`, () => {
      const sectors = fan(ROWS, { width, height, gap: 6 });
      expect(sectors.map((row) => row.length)).toEqual([3, 3]);
      for (const { left, top, width: wide, height: high } of sectors.flat()) {
        expect(left).toBeGreaterThanOrEqual(-0.5);
        expect(top).toBeGreaterThanOrEqual(-0.5);
        expect(left + wide).toBeLessThanOrEqual(width + 0.5);
        expect(top + high).toBeLessThanOrEqual(height + 0.5);
      }
      for (const row of sectors) {
        const [first, middle, last] = row;
        expect(first?.middle.x).toBeCloseTo(width - (last?.middle.x ?? 0), 3);
        expect(first?.middle.y).toBeCloseTo(last?.middle.y ?? 0, 3);
        expect(middle?.turn).toBeCloseTo(0, 6);
        expect((first?.turn ?? 0) > 0 && (last?.turn ?? 0) < 0).toBe(true);
        expect((first?.left ?? 0) + (first?.width ?? 0)).toBeLessThan((last?.left ?? 0));
      }
      const [upper, lower] = sectors;
      expect(upper?.[1]?.middle.y).toBeLessThan(lower?.[1]?.middle.y ?? 0);
    });
  }
  it("is cut out where it lies", () => {
    expect(polygon([{ x: 10, y: 20 }, { x: 30, y: 20 }, { x: 30, y: 45 }], 10, 20)).toBe("polygon(0.0px 0.0px,20.0px 0.0px,20.0px 25.0px)");
  });
});
