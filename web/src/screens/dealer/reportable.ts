// What can be reported as the table stands.
import type { ReportKind } from "../../api/schema";
import type { AtTable } from "./at.svelte";

/** What can be reported now. Where a surplus card lies is said in its hold. */
export function reportable(at: AtTable): ReportKind[] {
  return at.desk?.reports.filter((kind) => kind !== "surplus-on") ?? [];
}
