// Grants as people read them.
import type { Grant } from "../../api/schema";
import { grants } from "../../i18n/terms";
import { t } from "../../i18n/text.svelte";

export type StaffGrant = Extract<Grant, { staff: unknown }>;
export type PlainGrant = Exclude<Grant, object>;

export const PLAIN: readonly PlainGrant[] = ["player", "floor-manager", "cashier", "surveillance", "auditor", "admin"];

export function isStaff(grant: Grant): grant is StaffGrant {
  return typeof grant === "object";
}

/** The grants in few words: plain ones by name, ranks once each. */
export function inShort(all: readonly Grant[]): string[] {
  const plain = all.flatMap((grant) => (isStaff(grant) ? [] : [t(grants[grant])]));
  const ranks = all.filter(isStaff).map(({ staff }) => staff.acting ?? staff.rank);
  return [...plain, ...new Set(ranks.map((rank) => rank.replaceAll("-", " ")))];
}
