// What rulebooks say, each version fetched once: views name clauses by their place in the version of the table.
import { data, GET } from "../api/client";
import type { Basis, RulebookForm } from "../api/schema";

/** A rulebook by its id, which means the newest version; or that of a table, which keeps the one it was opened with. */
export type Book = string | { rulebook: string; rulebook_hash: string };

const books = $state<Record<string, RulebookForm>>({});
const asked = new Map<string, Promise<RulebookForm>>();

/** The id of a rulebook, whatever the version. */
export const bookId = (book: Book): string => (typeof book === "string" ? book : book.rulebook);

const versionOf = (book: Book): string => (typeof book === "string" ? book : book.rulebook_hash);

/** A rulebook; it is fetched when it is first asked for. */
export function fetchRulebook(book: Book): Promise<RulebookForm> {
  const version = versionOf(book);
  const before = asked.get(version);
  if (before !== undefined) return before;
  const query = typeof book === "string" ? {} : { hash: book.rulebook_hash };
  const answer = data(GET("/api/rulebooks/{rulebook}", { params: { path: { rulebook: bookId(book) }, query } }));
  const fetched = answer.then((form) => {
    books[version] = form;
    return form;
  });
  fetched.catch(() => asked.delete(version));
  asked.set(version, fetched);
  return fetched;
}

/** Another version was added: the next who asks for the newest gets that. */
export function forgetRulebook(id: string): void {
  asked.delete(id);
}

/** A rulebook if it is here; fetch it first. */
export function rulebook(book: Book): RulebookForm | undefined {
  return books[versionOf(book)];
}

/** A clause, or a reading of one, for people. */
export interface Cited {
  id: string;
  says: string;
}

/** What a citation in a view stands for. */
export function cited(book: RulebookForm | undefined, basis: Basis): Cited | undefined {
  if (book === undefined) return undefined;
  if ("clause" in basis) {
    const clause = book.clauses[basis.clause];
    return clause && { id: clause.full_id, says: clause.says };
  }
  const reading = book.readings[basis.reading];
  return reading && { id: reading.id, says: reading.reading };
}
