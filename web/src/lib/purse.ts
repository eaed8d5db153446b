// What a player has: the wallet, and the chips that lie at tables.
import { data, GET } from "../api/client";
import type { Wallet } from "../api/schema";
import { session } from "./session.svelte";

/** The wallet of the player that is signed in; nothing for anybody else. */
export async function fetchPurse(): Promise<Wallet | undefined> {
  const player = session.isPlayer ? session.me?.id : undefined;
  return player === undefined ? undefined : data(GET("/api/players/{player}/wallet", { params: { path: { player } } }));
}

/** One's chips by the ids of the tables, wagers included. */
export async function fetchChips(): Promise<Readonly<Record<string, number>>> {
  return (await fetchPurse())?.chips ?? {};
}
