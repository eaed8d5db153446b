// What a browser keeps for its user: for good, or as long as the tab is open. Nothing depends on it: where it is refused or
// spoilt, nothing was kept.

type Where = "local" | "session";

const storage = (where: Where): Storage | undefined => (where === "local" ? globalThis.localStorage : globalThis.sessionStorage);

export function kept<T>(where: Where, key: string): T | undefined {
  try {
    const text = storage(where)?.getItem(key);
    return text == null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function keep(where: Where, key: string, value: unknown): void {
  try {
    storage(where)?.setItem(key, JSON.stringify(value));
  } catch {
    // A full or closed store: it is kept until the page goes.
  }
}
