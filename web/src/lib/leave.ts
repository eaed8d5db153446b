// What a browser forgets when somebody signs out: everything that was kept for them, but not how it speaks and sounds.

const PREFERENCES = ["croupier.language", "croupier.sound"];

type Kept = readonly (readonly [string, string | null])[];

/** The preferences as they are. The server's answer to signing out makes browsers forget them too. */
export function preferences(): Kept {
  return PREFERENCES.map((key) => [key, stored()?.getItem(key) ?? null]);
}

/** Forgets what was kept in this browser, but for the preferences. */
export function forget(preferences: Kept): void {
  try {
    globalThis.sessionStorage?.clear();
    stored()?.clear();
    for (const [key, value] of preferences) if (value !== null) stored()?.setItem(key, value);
  } catch {
    // A closed store keeps nothing.
  }
}

function stored(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
