import { expect, it } from "vitest";
import { bytesOf, textOf } from "./passkey";

it("goes from bytes to base64url and back", () => {
  for (const bytes of [[], [0], [255, 254], [251, 255, 191], [1, 2, 3, 4]]) {
    const text = textOf(Uint8Array.from(bytes).buffer);
    expect(text).toMatch(/^[\w-]*$/);
    expect([...bytesOf(text)]).toEqual(bytes);
  }
  expect(textOf(Uint8Array.from([251, 255, 191]).buffer)).toBe("-_-_");
});
