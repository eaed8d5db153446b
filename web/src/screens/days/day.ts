// Days as the server writes them, `YYYY-MM-DD`.
import { language } from "../../i18n/text.svelte";

/** A day in full; what is none stays as it is. */
export function dayName(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  return new Date(`${day}T00:00:00`).toLocaleDateString(language.locale, { dateStyle: "full" });
}

/** Today, by the clock of this machine. */
export function today(): string {
  const now = new Date();
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
