// What a player chooses besides wagers: a tip, another seat, the place of the cut, the shoe, play without insurance,
// how a hand of Niu Niu is set.
import type { Page } from "@playwright/test";
import type { ChosenSetting, ShoeTold } from "../src/api/schema";
import { deviceAt, packet } from "./device";
import { expect, noViolations, test } from "./floor";
import { area, BACCARAT, balance, dealtByHand, draw, laid, money, openBets, sitDown, word } from "./player";

const GAME = "hoiana-baccarat/commission";
const NIU_NIU: ChosenSetting[] = [
  money("chip", 100_000),
  money("minimum", 500_000),
  money("maximum", 200_000_000),
  word("layout", "A"),
];

const seatOf = (page: Page) => page.getByRole("list", { name: "Seats" }).locator(".spot.own .token");

test("a tip goes to the dealers, chips are bought, and the player leaves with them", async ({ floor, enter }) => {
  const { table } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await page.getByRole("button", { name: "Tip", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "A tip for the dealers" });
  await dialog.getByRole("button", { name: "200K" }).click();
  await expect(dialog.getByRole("button", { name: "Tip ₫200,000" })).toBeEnabled();
  // More than the player has is no tip, and nothing else is given in its place.
  await dialog.getByRole("textbox").fill("60,000,000");
  await expect(dialog.getByRole("textbox")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByText("At most ₫50,000,000.")).toBeVisible();
  await expect(dialog.locator("footer").getByRole("button")).toBeDisabled();
  await noViolations(page);
  await dialog.getByRole("textbox").fill("300,000");
  await dialog.getByRole("button", { name: "Tip ₫300,000" }).click();
  await expect(page.getByText("Thank you!")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(balance(page)).toHaveText(/49,700,000/);

  await page.getByRole("button", { name: "Buy chips" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("1,000,000");
  await page.getByRole("button", { name: "Buy in for ₫1,000,000" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(balance(page)).toHaveText(/50,700,000/);
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("region", { name: "Choose your seat" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Take seat 3" })).toBeVisible();

  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  const money = manager.getByRole("region", { name: "Money of the table" });
  await expect(money).toContainText("Tips₫300,000");
  await manager.getByRole("button", { name: "Pay out the tips" }).click();
  await manager.getByRole("button", { name: "Sure? Pay out the tips" }).click();
  await expect(money).toContainText("Tips₫0");
  await expect(manager.getByRole("button", { name: "Pay out the tips" })).toHaveCount(0);
});

test("a player changes the seat, but not with a wager on the felt", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const [page, other] = [await enter("player"), await enter("player")];
  await sitDown(page, table, 3);
  await sitDown(other, table, 5);
  const change = page.getByRole("button", { name: "Change seat" });
  await change.click();
  await expect(page.getByText("Tap the seat to move to.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Take seat 5" })).toHaveCount(0);
  await page.getByRole("button", { name: "Take seat 1" }).click();
  await expect(seatOf(page)).toHaveText("1");
  await expect(page.getByText("Tap the seat to move to.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Take seat/ })).toHaveCount(0);
  await openBets(give);
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  await expect(change).toBeDisabled();
  await expect(page.getByRole("button", { name: "Leave" })).toBeDisabled();
});

test("a player says where the new shoe is cut", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT, { software_shoe: true });
  const page = await enter("player");
  await sitDown(page, table, 2);
  await expect(page.getByRole("button", { name: "Cut the cards" })).toHaveCount(0);
  await give({ "load-shoe": {} });
  await give("record-shuffle");
  await page.getByRole("button", { name: "Cut the cards" }).click();
  const dialog = page.getByRole("dialog", { name: "Cut the cards" });
  await expect(dialog).toBeVisible();
  // The Dealer was faster; the next shoe does not ask by itself.
  await give({ "cut-cards": {} });
  await expect(dialog).toHaveCount(0);
  await give({ "replace-shoe": {} });
  await give("record-shuffle");
  await expect(page.getByRole("button", { name: "Cut the cards" })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Cut the cards" }).click();
  await dialog.getByRole("slider").focus();
  await page.keyboard.press("Home");
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("ArrowRight");
  await noViolations(page);
  await dialog.getByRole("button", { name: "Cut below 5 cards" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cut the cards" })).toHaveCount(0);
  const told = await floor.ask<ShoeTold>(page, "GET", `/api/tables/${table}/shoes/2`);
  expect(told.above).toBe(5);
});

test("after cards that were not burned were seen, the players choose the shoe", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const [page, other] = [await enter("player"), await enter("player")];
  await sitDown(page, table, 3);
  await sitDown(other, table, 5);
  for (const action of [{ "load-shoe": {} }, "record-shuffle", { "cut-cards": {} }, "open-bets"] as const) await give(action);
  for (const [guest, bet] of [[page, "Banker"], [other, "Player"]] as const) {
    await area(guest, bet).click();
    await expect(laid(guest, bet)).toHaveText("500K");
  }
  await give("close-bets");
  // The card shows by itself that nothing was burned.
  await give({ draw: { card: "9S", exposed: true } });
  for (const card of ["2H", "KD", "5C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "player" });
  await give("settle");

  // HB 7.11.2
  const sheet = page.getByRole("region", { name: "Keep this shoe?" });
  await expect(sheet).toBeVisible();
  await noViolations(page);
  await sheet.getByRole("button", { name: "Keep it" }).click();
  await expect(sheet.getByText("You chose: Keep it")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Keep it" })).toHaveAttribute("aria-pressed", "true");
  // Who has chosen may change their mind; the last answer closes the choice.
  await sheet.getByRole("button", { name: "New cards" }).click();
  await expect(sheet.getByText("You chose: New cards")).toBeVisible();
  await other.getByRole("region", { name: "Keep this shoe?" }).getByRole("button", { name: "New cards" }).click();
  await expect(sheet).toHaveCount(0);
});

test("who comes while insurance is off accepts that before betting", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const [first, page] = [await enter("player"), await enter("player", { viewport: { width: 360, height: 740 } })];
  await sitDown(first, table, 1);
  // HB 6.4.5
  await give({ "switch-insurance": { on: false, asked_by: await floor.idOf(first) } });
  await sitDown(page, table, 4);
  await openBets(give);
  const sheet = page.getByRole("region", { name: "No insurance at this table now" });
  await expect(sheet).toBeVisible();
  await expect(page.locator("button[data-area]")).toHaveCount(0);
  await noViolations(page);
  await sheet.getByRole("button", { name: "I accept" }).click();
  await expect(sheet).toHaveCount(0);
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");
});

test("a player sets the own hand of Niu Niu, and a hand set wrongly is put right", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-niu-niu", NIU_NIU);
  const device = await deviceAt(floor, await enter("admin"), table);
  const [page, other] = [await enter("player"), await enter("player")];
  await sitDown(page, table, 2);
  await sitDown(other, table, 4);
  for (const action of [{ "load-shoe": {} }, "record-shuffle", "open-bets"] as const) await give(action);
  for (const guest of [page, other]) {
    await area(guest, "Even").click();
    await expect(laid(guest, "Even")).toHaveText("500K");
  }
  // A refusal says by which clause.
  for (const tries of [1, 2]) {
    await area(page, "Double").click();
    if (tries === 1) await expect(laid(page, "Double")).toHaveText("500K");
  }
  await expect(page.getByRole("alert").getByRole("button", { name: /^§ NN/ }).first()).toBeVisible();
  await expect(laid(page, "Double")).toHaveText("500K");
  await give("close-bets");
  await device(packet("box2", "KS QH JD 5C 6D"));
  await device(packet("box4", "KC QD JS 2C 6H"));
  await device(packet("dealer", "2S 3H 4D 7C 9S"));
  await page.getByRole("button", { name: "Take up the cards" }).click();
  await give("check-count");

  const hand = page.getByRole("region", { name: "Your hand in box 2" });
  await expect(hand.getByRole("img")).toHaveCount(5);
  // The best comes first, three and two apart, and nothing else is offered.
  await expect(hand.getByRole("group", { name: "Three cards" })).toContainText("10 + 10 + 10 = 30");
  await expect(hand.getByRole("group", { name: "Two cards" })).toContainText("5 + 6 = 11");
  await noViolations(page);
  await hand.getByRole("button", { name: "Set as Niu 1", exact: true }).click();
  await expect(hand.locator(".set")).toHaveText("Set as Niu 1");

  // NN 7.8
  const wrong = other.getByRole("region", { name: "Your hand in box 4" });
  await wrong.getByRole("button", { name: "King of clubs: move to the other group" }).click();
  await expect(wrong.getByRole("group", { name: "Three cards" })).toContainText("no ten");
  await wrong.getByRole("button", { name: "Set as No Niu", exact: true }).click();
  await expect(wrong.locator(".set")).toHaveText("Set as Niu 8");
  await expect(other.getByText("The hand was put right: Niu 8")).toBeVisible();
});
