// The wallet that chips are bought from.
import { data, GET } from "../../api/client";
import type { Bounds, TableInfo } from "../../api/schema";

/** What is in the wallet; nothing if the server did not say. */
export async function fetchWallet(player: number | undefined): Promise<number | undefined> {
  if (player === undefined) return undefined;
  try {
    return (await data(GET("/api/players/{player}/wallet", { params: { path: { player } } }))).balance;
  } catch {
    return undefined;
  }
}

/** Handy sums to buy in for: so many times the smallest wager. */
export function buyInSums(info: TableInfo): number[] {
  const unit = info.summary.minimum ?? info.chip;
  return [10, 20, 50, 100].map((times) => unit * times);
}

/** Bounds that the wallet can pay; nothing if it cannot. */
export function capped({ from, to, step }: Bounds, balance: number | undefined): Bounds | undefined {
  const most = balance === undefined ? to : Math.min(to, Math.floor(balance / step) * step);
  return most < from ? undefined : { from, to: most, step };
}
