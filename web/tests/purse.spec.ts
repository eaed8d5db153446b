// What a player lays and takes back: never another amount than the chip, steps undone as they were done, and nobody
// leaves chips behind without being told.
import { expect, test } from "./floor";
import { area, BACCARAT, balance, dealtByHand, draw, laid, openBets, sitDown } from "./player";

const GAME = "hoiana-baccarat/commission";
const chip = (page: Parameters<typeof area>[0], amount: RegExp) => page.getByRole("radio", { name: amount });

test("a chip lays its own amount or nothing: where another is wanted the table asks", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  // A hundred thousand is below the minimum.
  await chip(page, / ₫100,000$/).focus();
  await page.keyboard.press("Space");
  await area(page, "Banker").click();
  const asks = page.getByRole("alertdialog");
  await expect(asks).toContainText("Banker: the least here is ₫500,000.");
  await expect(laid(page, "Banker")).toHaveCount(0);
  await asks.getByRole("button", { name: "No" }).click();
  await expect(asks).toHaveCount(0);
  await area(page, "Banker").click();
  await asks.getByRole("button", { name: "Place ₫500,000" }).click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("600K");
  // With 50 million on the felt nothing larger can be chosen, by tap, key or drag.
  await expect(chip(page, / ₫100,000,000$/)).toBeDisabled();
  await chip(page, / ₫50,000,000$/).waitFor();
  await expect(chip(page, / ₫50,000,000$/)).toBeDisabled();
  const large = await page.locator(".rack .chip").nth(5).boundingBox();
  const target = await area(page, "Tie").boundingBox();
  if (large === null || target === null) throw new Error("no chip to drag");
  await page.mouse.move(large.x + 20, large.y + 20);
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + 40, { steps: 6 });
  await page.mouse.up();
  await page.mouse.click(large.x + 20, large.y + 20);
  await area(page, "Tie").click();
  await asks.getByRole("button", { name: "No" }).click();
  await expect(laid(page, "Tie")).toHaveCount(0);
});

test("Double and Rebet are undone as one step, and Rebet comes back after Clear", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const lie = async (banker: string, tie: string): Promise<void> => {
    await expect(laid(page, "Banker")).toHaveText(banker);
    await expect(laid(page, "Tie")).toHaveText(tie);
  };
  await area(page, "Banker").click();
  await area(page, "Tie").click();
  await lie("500K", "500K");
  await press("Double");
  await lie("1M", "1M");
  await press("Undo");
  await lie("500K", "500K");
  await give("close-bets");
  for (const card of ["3S", "4H", "4D", "4C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "banker" });
  await give("settle");
  await give("open-bets");
  await press("Rebet");
  await lie("500K", "500K");
  await press("Undo");
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await press("Rebet");
  await lie("500K", "500K");
  await press("Clear");
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await press("Rebet");
  await lie("500K", "500K");
});

test("what is insured lies on the felt and is said; points come with their cards", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 2);
  await openBets(give);
  await chip(page, / ₫5,000,000$/).focus();
  await page.keyboard.press("Space");
  await area(page, "Player").click();
  await expect(laid(page, "Player")).toHaveText("5M");
  await give("close-bets");
  for (const card of ["9D", "QC", "7C", "JC"]) await give(draw(card));
  // Whenever the points are there, the cards are: looked at in every frame.
  await page.evaluate(() => {
    const seen = { early: false };
    Object.assign(window, { seen });
    const hand = document.querySelector('[data-felt] section[aria-label="Player"]');
    (function look(): void {
      const isTurning = [...(hand?.querySelectorAll(".face") ?? [])].some((face) => face.getAnimations().some(({ playState }) => playState === "running"));
      if (isTurning && hand?.querySelector(".points")?.textContent.trim() === "6") seen.early = true;
      requestAnimationFrame(look);
    })();
  });
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await expect(page.getByRole("region", { name: "Player", exact: true }).getByLabel("6 points")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { seen: { early: boolean } }).seen.early)).toBe(false);
  await give("offer-insurance");
  const sheet = page.getByRole("region", { name: "Insurance on Player" });
  await sheet.getByRole("slider").focus();
  await page.keyboard.press("Home");
  await sheet.getByRole("button", { name: /^Insure for ₫100,000/ }).click();
  await expect(sheet.getByRole("status")).toHaveText(/Insured: ₫100,000/);
  await expect(page.getByRole("region", { name: "Your chips" })).toContainText("₫5,100,000");
});

test("whoever leaves by a link is told of the chips that stay, and may take them along", async ({ floor, enter }) => {
  const { table } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await expect(balance(page)).toHaveText(/50,000,000/);
  await page.getByRole("link", { name: "Croupier" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Your chips stay here" });
  await expect(dialog).toContainText("₫50,000,000 in chips stays at Main floor");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`/tables/${table}$`));
  await page.getByRole("link", { name: "Croupier" }).first().click();
  await dialog.getByRole("button", { name: "Leave the table with them" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto(`/tables/${table}`);
  await expect(page.getByRole("button", { name: "Take seat 3" })).toBeVisible();
});
