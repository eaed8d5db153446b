// The odds lab and the designer: exact figures, other cards, downloads, faults by line.
import { readFileSync } from "node:fs";
import { complaints, expect, noViolations, test } from "./floor";

test("a sheet shows the exact odds of every bet", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab?game=hoiana-baccarat%2Fcommission");
  await expect(page.getByText("4,998,398,275,503,360 sequences")).toBeVisible();
  await page.getByRole("button", { name: /^Tie 14\.3596%/ }).click();
  const sheet = page.locator("section", { has: page.getByRole("heading", { name: "Tie", exact: true }) });
  await expect(sheet.getByRole("cell", { name: "475,627,426,473,216", exact: true })).toBeVisible();
  await sheet.getByText("Exact figures").click();
  await expect(sheet.getByText("103841353768/723147898655")).toBeVisible();
});

test("insurance that favours the player is marked", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab?game=hoiana-baccarat%2Fcommission");
  await page.getByRole("tab", { name: "Insurance" }).click();
  const grid = page.getByRole("region", { name: "Banker insured, on four cards" });
  // Banker 6 against Player 5, paid 3 to 1.
  const field = grid.getByRole("button", { name: /-8\.44%/ });
  await expect(field).toContainText("Favours the player");
  await field.click();
  await expect(page.getByRole("heading", { name: /Banker 6, Player 5/ })).toBeVisible();
  await noViolations(page);
});

test("edges by number of decks", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab?game=hoiana-baccarat%2Fcommission&decks=6");
  await expect(page.getByRole("button", { name: /^Tie 14\.4382%/ })).toBeVisible();
  const row = page.getByRole("row", { name: /^Tie/ }).filter({ hasText: "15.746%" });
  await expect(row).toContainText("14.360%");
});

test("cards that are gone change the odds, and the address keeps them", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/lab?game=hoiana-baccarat%2Fcommission");
  await page.getByText("Cards left in the shoe").click();
  await page.getByRole("button", { name: "Take out one A" }).click();
  await expect(page.getByText("415 cards")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("shoe")).toBe("31,32,32,32,32,32,32,32,32,32,32,32,32");
  await page.reload();
  await expect(page.getByText("415 cards")).toBeVisible();
  await page.getByRole("button", { name: "Full decks again" }).click();
  await expect(page.getByText("416 cards")).toBeVisible();
});

test("the sheet can be taken away for a spreadsheet", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab?game=mbs-dragon-tiger");
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toBe("mbs-dragon-tiger-8.csv");
  const text = readFileSync(await file.path(), "utf8");
  expect(text.split("\n")[0]).toMatch(/^game,decks,cards,total,kind,bet,line/);
  expect(text).toContain("mbs-dragon-tiger,8,416,4998398275503360,bet,banker,");
});

test("hands of Niu Niu", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab?game=hoiana-niu-niu");
  await expect(page.getByRole("row", { name: /Ultimate Niu Niu.*768/ })).toBeVisible();
  await expect(page.getByLabel("Decks")).toBeDisabled();
});

test("a bet is priced as it is typed, with the pay for a wanted edge", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/lab/design");
  await page.getByLabel("Bet sheet").fill('[[bet]]\nid = "tie"\npays = [{ when = { winner = "tie" }, odds = "8:1" }]\notherwise = "lose"\n');
  await expect(page.getByRole("row", { name: /8 decks 14\.3596%/ })).toBeVisible();
  await expect(page.getByText("8.983609 : 1")).toBeVisible();
  await expect(page.getByText("At 9:1 the edge is 4.8440%")).toBeVisible();
  await page.getByLabel("Wanted edge").fill("10%");
  await expect(page.getByText(/For an edge of 10\.00%/).first()).toBeVisible();
  await noViolations(page);
});

test("an example does not cost one's own sheet, which can be taken away", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/lab/design");
  const own = '[[bet]]\nid = "mine"\npays = [{ when = { winner = "tie" }, odds = "9:1" }]\notherwise = "lose"\n';
  const editor = page.getByLabel("Bet sheet");
  await editor.fill(own);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the sheet" }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toBe("bets.toml");
  expect(readFileSync(await file.path(), "utf8")).toBe(own);
  await expect(page.getByRole("row", { name: /8 decks 4\.84/ })).toBeVisible();

  await page.getByLabel("Start from").selectOption("niu");
  await expect(editor).toHaveValue(/niu/);
  await page.getByLabel("Start from").selectOption("pairs");
  await expect(editor).toHaveValue(/pair/);
  await page.getByRole("button", { name: "Back to your own sheet" }).click();
  await expect(editor).toHaveValue(own);
  await expect(page.getByRole("button", { name: "Back to your own sheet" })).toHaveCount(0);
  // An example is not kept in its place either.
  await page.getByLabel("Start from").selectOption("tie");
  await expect(page.getByRole("row", { name: /8 decks 14\.3596%/ })).toBeVisible();
  await page.reload();
  await expect(editor).toHaveValue(own);
});

test("faults are shown by line, and a tap goes there", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/lab/design");
  const editor = page.getByLabel("Bet sheet");
  await editor.fill('[[bet]]\nid = "tie"\npays = [{ when = { winer = "tie" }, odds = "8:1" }]\notherwise = "lose"\n');
  await page.getByRole("button", { name: "Line 3, column 20" }).click();
  const place = await editor.evaluate((area) => (area as HTMLTextAreaElement).selectionStart);
  expect((await editor.inputValue()).slice(place)).toMatch(/^winer/);
  await noViolations(page);
  // The browser itself notes an answer of 422.
  expect(complaints.get(page)?.splice(0).every((said) => said.includes("422"))).toBe(true);
});

test("without signing in the designer says so", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab/design");
  await expect(page.getByText("Sign in to price your own bets.")).toBeVisible();
});
