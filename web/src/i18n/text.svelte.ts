// Words in three languages, side by side, and the one that is chosen.

/** The same words in English, Vietnamese and simplified Chinese. */
export type Words = readonly [en: string, vi: string, zh: string];

export const LANGUAGES = [
  { code: "en", name: "English", locale: "en-GB" },
  { code: "vi", name: "Tiếng Việt", locale: "vi-VN" },
  { code: "zh", name: "中文", locale: "zh-CN" },
] as const;

export type Language = (typeof LANGUAGES)[number]["code"];

const KEPT = "croupier.language";

function first(): Language {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages.map((language) => language.slice(0, 2))];
  // What was chosen comes first, then what the browser prefers, in its order.
  const known = wanted.map((wish) => LANGUAGES.find((language) => language.code === wish)?.code);
  return known.find((code) => code !== undefined) ?? "en";
}

let current = $state<Language>(first());

export const language = {
  get code(): Language {
    return current;
  },
  get locale(): string {
    return LANGUAGES[index()].locale;
  },
  choose(code: Language): void {
    current = code;
    localStorage.setItem(KEPT, code);
    document.documentElement.lang = code;
  },
};

function index(): 0 | 1 | 2 {
  return current === "en" ? 0 : current === "vi" ? 1 : 2;
}

/** The words in the chosen language, with `{name}` replaced by its value, and `{name|card|cards}` by the first of the
 * two for one and by the second for any other number. */
export function t(words: Words, values?: Record<string, string | number>): string {
  const text = words[index()];
  if (values === undefined) return text;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    if (one === undefined) return String(values[name] ?? whole);
    return (Number(values[name]) === 1 ? one : many) ?? whole;
  });
}

/** A name that the server gave in several languages. */
export function named(names: Record<string, string>): string {
  return names[current] ?? names["en"] ?? Object.values(names)[0] ?? "";
}

/** A set of words; the type keeps the keys. */
export function words<K extends string>(set: Record<K, Words>): Record<K, Words> {
  return set;
}
