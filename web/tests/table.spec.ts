// The player's table: coming to it, betting, opening cards, insurance, what happens when something goes wrong.
import type { ChosenSetting } from "../src/api/schema";
import { complaints, expect, noViolations, test } from "./floor";
import { area, BACCARAT, balance, count, dealtByHand, draw, laid, LIMITS, money, openBets, sitDown, word } from "./player";

const NIU_NIU: ChosenSetting[] = [
  money("chip", 100_000),
  money("minimum", 500_000),
  money("maximum", 200_000_000),
  count("betting-seconds", 10),
  count("option-seconds", 6),
  word("rank-absent", "first-ruling"),
  word("layout", "A"),
];

const METHOD_C: ChosenSetting[] = [
  ...LIMITS,
  count("betting-seconds", 600),
  word("layout", "A"),
  word("area", "ruby-room"),
  word("method", "C"),
];

test("somebody who is not signed in watches and is invited", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/1");
  await expect(page.getByRole("heading", { name: "You are watching" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Take seat/ })).toHaveCount(0);
  // A tap on an area lays nothing: it invites.
  await expect(page.getByRole("button", { name: /Sit down to bet on/ })).toHaveCount(6);
  await expect(page.getByRole("button", { name: /Place .* on/ })).toHaveCount(0);
});

test("wagers are laid by tap and by drag, undone, doubled, cleared and laid again", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await expect(balance(page)).toHaveText(/50,000,000/);
  await openBets(give);

  // The chosen chip is the smallest that reaches the minimum; a smaller one adds the minimum first.
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  await page.getByRole("radio", { name: /100,000$/ }).focus();
  await page.keyboard.press("Space");
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("600K");
  await expect(balance(page)).toHaveText(/49,400,000/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(laid(page, "Banker")).toHaveText("500K");

  const chip = await page.locator(".rack .chip").nth(2).boundingBox();
  const target = await area(page, "Tie").boundingBox();
  if (chip === null || target === null) throw new Error("no chip to drag");
  await page.mouse.move(chip.x + 20, chip.y + 20);
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + 40, { steps: 8 });
  await page.mouse.up();
  await expect(laid(page, "Tie")).toHaveText("1M");

  await page.getByRole("button", { name: "Double" }).click();
  await expect(laid(page, "Tie")).toHaveText("2M");
  await expect(laid(page, "Banker")).toHaveText("1M");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await expect(balance(page)).toHaveText(/50,000,000/);

  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("1M");
  await give("close-bets");
  // Nothing can be laid any more.
  await expect(area(page, "Tie")).toHaveAttribute("aria-disabled", "true");
  for (const card of ["3S", "4H", "4D", "4C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await expect(page.getByRole("region", { name: "Player" }).getByLabel("7 points")).toBeVisible();
  await expect(page.getByRole("region", { name: "Banker" }).getByLabel("8 points")).toBeVisible();
  await give({ call: "banker" });
  await give("settle");
  await expect(page.getByText("Banker wins").first()).toBeVisible();
  const last = page.getByRole("region", { name: "Your last round" });
  await expect(last).toContainText("+₫950,000");
  await last.getByRole("button", { name: /Banker Wins/ }).click();
  await expect(last).toContainText("commission ₫50,000");
  await last.getByRole("button", { name: /^§/ }).first().click();
  await expect(last.getByRole("note")).toBeVisible();
  await expect(balance(page)).toHaveText(/50,950,000/);

  await give("open-bets");
  await page.getByRole("button", { name: "Rebet" }).click();
  await expect(laid(page, "Banker")).toHaveText("1M");
  await noViolations(page);
});

test("the cards of every round come and turn", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("nobody");
  await page.goto(`/tables/${table}`);
  const hands = page.locator("[data-felt] .hands");
  await openBets(give);
  for (const cards of [["3S", "4H", "4D", "4C"], ["5S", "5H", "4C", "3C"]]) {
    await give("close-bets");
    for (const card of cards) await give(draw(card));
    await expect(hands.locator(".place")).toHaveCount(4);
    for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
    await expect(hands.locator(".face")).toHaveCount(4);
    await give({ call: cards[0] === "3S" ? "banker" : "player" });
    await give("settle");
    await give("open-bets");
    await expect(hands.locator(".place")).toHaveCount(0);
  }
});

test("the highest bettor opens the cards by dragging and by key", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 1);
  await openBets(give);
  await area(page, "Player").click();
  await page.getByRole("button", { name: "Ask to open the cards" }).click();
  await give("close-bets");
  for (const card of ["9S", "4H", "8D", "2C"]) await give(draw(card));
  const squeeze = page.getByRole("region", { name: "Open the Player hand" });
  await expect(squeeze).toBeVisible();
  await noViolations(page);
  const cards = squeeze.getByRole("button", { name: /closed. Turn it over/ });
  await expect(cards).toHaveCount(2);
  const box = await cards.first().boundingBox();
  if (box === null) throw new Error("no card to squeeze");
  const from = { x: box.x + 6, y: box.y + box.height - 6 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y - 50, { steps: 4 });
  await expect(squeeze.locator(".flap")).toBeVisible();
  // Let go too early, it falls back.
  await page.mouse.up();
  await expect(squeeze.locator(".flap")).toHaveCount(0);
  await expect(cards).toHaveCount(2);
  // Pulled away from itself, it shows nothing and stays.
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 30, from.y + 60, { steps: 4 });
  await expect(squeeze.locator(".flap")).toHaveCount(0);
  await page.mouse.up();
  await expect(cards).toHaveCount(2);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + box.width * 1.4, from.y - box.height * 0.8, { steps: 6 });
  await page.mouse.up();
  await expect(cards).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Player", exact: true }).getByLabel(/points/)).toHaveCount(0);
  await cards.first().press("Enter");
  await expect(page.getByRole("region", { name: "Player", exact: true }).getByLabel("7 points")).toBeVisible();
});

