// Exceptions in words.
import type { By, Exception, TableSummary } from "../../api/schema";
import { irregularities, remedies } from "../../i18n/terms";
import { t } from "../../i18n/text.svelte";
import { kinds, watch } from "../../i18n/watch";
import { type Currency, short } from "../../lib/money";

export type Names = Record<string, string>;

/** Whoever acted. */
export function byWhom(by: By | null | undefined, names: Names): string {
  if (by == null) return t(watch.engine);
  if (by === "device") return t(watch.byDevice);
  if (by === "system") return t(watch.bySystem);
  if (by === "surveillance") return t(watch.bySurveillance);
  if (by === "display") return t(watch.byDisplay);
  const id = "player" in by ? by.player : "staff" in by ? by.staff.person : by.person;
  return nameOf(id, names);
}

export function nameOf(id: number, names: Names): string {
  return names[id] ?? `#${id}`;
}

/** What it was, in a few words. */
export function titleOf(one: Exception): string {
  if (one.kind === "irregular" && one.irregularity != null) return t(irregularities[one.irregularity]);
  if (one.kind === "ruled" && one.remedy != null) return `${t(kinds.ruled)}: ${t(remedies[one.remedy])}`;
  return t(kinds[one.kind]);
}

/** More of it: cards, codes, what was told. */
export function detailOf(one: Exception): string {
  const parts: string[] = [];
  if (one.card != null) {
    parts.push(t(watch.wasNow, { before: one.card_before ?? "?", now: one.card }));
  }
  if (one.code != null) parts.push(one.code);
  if (one.told !== "") parts.push(one.told);
  return parts.join(" · ");
}

/** The amount of a line: what it is about, else what lay on the layout. */
export function amountOf(one: Exception, currency: Currency): string {
  const amount = one.amount ?? (one.at_stake > 0 ? one.at_stake : undefined);
  if (amount === undefined) return "";
  return (amount < 0 ? "−" : "") + short(Math.abs(amount), currency);
}

/** How a table is called in a narrow place. */
export function tableName(table: number | null | undefined, tables: readonly TableSummary[]): string {
  if (table == null) return "";
  return tables.find((one) => one.id === table)?.name ?? `#${table}`;
}

/** A time of the day, to the second. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}
