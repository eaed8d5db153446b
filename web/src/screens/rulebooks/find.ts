// Searching clauses and readings as one types: every word must be there, in the id or in the text, as it was typed or in
// another form of the same word: `settled` finds `settles` and `settling`.
import type { RulebookForm } from "../../api/schema";

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string;
  found: boolean;
}

/** The words of a search. */
export function wordsOf(search: string): string[] {
  return search.toLowerCase().replaceAll("§", " ").split(/\s+/).filter((word) => word !== "");
}

/** An English word without its ending; a number or a short word stays as it is. */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const plain = /(?:ies|ied)$/.test(word)
    ? `${word.slice(0, -3)}y`
    : word.replace(/(ss|sh|ch|x|z)es$/, "$1").replace(/([^su])s$/, "$1");
  const bare = plain.replace(/(?:ing|ed)$/, "");
  // `ring` and `red` are no forms of another word.
  const cut = /[aeiouy]/.test(bare) && bare.length >= 3 ? bare : plain;
  return (cut === plain ? cut : cut.replace(/([bdgmnprt])\1$/, "$1")).replace(/e$/, "");
}

const WORD = /[a-z]+/g;
/** Shorter ones are found as they are typed: they may be the beginning of anything. */
const SHORTEST = 4;

/** Whether all words are in one of the texts. */
export function holds(words: readonly string[], ...texts: readonly string[]): boolean {
  const all = texts.join("\n").toLowerCase();
  let stems: Set<string> | undefined;
  return words.every((word) => {
    if (all.includes(word)) return true;
    if (word.length < SHORTEST) return false;
    stems ??= new Set((all.match(WORD) ?? []).map(stem));
    return stems.has(stem(word));
  });
}

/** The clauses that have all words. */
export function clausesWith(book: RulebookForm, words: readonly string[]): RulebookForm["clauses"] {
  return book.clauses.filter((clause) => holds(words, clause.id, clause.full_id, clause.says));
}

/** The readings that have them. */
export function readingsWith(book: RulebookForm, words: readonly string[]): RulebookForm["readings"] {
  return book.readings.filter(({ id, question, reading, why, clauses }) =>
    holds(words, id, question, reading, why, clauses.join(" ")),
  );
}

/** A text in pieces, those that were searched for apart. */
export function pieces(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return [{ text, found: false }];
  const lower = text.toLowerCase();
  // Where lower case has another length, places would not fit.
  if (lower.length !== text.length) return [{ text, found: false }];
  const marked = Array.from({ length: text.length }, () => false);
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      marked.fill(true, at, at + word.length);
    }
  }
  const stems = new Set(words.filter((word) => word.length >= SHORTEST).map(stem));
  for (const found of lower.matchAll(WORD)) {
    if (stems.has(stem(found[0]))) marked.fill(true, found.index, found.index + found[0].length);
  }
  const result: Piece[] = [];
  for (let from = 0; from < text.length; ) {
    const found = marked[from] ?? false;
    let to = from;
    while (to < text.length && marked[to] === found) to += 1;
    result.push({ text: text.slice(from, to), found });
    from = to;
  }
  return result;
}

/** How deep a clause stands: `4.12.2` is two below `4`. */
export function depth(id: string): number {
  return Math.min((id.match(/[./]/g) ?? []).length, 3);
}
