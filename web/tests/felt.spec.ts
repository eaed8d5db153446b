// The felt at every size: everything that is needed to play is in sight, large enough to tap, and stays where it is.
import type { Locator, Page } from "@playwright/test";
import { expect, noViolations, test } from "./floor";
import { area, BACCARAT, dealtByHand, draw, laid, openBets, sitDown, word } from "./player";

const GAME = "hoiana-baccarat/commission";
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 820, height: 1_180 },
  { width: 1_280, height: 800 },
  { width: 1_920, height: 1_080 },
];

async function boxes(all: Locator): Promise<{ x: number; y: number; width: number; height: number }[]> {
  return all.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
}

/** Fails unless all of them are on the screen without scrolling. */
async function inSight(page: Page, all: Locator, least: number): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const box of await boxes(all)) {
    const says = JSON.stringify({ ...box, of: `${width}×${height}` });
    expect(box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, says).toBe(true);
    expect(Math.min(box.width, box.height), says).toBeGreaterThanOrEqual(least);
  }
}

test("at every size all that is needed to play is in sight and nothing moves when chips land", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect(page.locator("[data-area]")).toHaveCount(6);
    await page.waitForTimeout(200);
    await inSight(page, page.locator("[data-area]"), 36);
    await inSight(page, page.locator(".rack .chip:visible"), 44);
    await inSight(page, page.locator(".acts .button:visible"), 44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${size.width}`).toBeLessThanOrEqual(size.width);
    const before = [await boxes(page.locator(".seats .token")), await boxes(page.locator("[data-area]"))];
    await area(page, "Banker").click();
    await expect(laid(page, "Banker")).toBeVisible();
    const after = [await boxes(page.locator(".seats .token")), await boxes(page.locator("[data-area]"))];
    expect(after).toEqual(before);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(laid(page, "Banker")).toHaveCount(0);
    await noViolations(page);
  }
});

/** Pairs of boxes that lie over each other, by their numbers. */
function overlaps(all: { x: number; y: number; width: number; height: number }[]): string[] {
  const over = (a: (typeof all)[0], b: (typeof all)[0]): boolean =>
    a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height > b.y + 1 && b.y + b.height > a.y + 1;
  return all.flatMap((one, at) => all.flatMap((other, next) => (next > at && over(one, other) ? [`${at}-${next}`] : [])));
}

test("chips, money and buttons do not lie over each other, in any language", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  for (const language of ["en", "vi", "zh"]) {
    await page.evaluate((code) => localStorage.setItem("croupier.language", code), language);
    await page.reload();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect(page.locator("[data-area]")).toHaveCount(6);
      await page.waitForTimeout(150);
      const parts = page.locator(".money strong:visible, .rack .chip:visible, .acts .button:visible, .strip h1, .strip .which p, .strip .sound");
      const where = `${language} ${size.width}×${size.height}`;
      expect(overlaps(await boxes(parts)), where).toEqual([]);
      const buttons = await boxes(page.locator(".acts .button:visible"));
      expect(Math.max(...buttons.map(({ height }) => height)), where).toBeLessThan(50);
    }
  }
});

test("what lies before a seat does not reach into the next one", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/1");
  await expect(page.locator(".seats .bets .numbers").nth(2)).toBeVisible({ timeout: 60_000 });
  for (const size of SIZES.filter(({ height }) => height > 480)) {
    await page.setViewportSize(size);
    await page.waitForTimeout(150);
    expect(overlaps(await boxes(page.locator(".seats .token:visible, .seats .bets .numbers:visible"))), `${size.width}`).toEqual([]);
  }
  await page.goto("/tables/5");
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.locator(".seats .token")).toHaveCount(16);
  expect(overlaps(await boxes(page.locator(".seats .token")))).toEqual([]);
});

test("a round says why: third cards before they come, and every wager after it", async ({ floor, enter }) => {
  const settings = [...BACCARAT.filter(({ setting }) => setting !== "squeeze" && setting !== "insurance"), word("squeeze", "off"), word("insurance", "off")];
  const { table, give } = await dealtByHand(floor, enter, GAME, settings);
  const page = await enter("player", { viewport: { width: 820, height: 1_180 } });
  await sitDown(page, table, 3);
  await openBets(give);
  const bets = ["Player", "Banker", "Tie", "Player Pair", "Banker Pair", "Lucky 6"];
  for (const bet of bets) {
    await area(page, bet).click();
    await expect(laid(page, bet)).toHaveText("500K");
  }
  const before = await boxes(page.locator("[data-felt]"));
  await give("close-bets");
  for (const card of ["2S", "KH", "3D", "5C"]) await give(draw(card));
  await expect(page.locator(".points.known")).toHaveCount(2);
  await give(draw("3H"));
  await expect(page.getByText("Player has 5 and draws a third card")).toBeVisible();
  // The sentence first, then the card.
  await expect(page.locator("[data-felt] .hands .place")).toHaveCount(5);
  await give({ call: "player" });
  await give("settle");
  await expect(page.getByText("Banker 5 stands on a third card of 3")).toBeVisible();
  await expect(page.locator(".banner.player")).toBeVisible();
  const last = page.getByRole("region", { name: "Your last round" });
  await expect(last.locator(".because")).toHaveText([
    "Player wins 8 to 5: Player pays 1:1",
    "Player wins 8 to 5: Banker loses",
    "Player wins 8 to 5: Tie loses",
    "no Player pair, 2♠ 3♦: Player Pair loses",
    "no Banker pair, K♥ 5♣: Banker Pair loses",
    "Player wins, Banker on 5, Banker 2 cards: Lucky 6 loses",
  ]);
  // How it ended is told beside the felt, which stays as it was.
  expect(await boxes(page.locator("[data-felt]"))).toEqual(before);
  await noViolations(page);
});

test("on a phone the roads share one strip, a tap away from each other", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/1");
  const road = (name: string) => page.locator(".papers").getByRole("group", { name, exact: true });
  for (const [size, isTabbed] of [[SIZES[0], true], [SIZES[1], true], [SIZES[3], false]] as const) {
    await page.setViewportSize(size ?? { width: 0, height: 0 });
    await expect(road("Big road")).toBeVisible();
    await expect(road("Bead plate")).toBeVisible({ visible: !isTabbed });
    if (!isTabbed) continue;
    await inSight(page, page.locator(".tabs button"), 42);
    await page.getByRole("button", { name: "Bead plate" }).click();
    await expect(road("Bead plate")).toBeVisible();
    await expect(road("Big road")).toBeHidden();
    await inSight(page, road("Bead plate"), 60);
    await page.getByRole("button", { name: "Statistics of the shoe" }).click();
    await expect(page.locator(".figures").getByText(/naturals?/)).toBeVisible();
    await page.getByRole("button", { name: "Derived roads" }).click();
    await expect(road("Small road")).toBeVisible();
    await page.getByRole("button", { name: "Big road" }).click();
    await noViolations(page);
  }
});

test("the buy-in fits the screen", async ({ floor, enter }) => {
  const { table } = await dealtByHand(floor, enter, GAME, BACCARAT);
  for (const size of SIZES.slice(0, 3)) {
    const page = await enter("player", { viewport: size });
    await page.goto(`/tables/${table}`);
    const join = page.getByRole("region", { name: "Choose your seat" });
    await expect(join.getByRole("button", { name: /^Play here with/ })).toBeEnabled();
    await inSight(page, join.getByRole("button"), 40);
    await join.getByRole("button", { name: "Another amount" }).click();
    await inSight(page, join.getByRole("button"), 36);
    await inSight(page, join.getByRole("textbox"), 36);
    await noViolations(page);
  }
});

test("no road is cut through a mark", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/1");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.waitForTimeout(200);
    const cut = await page.locator(".roads svg[data-from-column]").evaluateAll((all) =>
      all.filter((svg) => {
        const [, , wide = 0] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
        const [box, frame] = [svg.getBoundingClientRect(), svg.parentElement?.getBoundingClientRect()];
        return wide % 20 !== 0 || box.right > (frame?.right ?? 0) + 1 || box.left < (frame?.left ?? 0) - 1;
      }).length,
    );
    expect(cut).toBe(0);
  }
});

test("from the lobby to the first bet it takes two taps and less than five seconds", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT, { name: "First steps" });
  await openBets(give);
  const page = await enter("player");
  await page.goto("/");
  const card = page.getByRole("article", { name: "First steps" });
  await expect(card).toBeVisible();
  const began = Date.now();
  await card.getByRole("link", { name: "Play here" }).click();
  await area(page, "Banker").and(page.locator('[aria-disabled="false"]')).click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  expect(Date.now() - began).toBeLessThan(5_000);
  await expect(page).toHaveURL(new RegExp(`/tables/${table}$`));
});

test("who asked for stillness gets it", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player", { reducedMotion: "reduce" });
  await sitDown(page, table, 3);
  await openBets(give);
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");
  await page.evaluate(() => {
    const seen = { moved: [] as string[] };
    Object.assign(window, { seen });
    (function look(): void {
      for (const animation of document.getAnimations()) {
        const { duration, delay } = animation.effect?.getComputedTiming() ?? {};
        if (Number(duration) > 1 || Number(delay) > 1) seen.moved.push(String((animation as CSSAnimation).animationName));
      }
      requestAnimationFrame(look);
    })();
  });
  await give("close-bets");
  for (const card of ["3S", "4H", "4D", "4C"]) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "banker" });
  await give("settle");
  await expect(page.getByText(/Banker wins 8 to 7/).first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { seen: { moved: string[] } }).seen.moved)).toEqual([]);
});

test("every moment of a round has its room at every size, and axe finds nothing on it", async ({ floor, enter }) => {
  test.setTimeout(150_000);
  const { table, give } = await dealtByHand(floor, enter, GAME, BACCARAT);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  for (const bet of ["Banker", "Lucky 6", "Tie"]) {
    await area(page, bet).click();
    await expect(laid(page, bet)).toHaveText("500K");
  }
  await page.getByRole("button", { name: "Ask to open the cards" }).click();
  const at = async (least: number, ...needed: Locator[]): Promise<void> => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.waitForTimeout(850);
      for (const one of needed) await inSight(page, one, least);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${size.width}`).toBeLessThanOrEqual(size.width);
      await noViolations(page);
    }
  };
  await give("close-bets");
  for (const card of ["KC", "KS", "AD", "5H"]) await give(draw(card));
  const squeeze = page.getByRole("region", { name: "Open the Banker hand" });
  await expect(squeeze).toBeVisible();
  await at(36, squeeze.getByRole("button"));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give("offer-insurance");
  const sheet = page.getByRole("region", { name: "Insurance on Banker" });
  await expect(sheet).toBeVisible();
  await at(30, sheet.getByRole("button", { name: /^(Insure for|No insurance)/ }), sheet.getByRole("slider"));
  await give("close-insurance");
  await give(draw("4C"));
  await give({ reveal: { side: "player", told: [] } });
  await give(draw("AH"));
  await give({ reveal: { side: "banker", told: [] } });
  await give({ call: "banker" });
  await give("settle");
  await expect(page.locator(".banner")).toContainText("Banker wins with 6 on three cards: Lucky 6 pays 20:1");
  // Won and lost differ by sign and place, not by colour alone.
  await expect(page.locator(".area .gain.up")).toHaveText(["+10M", "+475K"]);
  await expect(page.locator(".area .gain.down")).toHaveText(["−500K"]);
  // A win may still be growing on a slow machine.
  await at(10, page.locator(".banner"), page.locator(".area .gain"));
});
