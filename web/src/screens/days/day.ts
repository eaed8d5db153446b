// Days and shares as the server writes them, for people.
import { language } from "../../i18n/text.svelte";
import { percent } from "../../lib/numbers";

/** A day (`YYYY-MM-DD`) in full; what is none stays as it is. */
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

/** The day after another. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** A percentage that came as text (`12.34`); a dash where there is none. */
export function shareOf(percentage: string | null | undefined): string {
  return percentage == null ? "–" : percent(Number(percentage) / 100);
}
