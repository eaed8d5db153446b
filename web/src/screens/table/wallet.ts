// What chips may be bought for, as the server says.
import { data, GET } from "../../api/client";
import type { BuyInOffer, TableInfo } from "../../api/schema";

/** What is in the wallet and what it buys at a table. */
export function fetchBuyIn(table: number): Promise<BuyInOffer> {
  return data(GET("/api/tables/{table}/buy-in", { params: { path: { table } } }));
}

/** Handy sums to buy in for: so many times the smallest wager. */
export function buyInSums(info: TableInfo): number[] {
  const unit = info.summary.minimum ?? info.chip;
  return [10, 20, 50, 100].map((times) => unit * times);
}
