import { describe, expect, it, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => "en", setItem: () => undefined });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("location", { pathname: "/", hash: "", origin: "http://floor" });
  vi.stubGlobal("addEventListener", () => undefined);
});
const { inOrder, relief } = await import("./attention");
import type { Item } from "./attention";

const item = (key: string, group: Item["group"], mine: boolean, since?: number): Item => ({
  key, group, mine, since, table: "", what: "", about: [], button: "", to: "",
});

describe("what needs somebody", () => {
  it("is in the order in which it presses", () => {
    const items = [
      item("soon", "soon", true, 1),
      item("money", "money", false, 1),
      item("theirs", "stopped", false, 1),
      item("mine, later", "stopped", true, 9),
      item("mine", "stopped", true, 3),
      item("mine, nobody knows since when", "stopped", true),
      item("my money", "money", true, 5),
    ];
    expect(inOrder(items).map(({ key }) => key)).toEqual([
      "mine", "mine, later", "mine, nobody knows since when", "theirs", "my money", "money", "soon",
    ]);
  });
  it("lists who is to be relieved from five minutes before the time", () => {
    const now = 100 * 60_000;
    const staff = (rank: number, minutes: number | undefined) => ({
      person: 1, name: `${minutes}`, rank, has_pin: true, since: minutes === undefined ? null : now - minutes * 60_000,
    });
    const due = (...people: ReturnType<typeof staff>[]) => relief({ staff: people } as never, 60, now).map(({ over }) => over);
    expect(due(staff(0, 54))).toEqual([]);
    expect(due(staff(0, 55), staff(0, 60), staff(0, 61), staff(0, undefined))).toEqual([-5, 0, 1]);
    // Whoever stands above the Dealer is not bound to the table.
    expect(due(staff(0, 10), staff(3, 300))).toEqual([]);
  });
});
