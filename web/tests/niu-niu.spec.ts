// Niu Niu as its players see it: what each hand pays, the Reserve in its place, and a round at the pace of a table.
import { deviceAt, packet } from "./device";
import { entered, expect, Floor, noViolations, test } from "./floor";
import { area, dealtByHand, laid, money, sitDown, word } from "./player";

const NIU_NIU = [money("chip", 100_000), money("minimum", 500_000), money("maximum", 200_000_000), word("layout", "A")];

test("at the pace of a table, a round with one human takes less than 25 seconds", async ({ browser }) => {
  const floor = await Floor.start((url) => entered(browser, url, "shift-manager"), ["--pace", "700"]);
  try {
    const page = await entered(browser, floor.url, "player");
    await page.goto("/tables/7#play");
    const even = area(page, "Even");
    await expect(even).toHaveAttribute("aria-disabled", "false", { timeout: 60_000 });
    await even.click();
    await expect(laid(page, "Even")).toHaveText("500K");
    // From the end of betting on, nobody waits for a clock but for the human.
    await expect(even.and(page.locator('[aria-disabled="true"]')).or(page.getByRole("region", { name: /^Your hand/ }))).toBeVisible({ timeout: 60_000 });
    const began = Date.now();
    const set = page.getByRole("button", { name: /^Set as/ });
    await set.click({ timeout: 25_000 });
    await expect(page.locator(".banner .net")).toBeVisible({ timeout: 25_000 });
    expect(Date.now() - began).toBeLessThan(25_000);
    await page.context().close();
  } finally {
    await floor.end();
  }
});

test("the hand, its bets and its Reserve are on the felt, and the sentence says which hand beat which", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-niu-niu", NIU_NIU);
  const device = await deviceAt(floor, await enter("admin"), table);
  const page = await enter("player");
  await sitDown(page, table, 4);
  for (const action of [{ "load-shoe": {} }, "record-shuffle", "open-bets"] as const) await give(action);
  for (const bet of ["Even", "Double", "Super Niu"]) {
    await area(page, bet).click();
    await expect(laid(page, bet)).toHaveText("500K");
  }
  // Twice 500K beside Double, eleven times beside Super Niu.
  await expect(page.locator(".areas > .reserve .amount")).toHaveText("6.5M");
  const ladder = page.getByRole("region", { name: "Hands, highest first" });
  await expect(ladder.getByRole("listitem").first()).toHaveText(/Hoiana Niu Niu\s*12:1/);
  await give("close-bets");
  await device(packet("box4", "KD 7H 3C 4D 5S"));
  await device(packet("dealer", "2S 3H 5D TC 7S"));
  await floor.command(page, table, { "handle-cards": { player: await floor.idOf(page), box_number: 4 } });
  await give("check-count");
  const hand = page.getByRole("region", { name: "Your hand in box 4" });
  await expect(hand.locator(".stakes li")).toHaveCount(3);
  for (const size of [{ width: 360, height: 740 }, { width: 740, height: 360 }, { width: 820, height: 1_180 }, { width: 1_280, height: 800 }]) {
    await page.setViewportSize(size);
    await expect(hand.getByRole("button", { name: "Set as Niu 9", exact: true })).toBeInViewport({ ratio: 1 });
    await noViolations(page);
  }
  await hand.getByRole("button", { name: "Set as Niu 9", exact: true }).click();
  await give("open-dealer");
  await give({ "set-hand": { holder: "dealer", set_as: "niu-7" } });
  await give("settle");
  await expect(page.locator(".banner")).toContainText("Niu 9 beats the Dealer's Niu 7: Super Niu pays 9:1 less 5%");
  await expect(hand.locator(".brought")).toHaveText(["+500K", "+950K", "+4.275M"]);
  await noViolations(page);
});
