// Bets that stand in no rulebook yet, priced by the server.
import { data, POST } from "../../api/client";
import type { DesignedBet } from "../../api/schema";

export interface Asked {
  /** Such as `6,8`; what is usual for the family if empty. */
  decks: string;
  /** Such as `5%`; nothing is solved if empty. */
  edge: string;
  /** The line to solve, from 1; the first that wins if not said. */
  line: number | undefined;
}

export async function price(text: string, { decks, edge, line }: Asked, signal: AbortSignal): Promise<DesignedBet[]> {
  const query = {
    ...(decks === "" ? {} : { decks }),
    ...(edge === "" ? {} : { edge }),
    ...(edge === "" || line === undefined ? {} : { line }),
  };
  return data(
    POST("/api/games/design", {
      params: { query },
      body: text,
      bodySerializer: (body) => body,
      headers: { "content-type": "text/plain" },
      signal,
    }),
  );
}
