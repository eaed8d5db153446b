import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Currency } from "../api/schema";

const server = vi.hoisted(() => ({ currency: null as Currency | null, asked: 0 }));
vi.mock("../api/client", () => ({
  GET: async () => {
    server.asked += 1;
    return { me: null, first_run: false, currency: server.currency };
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
