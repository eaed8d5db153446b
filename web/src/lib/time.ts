// Moments and spans as text.
import { language } from "../i18n/text.svelte";

/** A moment in milliseconds since 1970: the time, and the day if it is not today. */
export function moment(at: number): string {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  return date.toLocaleString(language.locale, today ? time : { dateStyle: "medium", timeStyle: "short" });
}
