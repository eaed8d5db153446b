// Rulebooks: the shelf, searching clauses, addresses of clauses, adding one with faults.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { complaints, expect, noViolations, test } from "./floor";

test("the shelf lists all rulebooks and leads to them", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks");
  const all = ["hoiana-baccarat", "hoiana-dragon-tiger", "hoiana-niu-niu", "horseshoe-dragon-bonus", "mbs-dragon-tiger"];
  for (const id of all) await expect(page.locator(`a.button[href="/rulebooks/${id}"]`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a rulebook" })).toHaveCount(0);
  await page.getByRole("link", { name: "MBS Dragon Tiger Baccarat", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "MBS Dragon Tiger Baccarat" })).toBeVisible();
});

test("clauses are searched by number and by words", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat");
  const search = page.getByRole("searchbox");
  await search.fill("4.16/3");
  await expect(page.getByRole("status").filter({ hasText: "1 of" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "unless the Player drew an 8" })).toBeVisible();
  await search.fill("player NATURAL");
  await expect(page.locator("mark").first()).toBeVisible();
  for (const text of await page.getByRole("tabpanel").getByRole("listitem").allInnerTexts()) {
    expect(text.toLowerCase()).toMatch(/natural/);
  }
  await search.fill("zzz");
  await expect(page.getByText("No clause or reading has these words.")).toBeVisible();
  await noViolations(page);
});

test("a search finds clauses and readings together, in any form of a word and from any part", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat");
  await page.getByRole("tab", { name: /Settings/ }).click();
  await page.getByRole("searchbox").fill("burned");
  await expect(page.getByRole("heading", { level: 2, name: "Clauses" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Readings" })).toBeVisible();
  const marked = await page.locator("mark").allInnerTexts();
  expect(marked.map((word) => word.toLowerCase())).toContain("burn");
  await page.getByRole("tab", { name: /Bets/ }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.getByText("1:1 less 5%")).toBeVisible();
});

test("an address leads to its clause", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat#HB%204.16");
  const clause = page.locator(".named");
  await expect(clause).toContainText("4.16");
  await expect(clause).toBeInViewport();
});

test("an address leads to its reading", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat#HB-Q28");
  await expect(page.getByRole("tab", { name: /Readings/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".named")).toBeInViewport();
});

test("bets have pays and clauses, settings their bounds", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat");
  await page.getByRole("tab", { name: "Bets" }).click();
  await expect(page.getByText("1:1 less 5%")).toBeVisible();
  await page.getByRole("button", { name: "Non-commission" }).click();
  await expect(page.getByText("1:1 less 5%")).toHaveCount(0);
  await page.getByRole("button", { name: "§ 4.5" }).first().click();
  await page.getByRole("note").getByRole("link").click();
  await expect(page.locator(".named")).toContainText("4.5");
  await page.getByRole("tab", { name: /Settings/ }).click();
  await expect(page.getByRole("row", { name: /decks.*1 to 10.*8/ })).toBeVisible();
  await page.getByRole("tab", { name: /Ranks/ }).click();
  await expect(page.getByText("Shift Manager", { exact: true })).toBeVisible();
  await noViolations(page);
});

test("an administrator adds a rulebook; faults are shown by line", async ({ enter }) => {
  const page = await enter("admin");
  // The shelf that did not come is no reason not to add one.
  await page.route("**/api/rulebooks", (route) => route.abort(), { times: 1 });
  await page.goto("/rulebooks");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  complaints.get(page)?.splice(0);
  await page.getByRole("button", { name: "Add a rulebook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Text of the rulebook").fill('id = "x"\nfamily = "chess"\n');
  await dialog.getByRole("button", { name: "Add a rulebook" }).click();
  await expect(dialog.getByRole("button", { name: /^Line 2/ }).first()).toBeVisible();
  expect(complaints.get(page)?.splice(0).every((said) => said.includes("422"))).toBe(true);

  // The same rules under another id.
  const text = readFileSync(join(import.meta.dirname, "../../rulebooks/mbs-dragon-tiger.toml"), "utf8");
  const other = text
    .replace(/^id = .*$/m, 'id = "bay-dragon-tiger"')
    .replace(/^abbreviation = .*$/m, 'abbreviation = "BAY"')
    .replace(/^name = .*$/m, 'name = { en = "Bay Baccarat", vi = "Baccarat Vịnh", zh = "海湾百家乐" }');
  await dialog.getByLabel("File").setInputFiles({ name: "bay.toml", mimeType: "text/plain", buffer: Buffer.from(other) });
  await dialog.getByRole("button", { name: "Add a rulebook" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Bay Baccarat", exact: true })).toBeVisible();
});
