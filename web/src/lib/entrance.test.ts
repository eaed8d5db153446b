import { describe, expect, it } from "vitest";
import { backTo, entranceFrom } from "./entrance";

/** What an entrance with this wish makes of it. */
const asked = (to: string): string | undefined => backTo(`?to=${encodeURIComponent(to)}`);

describe("the way back from the entrance", () => {
  it.each(["/tables/3", "/cases?table=2&round=7", "/rulebooks/hoiana-baccarat#7.8"])("leads to %s", (path) => {
    expect(backTo(entranceFrom(path).replace("/sign-in", ""))).toBe(path);
  });
  it("may be written plainly", () => expect(backTo("?to=/tables/3")).toBe("/tables/3"));
  it("is not asked for from the lobby", () => expect(backTo(entranceFrom("/").replace("/sign-in", ""))).toBeUndefined());
  it.each(["", "tables/3", "//else.where/x", "/\\else.where", "/\t/else.where", "/\n\\else.where", "https://else.where", "javascript:alert(1)"])(
    "never leads to another house: %j",
    (to) => expect(asked(to)).toBeUndefined(),
  );
});
