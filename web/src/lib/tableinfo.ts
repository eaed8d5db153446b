// What does not change about tables, fetched once each: their bets, their currency.
import { data, GET } from "../api/client";
import type { TableInfo } from "../api/schema";

const asked = new Map<number, Promise<TableInfo>>();

/** What a table is. What changes about it, such as its phase, may be old here. */
export function tableInfo(table: number): Promise<TableInfo> {
  const before = asked.get(table);
  if (before !== undefined) return before;
  const answer = data(GET("/api/tables/{table}", { params: { path: { table } } }));
  answer.catch(() => asked.delete(table));
  asked.set(table, answer);
  return answer;
}
