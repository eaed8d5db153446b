// Takes the pictures of the README from a floor that has played for a while.
import type { Page } from "@playwright/test";
import type { Phase } from "../src/api/schema";
import { type Floor, test } from "./floor";

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

for (const [name, table, phase] of [
  ["table", 1, "result"],
  ["niu-niu", 7, "verify"],
] as const) {
  test(`a player at ${name}`, async ({ floor, enter }) => {
    const page = await enter("player", { viewport: { width: 1280, height: 860 } });
    await page.goto(`/tables/${table}`);
    await reached(floor, page, table, [phase]);
    await page.waitForTimeout(600);
    await picture(page, name);
  });
}

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
