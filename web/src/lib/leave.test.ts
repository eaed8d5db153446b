import { expect, it, vi } from "vitest";
import { forget, preferences } from "./leave";

it("forgets what was kept for somebody, and keeps language and sound", () => {
  const store = new Map([["croupier.language", "vi"], ["croupier.design", "a sheet"], ["croupier.bets", "[]"]]);
  const session = new Map([["back", "/cage"]]);
  const storage = (of: Map<string, string>): object => ({
    getItem: (key: string) => of.get(key) ?? null,
    setItem: (key: string, value: string) => void of.set(key, value),
    clear: () => of.clear(),
  });
  vi.stubGlobal("localStorage", storage(store));
  vi.stubGlobal("sessionStorage", storage(session));
  const kept = preferences();
  // As a browser does by itself that understands `Clear-Site-Data`.
  store.clear();
  forget(kept);
  expect([...store]).toEqual([["croupier.language", "vi"]]);
  expect(session.size).toBe(0);
});
