import { expect, test } from "vitest";
import { printOf } from "./print";

const of = (wide: number, deep: number, wanted: Partial<Parameters<typeof printOf>[1]> = {}) =>
  printOf({ wide, deep }, { isMain: true, glyphs: 1, isLaden: false, letters: 6, ...wanted });

test("the character of a main area stands beside its words as soon as there is width for it", () => {
  expect(of(114, 100).shape).toBe("over");
  expect(of(115, 100).shape).toBe("beside");
  expect(of(116, 100).shape).toBe("beside");
});

test("where there is hardly any depth a main area is one line", () => {
  expect(of(130, 83).shape).toBe("flat");
  expect(of(130, 84).shape).toBe("beside");
});

test("a name of several characters stands over the words, where there is depth for it", () => {
  expect(of(200, 103, { glyphs: 2 }).han).toBe(0);
  expect(of(200, 104, { glyphs: 2 }).han).toBeGreaterThan(0);
  expect(of(200, 160, { glyphs: 3 }).han * 3).toBeLessThanOrEqual(200 * 0.8 + 3);
});

test("where a side bet is narrow its chips take the place of what it pays", () => {
  const side = { isMain: false, glyphs: 2 };
  expect(of(149, 60, { ...side, isLaden: true }).isTerse).toBe(true);
  expect(of(150, 60, { ...side, isLaden: true }).isTerse).toBe(false);
  expect(of(90, 60, side)).toMatchObject({ isTerse: false, han: 0 });
});

test("characters, words, chips and the win of a side bet have room beside each other, or the characters go", () => {
  const long = { isMain: false, glyphs: 3, isLaden: true, letters: 19 };
  const widths = Array.from({ length: 55 }, (_, at) => 150 + at * 10);
  const shown = widths.map((wide) => ({ wide, print: of(wide, 90, long) })).filter(({ print }) => print.han > 0);
  expect(shown.length).toBeGreaterThan(0);
  for (const { wide, print } of shown) expect(3 * print.han + 19 * 0.57 * print.name + print.chip + 62).toBeLessThan(wide);
  expect(of(300, 90, long).han).toBe(0);
  expect(of(640, 90, long).han).toBeGreaterThan(0);
  expect(of(300, 90, { ...long, letters: 5 }).han).toBeGreaterThan(0);
});
