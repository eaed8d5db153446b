// Looking back: finished rounds, shoes that are checked in the browser, one's own money and rounds, the wall.
import type { Page } from "@playwright/test";
import type { MyRounds, RoundList, ShoeTold } from "../src/api/schema";
import { OVER } from "../src/lib/shoe.examples";
import { expect, type Floor, test } from "./floor";

/** Waits until a table has a finished round. */
async function finished(floor: Floor, page: Page, table: number): Promise<void> {
  const path = `/api/tables/${table}/rounds`;
  await expect
    .poll(async () => (await floor.ask<RoundList>(page, "GET", path)).rounds.length, { timeout: 40_000 })
    .toBeGreaterThan(0);
}

test("a round shows its cards, its wagers and the clauses they ended by", async ({ enter, floor }) => {
  const page = await enter("nobody");
  await finished(floor, page, 1);
  await page.goto("/tables/1/rounds");
  await page.getByRole("link", { name: "Round 1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Round 1");
  await expect(page.getByRole("img", { name: / of (spades|hearts|diamonds|clubs)$/ }).first()).toBeVisible();
  const clause = page.getByRole("table").getByRole("button", { name: /^§ HB/ }).first();
  await clause.click();
  await expect(clause).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("note").first()).not.toBeEmpty();
  await expect(page.getByRole("link", { name: "Download the round file" })).toHaveCount(0);
});

test("those who may have the round file get it", async ({ enter, floor }) => {
  const page = await enter("auditor");
  await finished(floor, page, 1);
  await page.goto("/tables/1/rounds/1");
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the round file" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe("table-1-round-1.txt");
});

test("a shoe is checked in the browser, and a noted commitment compared", async ({ enter, floor }) => {
  const page = await enter("nobody");
  await finished(floor, page, 2);
  const shoe = await floor.ask<ShoeTold>(page, "GET", "/api/tables/2/shoes/1");
  await page.goto("/tables/2/shoes/1");
  await expect(page.getByRole("heading", { name: /^All \d+ cards fit the commitment$/ })).toBeVisible();
  const noted = page.getByLabel("A commitment that you noted earlier");
  await noted.fill((shoe.commitment ?? "").toUpperCase());
  await expect(page.getByText("The same. The order was not changed since.")).toBeVisible();
  await noted.fill("0".repeat(64));
  await expect(page.getByText("Another commitment.")).toBeVisible();
  await noted.fill("0123");
  await expect(page.getByText("A commitment has 64 digits")).toBeVisible();
});

test("a server that changes a card is found out", async ({ enter, floor }) => {
  const page = await enter("nobody");
  await finished(floor, page, 2);
  await page.route("**/api/tables/2/shoes/1", async (route) => {
    const told = (await (await route.fetch()).json()) as ShoeTold;
    const [first] = told.openings;
    if (first !== undefined) first.card = first.card === "AS" ? "KD" : "AS";
    await route.fulfill({ json: told });
  });
  await page.goto("/tables/2/shoes/1");
  await expect(page.getByRole("heading", { name: "Cards that do not fit the commitment: 1" })).toBeVisible();
  await expect(page.getByText(/does not fit$/)).toHaveCount(1);
});

test("a shoe that is over is shown whole, with whole decks", async ({ enter }) => {
  const page = await enter("nobody");
  // As a server told it once: waiting for the end of a shoe would take minutes.
  await page.route("**/api/tables/7/shoes/1", (route) => route.fulfill({ json: OVER }));
  await page.goto("/tables/7/shoes/1");
  await expect(page.getByRole("heading", { name: "All 52 cards fit the commitment" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Yes" })).toBeVisible();
});

test("cards that software did not shuffle have no commitment to check", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/8/shoes/1");
  await expect(page.getByText("These cards were not shuffled by software")).toBeVisible();
});

test("a player sees the wallet, the chips at tables, and how each wager ended", async ({ enter, floor }) => {
  const page = await enter("player");
  const player = await floor.idOf(page);
  await floor.command(page, 2, { stand: { player, behind: null } });
  await floor.command(page, 2, { "buy-in": { player, amount: 20_000_000, cash: false } });
  const place = { player, bet: 0, amount: 1_000_000, in_chips: true, untimed: false, area: null, reserve: null };
  await expect(async () => {
    await floor.command(page, 2, { place });
  }).toPass({ timeout: 30_000, intervals: [300] });
  await expect
    .poll(async () => (await floor.ask<MyRounds>(page, "GET", "/api/me/rounds")).rounds.length, { timeout: 40_000 })
    .toBeGreaterThan(0);
  await page.goto("/me");
  await expect(page.getByRole("heading", { name: "Wallet", exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Baccarat without commission" }).first()).toBeVisible();
  await page.locator("summary").first().click();
  await expect(page.locator("details[open]").getByRole("rowheader", { name: "Banker" })).toBeVisible();
  await expect(page.locator("details[open]").getByText(/^(Wins|Loses|Stand-off)$/)).toBeVisible();
  await page.getByRole("link", { name: "Look at the round" }).first().click();
  await expect(page.getByText("Mine", { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: "Raise a dispute" }).click();
  await expect(page).toHaveURL(/\/cases\?raise=1&table=2&round=\d+$/);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("staff go off duty and on again", async ({ enter }) => {
  const page = await enter("inspector");
  await page.goto("/me");
  await page.getByRole("button", { name: "Go off duty" }).click();
  await expect(page.getByText("You are off duty")).toBeVisible();
  await page.getByRole("button", { name: "Go on duty" }).click();
  await expect(page.getByText("You are on duty.")).toBeVisible();
});

test("the wall shows the table as it happens, with all five roads and nothing to touch", async ({ enter, floor }) => {
  const page = await enter("nobody", { viewport: { width: 1920, height: 1080 } });
  await finished(floor, page, 1);
  await page.goto("/tables/1/board");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Baccarat");
  for (const road of ["Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"]) {
    await expect(page.getByRole("group", { name: road })).toBeVisible();
  }
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("link")).toHaveCount(0);
  const round = page.locator("header b").last();
  const before = Number(await round.textContent());
  await expect.poll(async () => Number(await round.textContent()), { timeout: 40_000 }).toBeGreaterThan(before);
  const high = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(high, "everything is in sight").toBeLessThanOrEqual(0);
});
