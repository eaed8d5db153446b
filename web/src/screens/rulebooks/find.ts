// Searching clauses as one types: every word must be there, in the id or in the text.

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string;
  found: boolean;
}

/** The words of a search. */
export function wordsOf(search: string): string[] {
  return search.toLowerCase().replaceAll("§", " ").split(/\s+/).filter((word) => word !== "");
}

/** Whether all words are in one of the texts. */
export function holds(words: readonly string[], ...texts: readonly string[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
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
