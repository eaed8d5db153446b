// What rulebooks say, fetched once each: clauses are named by their place in them.
import { data, GET } from "../api/client";
import type { Basis, RulebookForm } from "../api/schema";

const books = $state<Record<string, RulebookForm>>({});
const asked = new Map<string, Promise<RulebookForm>>();

/** A rulebook; it is fetched when it is first asked for. */
export function fetchRulebook(id: string): Promise<RulebookForm> {
  const before = asked.get(id);
  if (before !== undefined) return before;
  const answer = data(GET("/api/rulebooks/{rulebook}", { params: { path: { rulebook: id } } }));
  const fetched = answer.then((book) => {
    books[id] = book;
    return book;
  });
  fetched.catch(() => asked.delete(id));
  asked.set(id, fetched);
  return fetched;
}

/** Another version was added: the next who asks gets that. */
export function forgetRulebook(id: string): void {
  asked.delete(id);
}

/** A rulebook if it is here; fetch it first. */
export function rulebook(id: string): RulebookForm | undefined {
  return books[id];
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
