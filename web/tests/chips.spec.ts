// The chips of a table with two and three people: a fill from the request to the slip, a blind count with over and
// short, and a table that is opened again in a minute.
import type { Page } from "@playwright/test";
import { BACCARAT, keys, openByHand, PIN, press, WITNESS, word } from "./by-hand";
import { complaints, expect, noViolations, test } from "./floor";

const GAME = "hoiana-baccarat/commission";
/** The float of a table opened by hand. */
const FLOAT = 40_000_000_000;

/** Keys in how many there are of each, the highest first, and seals it. */
async function counts(page: Page, pieces: Record<string, number>, label = "Seal the count"): Promise<void> {
  for (const [value, number] of Object.entries(pieces)) {
    await page.getByLabel(`Pieces of ${value}`, { exact: true }).fill(String(number));
  }
  await page.getByRole("button", { name: label }).click();
}

test("a fill goes from the request over the approval to a slip that prints", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/tray`);
  await press(dealer, "Ask for a fill");
  await counts(dealer, { "10M": 20, "1M": 5 }, "Ask for it");
  await expect(dealer.getByText("waits for approval").first()).toBeVisible();
  // Whoever asks does not approve.
  const slip = new URL(dealer.url()).pathname;

  // It waits in the pit's list with what it is worth.
  const manager = await enter("shift-manager");
  await manager.goto("/pit");
  const waiting = manager.getByRole("region", { name: "Waiting for a decision" });
  await expect(waiting).toContainText("Fill of 205M to approve");
  await waiting.getByRole("listitem").filter({ hasText: "205M" }).getByRole("link").click();
  await expect(manager).toHaveURL(new RegExp(`${slip}$`));
  await press(manager, "Approve ₫205,000,000");
  await expect(manager.getByText("waits for the chips").first()).toBeVisible();

  const pit = await enter("pit-manager");
  await pit.goto(slip);
  await pit.getByLabel("Sign-in name").fill("demo-shift-manager");
  await pit.getByLabel("PIN").fill("000000");
  await press(pit, "Hand over ₫205,000,000");
  await expect(pit.getByRole("alert").first()).toBeVisible();
  await expect(pit.getByLabel("PIN")).toHaveValue("");
  // A browser tells of every answer that refuses.
  complaints.get(pit)?.splice(0);
  // A PIN that is set ends the sessions of its person.
  const id = await floor.idOf(manager);
  await manager.goto("about:blank");
  const admin = await enter("admin");
  const given = await admin.request.patch(`${floor.url}/api/people/${id}`, {
    data: { pin: PIN },
    headers: { origin: floor.url },
  });
  expect(given.ok(), await given.text()).toBe(true);
  await pit.getByLabel("PIN").fill(PIN);
  await press(pit, "Hand over ₫205,000,000");
  const sheet = pit.getByRole("region", { name: /^Slip / });
  await expect(sheet).toContainText("handed over");
  await expect(sheet.getByRole("listitem")).toHaveCount(4);
  await noViolations(pit);
  // The printer gets the sheet and nothing that is pressed.
  await pit.emulateMedia({ media: "print" });
  await expect(sheet).toBeVisible();
  await expect(pit.getByRole("button", { name: "Print the slip" })).toBeHidden();
  await pit.emulateMedia({ media: "screen" });
  await pit.goto(`/tables/${table}/pit`);
  await expect(pit.getByRole("region", { name: "Money of the table" })).toContainText("40,205,000,000");
});

test("two people count blind, differ, agree and are short; the table opens so again", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/tray`);
  await press(dealer, "Count and close");
  await noViolations(dealer);
  await counts(dealer, { "500M": 79, "100M": 5 });
  await expect(dealer.getByText("You have counted.")).toBeVisible();
  const count = new URL(dealer.url()).pathname;

  const pit = await enter("pit-manager");
  await pit.goto(count);
  await expect(pit.getByText("hidden", { exact: true }).first()).toBeVisible();
  // Nothing of the first count reaches the second counter, neither on the screen nor in what the server sends.
  const told = await pit.request.get(`${floor.url}/api/tables/${table}/tray`);
  expect(await told.text()).not.toContain("pieces");
  await counts(pit, { "500M": 79, "100M": 4 });
  await expect(pit.getByText("The counts differ on these chips.")).toBeVisible();
  // Only those are counted again, by both.
  await expect(pit.getByLabel("Pieces of 500M")).toHaveCount(0);
  await expect(dealer.getByLabel("Pieces of 100M")).toBeVisible();
  await counts(dealer, { "100M": 4 });
  await expect(dealer.getByText("You have counted.")).toBeVisible();
  await expect(pit.getByText("hidden", { exact: true }).first()).toBeVisible();
  await counts(pit, { "100M": 4 });
  const found = pit.getByRole("region", { name: "Counted" });
  await expect(found).toContainText("Short ₫100,000,000");
  await expect(found.getByRole("button", { name: "Sign and close the table" })).toHaveCount(0);
  await found.getByLabel("Why is it not what the books say?").fill("One chip of 100M is missing; surveillance looks.");
  await press(pit, "Record the reason");
  await noViolations(pit);
  await press(pit, "Sign and close the table");
  await expect(pit.getByRole("region", { name: /^Slip / })).toContainText("₫39,900,000,000");

  const manager = await enter("shift-manager");
  await manager.goto("/pit");
  await press(manager, "Open a table");
  const dialog = manager.getByRole("dialog");
  await expect(dialog.getByRole("listitem").first()).toContainText("Float ₫39,900,000,000");
});

