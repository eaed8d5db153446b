import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

// Light and shadow are no colours: black and white may stand anywhere, more or less of them.
const COLOUR = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?!-)|\b(?:rgb|hsl|oklch)a?\((?!0 0 0 \/|255 255 255 \/)/gi;

/** The parts of a component in which colours can stand: its styles and what is drawn. */
function drawn(text: string): string {
  return text.replace(/<script[\s\S]*?<\/script>/g, (script) => (/["']#[0-9a-f]{3,8}["']/i.exec(script) ?? [""])[0]);
}

it("colours are named in app.css and nowhere else", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true }).map(String);
  const literal = files
    .filter((name) => name.endsWith(".svelte"))
    .flatMap((name) => {
      const found = drawn(readFileSync(join(import.meta.dirname, name), "utf8")).match(COLOUR) ?? [];
      return found.map((colour) => `${name}: ${colour}`);
    });
  expect(literal).toEqual([]);
});
