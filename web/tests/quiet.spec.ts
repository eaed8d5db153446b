// Every table with its bots, watched for a while by somebody who plays: the fixture fails on any error of the console.
// CROUPIER_MINUTES makes it longer than the few seconds that it takes among the others.
import { expect, test } from "./floor";

const MINUTES = Number(process.env["CROUPIER_MINUTES"] ?? 0);

test("no errors while the tables run", async ({ enter, floor }) => {
  test.setTimeout(120_000 + MINUTES * 70_000);
  const page = await enter("player");
  const tables = await floor.ask<{ id: number }[]>(page, "GET", "/api/tables");
  const until = Date.now() + MINUTES * 60_000;
  do {
    for (const { id } of tables) {
      await page.goto(`/tables/${id}`);
      await expect(page.locator("[data-felt]")).toBeVisible();
      await page.waitForTimeout(4_000);
    }
    await page.goto("/");
    await expect(page.locator("main article")).toHaveCount(tables.length);
  } while (Date.now() < until);
});
