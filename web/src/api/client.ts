// Requests to the server, with types generated from its document. What is refused is thrown as a `Refused`.
import createClient from "openapi-fetch";
import type { paths, Problem } from "./schema";

/** What the server did not do, and why. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The server cannot be reached, or does not answer as it should. */
export function unreachable(detail: string): Problem {
  return { type: "about:blank", title: "No connection", status: 0, code: "unreachable", detail };
}

/** No answer is waited for any more: the page was left. Whatever was asked may have been done. */
export const LEFT: Problem = { ...unreachable("the page was left"), code: "left" };

/** Whatever was thrown, as a problem to show. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Refused) return thrown.problem;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  // A request that comes to nothing is a TypeError; anything else is told in its own words.
  return thrown instanceof TypeError ? unreachable(detail) : { ...unreachable(detail), title: "", code: "browser" };
}

const client = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });

export const { GET, POST, PUT, PATCH, DELETE } = client;

/** The data of an answer, or a thrown `Refused`: `const tables = await data(GET("/api/tables"))`. */
export async function data<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (response.ok) return data as NonNullable<T>;
  if (typeof error === "object" && error !== null && "code" in error) throw new Refused(error as Problem);
  throw new Refused(unreachable(`${response.status} ${response.statusText}`));
}

/** A fresh id for a command: whoever sends it again gets the same answer. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
