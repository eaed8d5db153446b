// Amounts are whole numbers of the smallest unit; only here do they become text and come back.
import { language } from "../i18n/text.svelte";
import { number } from "./numbers";

/** A currency as a table names it. */
export interface Currency {
  currency: string;
  decimals: number;
}

/** An amount in full: `1,500,000 ₫`. */
export function money(amount: number, { currency, decimals }: Currency): string {
  return formatter(currency, decimals).format(amount / 10 ** decimals);
}

/** A gain or a loss, with its sign. */
export function signed(amount: number, currency: Currency): string {
  return (amount > 0 ? "+" : amount < 0 ? "−" : "") + money(Math.abs(amount), currency);
}

/** An amount for a chip or a narrow place: `1.5M`. What does not fit in is cut off: nothing looks like more than it is. */
export function short(amount: number, { decimals }: Currency): string {
  const unit = 10 ** decimals;
  for (const [size, letter] of [[1e9, "B"], [1e6, "M"], [1e3, "K"]] as const) {
    if (amount >= size * unit) return number(Math.floor(amount / ((size / 1e3) * unit)) / 1e3, 3) + letter;
  }
  return number(amount / unit, decimals);
}

/** The limits of a table: `500K–50M`. */
export function limits(table: Currency & { minimum?: number | null; maximum?: number | null }): string {
  const { minimum, maximum } = table;
  return `${short(minimum ?? 0, table)}–${maximum == null ? "∞" : short(maximum, table)}`;
}

const SIZES: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 };

/** What somebody typed, as an amount, or nothing if it is none. Both `1,500` and `1.500` may mean 1500; before a letter
 * a sign is the point, so that `1.5M` is a million and a half; three digits after it could mean either, and are none. */
export function parsed(text: string, { decimals }: Currency): number | undefined {
  const bare = text.trim().replace(/[\s'’]/g, "");
  const sized = /^(\d+)(?:[.,](\d{1,2}))?([KMB])$/i.exec(bare);
  if (sized !== null) {
    const [, whole = "", part = "", letter = ""] = sized;
    const size = (SIZES[letter.toUpperCase()] ?? 1) * 10 ** decimals;
    const amount = Number(whole) * size + (Number(part.padEnd(3, "0")) * size) / 1e3;
    return Number.isSafeInteger(amount) ? amount : undefined;
  }
  const split = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(bare);
  if (split === null || bare === "") return undefined;
  const [, whole = "", part = ""] = split;
  if (part.length > decimals) return undefined;
  const digits = whole.replace(/[.,]/g, "");
  if (digits === "" || !/^\d+$/.test(digits)) return undefined;
  const amount = Number(digits + part.padEnd(decimals, "0"));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string, decimals: number): Intl.NumberFormat {
  const key = `${language.locale} ${currency} ${decimals}`;
  let made = formatters.get(key);
  if (made === undefined) {
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    try {
      made = new Intl.NumberFormat(language.locale, {
        style: "currency",
        currency,
        currencyDisplay: "narrowSymbol",
        ...options,
      });
    } catch {
      // A house may name a currency that the browser does not know.
      made = new Intl.NumberFormat(language.locale, options);
    }
    formatters.set(key, made);
  }
  return made;
}
