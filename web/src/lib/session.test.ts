import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Currency } from "../api/schema";

const server = vi.hoisted(() => ({ currency: null as Currency | null, asked: 0, sent: [] as unknown[] }));
vi.mock("../api/client", () => ({
  GET: async () => {
    server.asked += 1;
    return { me: null, first_run: false, currency: server.currency };
  },
  POST: async (path: string, { body }: { body: unknown }) => {
    server.sent.push([path, body]);
    return path === "/api/sign-in" ? { half: "h", seconds: 300, app: true, passkey: null } : { id: 7, name: "mai" };
  },
  data: async (answer: unknown) => answer,
}));
const { session } = await import("./session.svelte");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("learns the currency when the first table of the floor opens, and then asks no more", async () => {
  await session.load();
  expect(session.currency).toEqual({ currency: "", decimals: 0 });
  server.currency = { currency: "USD", decimals: 2 };
  await vi.advanceTimersByTimeAsync(5_000);
  expect(session.currency).toEqual(server.currency);
  const { asked } = server;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toBe(asked);
});

it("lets nobody in by the password where a second factor is to be shown", async () => {
  const next = await session.signIn("mai", "seven quiet violins");
  expect(next).toMatchObject({ half: "h", app: true });
  expect(session.me).toBeUndefined();
  await session.second("h", { code: "123456" });
  expect(session.me).toMatchObject({ id: 7 });
  expect(server.sent.at(-1)).toEqual(["/api/sign-in/second", { half: "h", proof: { code: "123456" } }]);
});
