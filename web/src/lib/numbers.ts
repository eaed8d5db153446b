// Plain numbers as text, written as the chosen language writes them.
import { language } from "../i18n/text.svelte";

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language.locale + JSON.stringify(options);
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.NumberFormat(language.locale, options);
    formats.set(key, made);
  }
  return made;
}

/** A number in groups of three, with so many digits after the point at the most. */
export function number(value: number, digits = 0): string {
  return format({ maximumFractionDigits: digits }).format(value);
}

/** A share as a percentage: 0.0106 is `1.06%`. */
export function percent(share: number, digits = 2): string {
  return format({ style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);
}
