// A table without a mouse: a player bets, clears and bets again, a Dealer runs a round, and the keyboard comes back to
// where it was when a dialog closes.
import type { Locator, Page } from "@playwright/test";
import { BACCARAT as BY_HAND, openByHand, sits } from "./by-hand";
import { expect, test } from "./floor";
import { area, BACCARAT, dealtByHand, draw, laid, openBets } from "./player";

const GAME = "hoiana-baccarat/commission";
const MOST_TABS = 60;

/** Walks on with the Tab key until it is there. */
async function tabTo(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(wanted).toBeVisible();
  const isThere = () => wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < MOST_TABS && !(await isThere()); presses += 1) await page.keyboard.press(key);
  await expect(wanted).toBeFocused();
}

/** Walks there and presses it. */
async function enters(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
}

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

test("a player bets, clears and bets again with the keyboard", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await page.goto(`/tables/${table}`);
  await enters(page, button(page, "Take seat 3"));
  await enters(page, page.getByRole("button", { name: /^Sit down with/ }));
  await expect(page.getByRole("radiogroup", { name: "Chips" })).toBeVisible();
  await openBets(give);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");

  await tabTo(page, page.getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: /1,000,000$/ })).toBeChecked();
  await tabTo(page, area(page, "Banker"), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(laid(page, "Banker")).toHaveText("1M");
  await page.keyboard.press("Space");
  await expect(laid(page, "Banker")).toHaveText("2M");
  await expect(area(page, "Banker")).toBeFocused();

  // What was pressed keeps the keyboard, although it cannot be pressed again.
  await enters(page, button(page, "Clear"));
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await expect(button(page, "Clear")).toHaveAttribute("aria-disabled", "true");
  await expect(button(page, "Clear")).toBeFocused();

  await tabTo(page, area(page, "Player"), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(laid(page, "Player")).toHaveText("1M");
  await enters(page, button(page, "Double"));
  await expect(laid(page, "Player")).toHaveText("2M");
  await tabTo(page, button(page, "Undo"), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(laid(page, "Player")).toHaveText("1M");
  await give("close-bets");
  for (const card of ["9S", "4H", "KD", "2C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "player" });
  await give("settle");
  await give("open-bets");
  await enters(page, button(page, "Rebet"));
  await expect(laid(page, "Player")).toHaveText("1M");
  await expect(button(page, "Undo")).toBeFocused();
});

test("the keyboard comes back when a dialog closes", async ({ floor, enter }) => {
  const { table } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await page.goto(`/tables/${table}`);
  await enters(page, button(page, "Take seat 2"));
  await enters(page, page.getByRole("button", { name: /^Sit down with/ }));
  await expect(page.getByRole("radiogroup", { name: "Chips" })).toBeVisible();
  const dialog = page.getByRole("dialog");

  // By Escape, and by what it was opened for.
  await enters(page, button(page, "Tip"));
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button(page, "Tip")).toBeFocused();
  await page.keyboard.press("Enter");
  await enters(page, page.getByRole("button", { name: /^Tip ₫/ }));
  await expect(dialog).toHaveCount(0);
  await expect(button(page, "Tip")).toBeFocused();
  await enters(page, button(page, "Bets and what they pay"));
  await expect(dialog).toBeVisible();
  await enters(page, dialog.getByRole("button", { name: "Close" }));
  await expect(button(page, "Bets and what they pay")).toBeFocused();
});

test("a Dealer runs a round with the keyboard", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BY_HAND);
  await sits(floor, await enter("player"), table, 1);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  const dialog = dealer.getByRole("dialog");
  await enters(dealer, button(dealer, "Load the shoe"));
  await enters(dealer, button(dealer, "Record the shuffle"));
  await enters(dealer, button(dealer, "Cut the cards"));
  await dialog.getByRole("spinbutton").press("Enter");
  await expect(dialog).toHaveCount(0);
  await enters(dealer, button(dealer, "Burn"));
  await enters(dealer, dialog.getByRole("button", { name: "Burn", exact: true }));
  await expect(dialog).toHaveCount(0);
  await enters(dealer, button(dealer, "Open betting"));

  // A wager is laid for a guest, and the keyboard is at the guest again.
  const guest = dealer.getByRole("button", { name: /Guest .* seat 1/ });
  await enters(dealer, guest);
  await tabTo(dealer, dialog.getByLabel("Amount", { exact: true }).first());
  await dealer.keyboard.type("500000");
  await dealer.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Take back" })).toBeVisible();
  await dealer.keyboard.press("Escape");
  await expect(guest).toBeFocused();

  await enters(dealer, button(dealer, "No more bets"));
  // The field takes the keyboard as soon as cards are due.
  await expect(dealer.getByLabel("The card drawn")).toBeFocused();
  for (const card of ["9s", "2h", "kd", "10c"]) {
    await dealer.keyboard.type(card);
    await dealer.keyboard.press("Enter");
  }
  await enters(dealer, button(dealer, "Player wins"));
  await enters(dealer, button(dealer, "Settle"));
  await expect(dealer.getByRole("region", { name: "Settlement" })).toContainText("Loses −₫500,000");
  await enters(dealer, button(dealer, "Open betting"));
  await expect(button(dealer, "No more bets")).toBeVisible();
});
