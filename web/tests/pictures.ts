// Takes the pictures of the README from a floor that has played for a while, and records a round of each game.
import { record } from "./recorder";
import type { Page } from "@playwright/test";
import type { Phase } from "../src/api/schema";
import { BACCARAT, bets, keys, openBetting, openByHand, press, reports, sits } from "./by-hand";
import { entered, expect, Floor, test } from "./floor";
import { area } from "./player";

const FOLDER = new URL("../../docs/images/", import.meta.url).pathname;

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}${name}.jpg`, type: "jpeg", quality: 86 });
}

interface View {
  view: { felt: { phase: Phase; round: number; outcome: unknown } };
}

/** Waits until a table is in a phase, some rounds into its shoe. */
async function reached(floor: Floor, page: Page, table: number, phases: readonly Phase[], rounds = 0): Promise<void> {
  for (;;) {
    const { view } = await floor.ask<View>(page, "GET", `/api/tables/${table}/view`);
    if (view.felt.round >= rounds && phases.includes(view.felt.phase)) return;
    await page.waitForTimeout(100);
  }
}

test("the lobby", async ({ floor, enter }) => {
  const page = await enter("player");
  await page.goto("/");
  await reached(floor, page, 1, ["bets-open"], 9);
  await page.waitForTimeout(3_500);
  await picture(page, "lobby");
});

test("a ruling", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const [dealer, guest] = [await enter("dealer"), await enter("player")];
  await sits(floor, guest, table, 3);
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await bets(floor, guest, table, 0);
  await press(dealer, "No more bets");
  await keys(dealer, "4c", "9d");
  await reports(dealer, "Cards in the wrong order");
  await dealer.waitForTimeout(800);
  await picture(dealer, "ruling");
});

test("the wall display", async ({ floor, enter }) => {
  const page = await enter("nobody", { viewport: { width: 1920, height: 1080 } });
  await page.goto("/tables/3/board");
  await reached(floor, page, 3, ["result"], 12);
  await page.waitForTimeout(600);
  await picture(page, "board");
});

test("the pit", async ({ enter }) => {
  const page = await enter("pit-manager");
  await page.goto("/pit");
  await page.waitForTimeout(2_500);
  await picture(page, "pit");
});

test("the lab", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/lab");
  await page.waitForTimeout(2_500);
  await picture(page, "lab");
});

test("a rulebook", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/rulebooks/hoiana-baccarat");
  await page.waitForTimeout(1_500);
  await picture(page, "rulebook");
});

const TRIES = 2;
/** Rounds at the pace of a table: recorded, and the end of some of them as a picture. */
for (const [name, table, wagers, still] of [
  ["baccarat", 2, ["Banker", "Player Pair", "Lucky 6"], undefined],
  ["dragon-tiger", 3, ["Player", "Small Dragon", "Dragon Tiger"], undefined],
  ["dragon-bonus", 6, ["Bank", "Dragon Bonus Banker"], undefined],
  ["niu-niu", 7, ["Even"], "niu-niu"],
] as const) {
  test(`a recording of ${name}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const floor = await Floor.start((url) => entered(browser, url, "shift-manager"), ["--pace", "600"]);
    try {
      const page = await entered(browser, floor.url, "player", { viewport: { width: 1_280, height: 800 } });
      // The hand is not the first: nothing is narrated.
      await page.addInitScript(() => localStorage.setItem("croupier.first-hand", "true"));
      await page.goto(`/tables/${table}#play`);
      await expect(page.getByRole("radiogroup", { name: "Chips" })).toBeVisible();
      // A round in which something is paid shows more; the last try is kept whatever it brought.
      for (let tries = 1; ; tries += 1) {
        await expect(area(page, wagers[0])).toHaveAttribute("aria-disabled", "true", { timeout: 120_000 });
        await expect(area(page, wagers[0])).toHaveAttribute("aria-disabled", "false", { timeout: 120_000 });
        const recording = await record(page);
        for (const wager of wagers) {
          await area(page, wager).click();
          await page.waitForTimeout(600);
        }
        await recording.pause();
        await expect(area(page, wagers[0])).toHaveAttribute("aria-disabled", "true", { timeout: 120_000 });
        await recording.resume();
        const set = page.getByRole("button", { name: /^Set as/ });
        const net = page.locator(".banner .net");
        await expect(set.or(net).first()).toBeVisible({ timeout: 90_000 });
        if (await set.isVisible()) await set.click();
        await expect(net).toBeVisible({ timeout: 90_000 });
        const isWon = (await net.innerText()).startsWith("+");
        await page.waitForTimeout(400);
        if (still !== undefined) await picture(page, still);
        await page.waitForTimeout(2_000);
        await recording.pause();
        if (!isWon && tries < TRIES) continue;
        await recording.write(`${FOLDER}round-${name}.webp`);
        break;
      }
      await page.context().close();
    } finally {
      await floor.end();
    }
  });
}