test("insurance is offered within its window", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 2);
  await openBets(give);
  await page.getByRole("radio", { name: /5,000,000$/ }).focus();
  await page.keyboard.press("Space");
  await area(page, "Player").click();
  await expect(laid(page, "Player")).toHaveText("5M");
  await give("close-bets");
  for (const card of ["9D", "QC", "7C", "JC"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give("offer-insurance");
  const sheet = page.getByRole("region", { name: "Insurance on Player" });
  await expect(sheet).toContainText("pays 3:1");
  await sheet.getByRole("slider").focus();
  await page.keyboard.press("End");
  await noViolations(page);
  await sheet.getByRole("button", { name: /^Insure for ₫1,600,000/ }).click();
  await expect(sheet).toContainText("Insured: ₫1,600,000");
  await give("close-insurance");
  await expect(sheet).toHaveCount(0);
});

test("the holder of the shoe draws the cards, and names those that nobody read", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "mbs-dragon-tiger", METHOD_C);
  const page = await enter("player");
  await sitDown(page, table, 1);
  await openBets(give);
  await area(page, "Player").click();
  await expect(laid(page, "Player")).toHaveText("500K");
  await page.getByRole("button", { name: "Take the shoe" }).click();
  await expect(page.getByRole("button", { name: "Give up the shoe" })).toBeVisible();
  await give("close-bets");
  for (const side of ["Player", "Banker", "Player", "Banker"]) {
    await page.getByRole("button", { name: `Draw for ${side}` }).click();
  }
  for (const [side, cards, points] of [
    ["Player", ["9S", "10H"], "9 points"],
    ["Banker", ["2C", "5D"], "7 points"],
  ] as const) {
    const hand = page.getByRole("region", { name: `Open the ${side} hand` });
    for (const [at, card] of cards.entries()) await hand.getByLabel(`Card ${at + 1}`).fill(card);
    await hand.getByRole("button", { name: "Turn over" }).click();
    await expect(page.getByRole("region", { name: side, exact: true }).getByLabel(points)).toBeVisible();
  }
});

test("play on hold is told, and an option to withdraw is offered", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player", { viewport: { width: 360, height: 740 } });
  await sitDown(page, table, 2);
  await openBets(give);
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  await give("close-bets");
  for (const card of ["3S", "4H"]) await give(draw(card));
  await give({ report: "wrong-order" });
  await expect(page.getByText(/^On hold: /)).toBeVisible();
  await give({ rule: { remedy: "rebuild", with_withdrawal: true } });
  const sheet = page.getByRole("region", { name: "Stay or withdraw?" });
  await expect(sheet).toContainText("₫500,000");
  await noViolations(page);
  await sheet.getByRole("button", { name: /^Withdraw/ }).click();
  await expect(sheet).toHaveCount(0);
  await expect(balance(page)).toHaveText(/50,000,000/);
});

test("a box of Niu Niu is bet on, with its Reserve, and its hand seen by its bettor", async ({ floor, enter }) => {
  const how = { automatic: true, software_shoe: true };
  const { table } = await dealtByHand(floor, enter, "hoiana-niu-niu", NIU_NIU, how);
  const page = await enter("player");
  await sitDown(page, table, 2);
  await expect(area(page, "Even")).toHaveAttribute("aria-disabled", "false", { timeout: 40_000 });
  await area(page, "Even").click();
  await expect(laid(page, "Even")).toHaveText("500K");
  await area(page, "Double").click();
  await expect(laid(page, "Double")).toHaveText("500K");
  await expect(area(page, "Double").locator(".reserve")).toContainText("Reserve");
  // Double may not exceed Even: what lay there lies there again, and the reason is told.
  await area(page, "Double").click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(laid(page, "Double")).toHaveText("500K");
  await page.getByRole("button", { name: "Double", exact: true }).click();
  await expect(laid(page, "Even")).toHaveText("1M");
  await expect(laid(page, "Double")).toHaveText("1M");
  const hand = page.getByRole("region", { name: /^Your hand in box/ });
  await expect(hand.getByRole("img")).toHaveCount(5, { timeout: 40_000 });
  await noViolations(page);
  await expect(page.getByRole("region", { name: "Your last round" })).toBeVisible({ timeout: 40_000 });
});

test("the connection is made again by itself", async ({ floor, enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/1");
  await expect(page.locator(".phase")).toBeVisible();
  await floor.stop();
  await expect(page.getByRole("alert")).toContainText("Connection lost");
  await floor.startAgain();
  await expect(page.locator(".phase")).toBeVisible({ timeout: 20_000 });
  // The browser tells of every attempt that failed.
  complaints.set(page, []);
});

test("every game has an area for each of its bets", async ({ floor, enter }) => {
  const page = await enter("player");
  for (const { id } of await floor.ask<{ id: number }[]>(page, "GET", "/api/tables")) {
    const { bets } = await floor.ask<{ bets: unknown[] }>(page, "GET", `/api/tables/${id}`);
    await page.goto(`/tables/${id}`);
    await expect(page.locator(".area")).toHaveCount(bets.length);
  }
});