test("from a template to the first card in under ten clicks", async ({ floor, enter }) => {
  const game = await openByHand(floor, enter, GAME, BACCARAT);
  const saving = await enter("shift-manager");
  await saving.goto(`/tables/${game}/pit`);
  await press(saving, "Save as a template");
  await expect(saving.getByText(/^Saved: /)).toBeVisible();

  const manager = await enter("shift-manager");
  const dealer = await enter("dealer");
  let clicks = 0;
  const click = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("button", { name, exact: true }).click();
    clicks += 1;
  };
  await manager.goto("/pit");
  await click(manager, "Open a table");
  const dialog = manager.getByRole("dialog");
  await dialog.getByRole("listitem").filter({ hasText: "saved" }).first().getByRole("button").click();
  clicks += 1;
  await noViolations(manager);
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  const opened = manager.waitForResponse((answer) => answer.url().endsWith("/open"));
  await dialog.getByLabel("PIN").press("Enter");
  const answer = (await (await opened).json()) as { table: { id: number }; absent: number[]; missing: string[] };
  expect(answer).toMatchObject({ absent: [], missing: ["shoe"] });
  const table = answer.table.id;

  // The people and the float are there; what is missing is said to the Dealer and to a player.
  await dealer.goto(`/tables/${table}/deal`);
  await expect(dealer.getByRole("status").filter({ hasText: "needs" })).toContainText("a shoe");
  const guest = await enter("player");
  await guest.goto(`/tables/${table}`);
  await expect(guest.getByRole("status").filter({ hasText: "still needs" })).toContainText("a shoe");

  await click(dealer, "Load the shoe");
  await click(dealer, "Record the shuffle");
  for (const call of ["Cut the cards", "Burn"]) {
    await click(dealer, call);
    const asked = dealer.getByRole("dialog");
    await asked.getByRole("button", { name: call }).press("Enter");
    await expect(asked).toHaveCount(0);
  }
  await click(dealer, "Open betting");
  await click(dealer, "No more bets");
  await keys(dealer, "9s");
  expect(clicks).toBeLessThan(10);
  await expect(dealer.locator(".hands").getByRole("img", { name: "9 of spades" })).toBeVisible();
});

test("a count of chips is kept on every size of screen without scrolling the page", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, [...BACCARAT, word("squeeze", "on")]);
  expect(FLOAT).toBeGreaterThan(0);
  for (const [width, height] of [[1024, 768], [1280, 800], [1920, 1080]] as const) {
    const page = await enter("shift-manager", { viewport: { width, height } });
    await page.goto("/pit");
    await expect(page.getByRole("article").first()).toBeVisible();
    const scrolls = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(scrolls, `${width}`).toBeLessThanOrEqual(0);
    await page.goto(`/tables/${table}/tray`);
    await press(page, "Count the float");
    await expect(page.getByRole("button", { name: "Seal the count" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel("Pieces of 100K")).toBeInViewport({ ratio: 1 });
  }
});
