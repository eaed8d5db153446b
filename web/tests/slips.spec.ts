// A player's slips and a line that fails: a button pressed too often, a chip too quickly, an answer that never comes.
import type { WebSocketRoute } from "@playwright/test";
import { expect, test } from "./floor";
import { area, BACCARAT, balance, dealtByHand, draw, laid, openBets, sitDown } from "./player";

const GAME = "hoiana-baccarat/commission";

test("undo pressed too often lays nothing, and takes back one chip at a time", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  await area(page, "Tie").click();
  await expect(laid(page, "Tie")).toHaveText("500K");
  await give("close-bets");
  for (const card of ["3S", "4H", "4D", "4C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "banker" });
  await give("settle");
  await give("open-bets");
  await expect(page.getByRole("button", { name: "Rebet" })).toBeEnabled();

  // Two taps before the first is answered.
  await area(page, "Banker").evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(laid(page, "Banker")).toHaveText("1M");
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  for (let times = 0; times < 4; times += 1) {
    // It goes when there is nothing to take back.
    await undo.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()));
    await page.waitForTimeout(150);
  }
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await expect(balance(page)).toHaveText(/49,500,000/);
  await expect(undo).toHaveCount(0);
});

test("a chip tapped just before everything is cleared comes back too", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  await area(page, "Tie").click();
  await expect(laid(page, "Tie")).toHaveText("500K");
  const clear = await page.getByRole("button", { name: "Clear" }).elementHandle();
  await area(page, "Banker").evaluate((banker: HTMLElement, clear) => {
    banker.click();
    (clear as HTMLElement | null)?.click();
  }, clear);
  await expect(page.locator("[data-area] .amount")).toHaveCount(0);
  await expect(balance(page)).toHaveText(/50,000,000/);
});

test("a double click buys in once", async ({ floor, enter }) => {
  const { table } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await expect(balance(page)).toHaveText(/50,000,000/);
  await page.getByRole("button", { name: "Buy chips" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await dialog.getByRole("button", { name: /^Buy in/ }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(balance(page)).toHaveText(/60,000,000/);
  await page.reload();
  await expect(balance(page)).toHaveText(/60,000,000/);
});

test("a line that is silent is made again, and the wager that was on it lies once", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  await openBets(give);
  const page = await enter("player");
  await sitDown(page, table, 3);
  let [isDead, lines] = [false, 0];
  await page.routeWebSocket(/\/live/, (route: WebSocketRoute) => {
    lines += 1;
    const [isFirst, server] = [lines === 1, route.connectToServer()];
    route.onMessage((message) => {
      if (!(isDead && isFirst)) server.send(message);
    });
    server.onMessage((message) => {
      if (!(isDead && isFirst)) route.send(message);
    });
  });
  await page.reload();
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");
  isDead = true;
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K", { timeout: 20_000 });
  await expect(balance(page)).toHaveText(/49,500,000/);
  expect(lines).toBe(2);
});
