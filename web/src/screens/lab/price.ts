// Bets that stand in no rulebook yet, priced by the server.
import { data, POST } from "../../api/client";
import type { ParBet } from "./sheet";

/** The pay of one line that gives a wanted edge, and the nearest whole odds with theirs; or why there is none. */
export type Solved =
  | {
      line: number;
      when: string;
      wanted_edge: string;
      pays: string;
      pays_exact: string;
      whole: { odds: string; edge: string; edge_exact: string }[];
    }
  | { error: string };

export interface Priced extends ParBet {
  decks: number;
  total: string;
  solved?: Solved;
}

export interface Asked {
  /** Such as `6,8`; what is usual for the family if empty. */
  decks: string;
  /** Such as `5%`; nothing is solved if empty. */
  edge: string;
  /** The line to solve, from 1; the first that wins if not said. */
  line: number | undefined;
}

export async function price(text: string, { decks, edge, line }: Asked, signal: AbortSignal): Promise<Priced[]> {
  const query = {
    ...(decks === "" ? {} : { decks }),
    ...(edge === "" ? {} : { edge }),
    ...(edge === "" || line === undefined ? {} : { line }),
  };
  const answer = await data(
    POST("/api/games/design", {
      params: { query },
      body: text,
      bodySerializer: (body) => body,
      headers: { "content-type": "text/plain" },
      signal,
    }),
  );
  return answer as unknown as Priced[];
}
