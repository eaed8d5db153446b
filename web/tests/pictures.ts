// Takes the pictures of the README from a floor that has played for a while.
import type { Page } from "@playwright/test";
import type { Phase } from "../src/api/schema";
import { BACCARAT, bets, keys, openBetting, openByHand, press, reports, sits } from "./by-hand";
import { type Floor, test } from "./floor";
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

/** A guest at a table of the demo, with chips and some wagers. */
async function plays(floor: Floor, page: Page, table: number, wagers: readonly string[]): Promise<void> {
  await page.goto(`/tables/${table}`);
  await page.getByRole("button", { name: /^Take seat/ }).first().click();
  await page.getByRole("button", { name: /^Sit down with/ }).click();
  await reached(floor, page, table, ["result", "verify"]);
  await reached(floor, page, table, ["bets-open"]);
  for (const wager of wagers) await area(page, wager).click();
}

for (const [name, table, phase, wagers] of [
  ["table", 2, "result", ["Banker", "Player Pair"]],
  ["niu-niu", 7, "verify", ["Even"]],
] as const) {
  test(`a player at ${name}`, async ({ floor, enter }) => {
    const page = await enter("player", { viewport: { width: 1280, height: 900 } });
    await plays(floor, page, table, wagers);
    await reached(floor, page, table, [phase]);
    await page.waitForTimeout(700);
    await picture(page, name);
  });
}

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
