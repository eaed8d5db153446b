// What people at a table are called.
import { t } from "../../../i18n/text.svelte";
import { table } from "../../../i18n/table";

/** The name of a player; a number if nobody told it. */
export function nameOf(player: number, names: Readonly<Record<string, string>>): string {
  return names[String(player)] ?? t(table.somebody, { n: player });
}
