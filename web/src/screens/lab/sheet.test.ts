import { beforeEach, describe, expect, it, vi } from "vitest";
import { fetchSheet, forgetSheets } from "./sheet";

const { ask } = vi.hoisted(() => ({ ask: vi.fn() }));
vi.mock("../../api/client", () => ({ GET: ask, data: (answer: Promise<unknown>) => answer }));

describe("sheets", () => {
  beforeEach(() => {
    forgetSheets();
    ask.mockReset().mockImplementation(() => Promise.resolve({}));
  });
  it("are fetched once for the same cards", async () => {
    const first = await fetchSheet("book/game", { decks: 8 });
    expect(await fetchSheet("book/game", { decks: 8 })).toBe(first);
    await fetchSheet("book/game", { decks: 6 });
    expect(ask).toHaveBeenCalledTimes(2);
  });
  it("are fetched again after a rulebook was added, and after a failure", async () => {
    await fetchSheet("book/game");
    forgetSheets();
    ask.mockRejectedValueOnce(new TypeError("lost"));
    await expect(fetchSheet("book/game")).rejects.toThrow("lost");
    await fetchSheet("book/game");
    expect(ask).toHaveBeenCalledTimes(3);
  });
});
