// How a betting area is printed: what stands beside what, and how large, from the room of its sector.
import type { Sector } from "./fan";

export interface Print {
  /** `beside`: characters left, the rest right; `stacked`: one under the other; `over`: chips on the character;
      `flat`: one line; `terse`: the name over the chips. */
  shape: "beside" | "stacked" | "over" | "flat" | "terse";
  /** How high the characters are; none where there is no room for them. */
  han: number;
  chip: number;
  name: number;
  pays: number;
  /** Only the name is told. */
  isTerse: boolean;
  /** There is room for what was paid beside the stake. */
  hasRoom: boolean;
  /** There is room for what the others have there. */
  hasOthers: boolean;
}

interface Wanted {
  isMain: boolean;
  /** Characters of the large name. */
  glyphs: number;
  isLaden: boolean;
  /** How long the name is, in Latin letters. */
  letters: number;
}

const within = (least: number, size: number, most: number): number => Math.round(Math.min(Math.max(size, least), most));

/** How wide a letter is beside its height. */
const LETTER = 0.57;

/** Less than this, and a main area has no place for chips under its words. */
const SHALLOW = 84;

export function printOf({ wide, deep }: Pick<Sector, "wide" | "deep">, { isMain, glyphs, isLaden, letters }: Wanted): Print {
  const share = wide / deep;
  if (isMain) {
    const one = { isTerse: false, hasOthers: true, hasRoom: deep > 92, chip: within(24, Math.min(wide * 0.25, deep * 0.34), 84) };
    const words = { name: within(13, Math.min(wide * 0.1, deep * 0.17), 34), pays: within(11.5, Math.min(wide * 0.075, deep * 0.125), 22) };
    if (glyphs > 1) {
      const small = { name: within(10.5, wide * 0.135, words.name), pays: within(10.5, wide * 0.125, words.pays) };
      return { ...one, ...small, shape: "stacked", han: deep < 104 ? 0 : within(18, Math.min(deep * 0.22, (wide * 0.8) / glyphs), 72) };
    }
    // Hardly any depth, as on a phone that lies on its side: all in one line.
    if (deep < SHALLOW) {
      const han = glyphs * within(22, Math.min(deep * 0.72, wide * 0.3), 60);
      return { ...one, ...words, hasOthers: !isLaden && deep >= 52, shape: "flat", han, chip: within(20, deep * 0.44, 34) };
    }
    if (share >= 1.15) return { ...one, ...words, shape: "beside", han: glyphs * within(28, Math.min(deep * 0.66, wide * 0.4), 190) };
    return { ...one, ...words, hasOthers: deep > (isLaden ? 150 : 118), shape: "over", han: glyphs * within(26, Math.min(wide * 0.5, deep * 0.44), 120) };
  }
  const words = { name: within(11, Math.min(wide * 0.1, deep * 0.24), 25), pays: within(11, Math.min(wide * 0.085, deep * 0.19), 19) };
  const chip = within(20, Math.min(wide * 0.18, deep * 0.46), 56);
  if (isLaden && wide < 150) {
    return { ...words, shape: "terse", han: 0, chip: within(18, deep * 0.38, 30), isTerse: true, hasRoom: false, hasOthers: false, name: within(10.5, wide * 0.1, 13) };
  }
  return flat(wide, deep, glyphs, isLaden, letters, words, chip);
}

/** A side bet in one line: characters if they fit, the name on one line if it can be, and the rest as far as it fits. */
function flat(
  wide: number, deep: number, glyphs: number, isLaden: boolean, letters: number, words: { name: number; pays: number }, chip: number,
): Print {
  const beside = isLaden ? chip + 62 : 0;
  const largest = wide < 130 ? 0 : within(15, Math.min(deep * 0.42, (wide * 0.34) / Math.max(glyphs, 1)), 60);
  const left = (han: number): number => wide - 24 - beside - han * glyphs;
  const isOneLine = (han: number, name: number): boolean => letters * LETTER * name <= left(han);
  // Rather a smaller name than no characters, within reason.
  const han = isOneLine(largest, words.name * 0.82) ? largest : 0;
  const name = isOneLine(han, words.name) ? words.name : within(10.5, left(han) / (letters * LETTER), words.name);
  const lines = isOneLine(han, name) ? 1 : 2;
  const hasOthers = lines * name * 1.15 + words.pays * 2.3 + 8 <= deep;
  const hasRoom = left(han) - letters * LETTER * name > chip + 8;
  return { name, pays: words.pays, shape: "flat", han, chip, isTerse: false, hasRoom, hasOthers };
}
