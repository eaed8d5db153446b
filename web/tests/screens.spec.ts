// Every screen, for those who may see it: it opens, says what it is, and axe finds nothing serious on it.
import type { DemoRole } from "../src/api/schema";
import { expect, noViolations, test } from "./floor";

const SCREENS: readonly [DemoRole | "nobody", string][] = [
  ["nobody", "/"],
  ["nobody", "/sign-in"],
  ["nobody", "/tables/1"],
  ["nobody", "/tables/1/board"],
  ["nobody", "/tables/1/rounds"],
  ["nobody", "/tables/1/shoes/1"],
  ["nobody", "/lab"],
  ["nobody", "/lab/design"],
  ["nobody", "/rulebooks"],
  ["nobody", "/rulebooks/hoiana-baccarat"],
  ["player", "/"],
  ["player", "/me"],
  ["player", "/cases"],
  ["player", "/tables/1"],
  ["player", "/tables/7"],
  ["dealer", "/tables/8/deal"],
  ["pit-manager", "/pit"],
  ["pit-manager", "/tables/1/pit"],
  ["pit-manager", "/cases"],
  ["surveillance", "/tables/1/watch"],
  ["cashier", "/cage"],
  ["auditor", "/audit"],
  ["shift-manager", "/days"],
  ["shift-manager", "/admin"],
  ["admin", "/admin"],
];

for (const [size, viewport] of [
  ["a phone", { width: 360, height: 740 }],
  ["a desk", { width: 1280, height: 800 }],
] as const) {
  for (const [role, path] of SCREENS) {
    test(`${path} as ${role} on ${size}`, async ({ enter }) => {
      const page = await enter(role, { viewport });
      await page.goto(path);
      await expect(page.locator("h1")).toHaveCount(1);
      await expect(page.locator("main")).toHaveCount(1);
      await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
      await noViolations(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, "nothing is wider than the window").toBeLessThanOrEqual(0);
    });
  }
}
