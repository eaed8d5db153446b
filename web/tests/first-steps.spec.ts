// The first steps of a newcomer, and the way back of who has been here: a tap that asks to sit, a hand that narrates
// itself once, what one has on the floor, another table, favourite bets.
import { expect, noViolations, test } from "./floor";
import { area, BACCARAT, dealtByHand, draw, laid, openBets, sitDown, word } from "./player";

const GAME = "hoiana-baccarat/commission";
const PLAIN = [...BACCARAT.filter(({ setting }) => setting !== "squeeze" && setting !== "insurance"), word("squeeze", "off"), word("insurance", "off")];

test("a tap on an area asks whoever does not sit yet to sit down, or to sign in", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, PLAIN);
  await openBets(give);
  const page = await enter("player");
  await page.goto(`/tables/${table}`);
  const sit = page.getByRole("button", { name: /^Play here with/ });
  await expect(sit).toBeEnabled();
  await page.getByRole("button", { name: "Sit down to bet on Banker", exact: false }).first().click();
  await expect(page.getByText("Take a seat first")).toBeVisible();
  await expect(sit).toBeFocused();
  await noViolations(page);
  await page.keyboard.press("Enter");
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("500K");

  const stranger = await enter("nobody");
  await stranger.goto(`/tables/${table}`);
  await area(stranger, "Tie").click();
  await expect(stranger.getByText("Sign in first")).toBeVisible();
  await expect(stranger.locator("main").getByRole("link", { name: "Sign in" })).toBeFocused();

  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}`);
  await expect(dealer.getByText("Only players take a seat")).toBeVisible();
  await expect(dealer.locator("[data-area]")).toHaveCount(0);
});

test("the first hand narrates itself, once", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, PLAIN);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  const says = (text: string) => page.locator("[data-felt]").getByText(text, { exact: false });
  await expect(says("Your first hand: choose a chip below")).toBeVisible();
  await area(page, "Banker").click();
  await expect(says("500K lies on the felt. Betting ends when the ring runs out")).toBeVisible();
  await give("close-bets");
  await expect(says("Nearer to nine wins")).toBeVisible();
  for (const card of ["3S", "4H", "4D", "4C"]) await give(draw(card));
  await give({ call: "banker" });
  await give("settle");
  await expect(says("Banker wins 8 to 7")).toBeVisible();
  await give("open-bets");
  await expect(says("Place your bets")).toBeVisible();
  await expect(says("Your first hand")).toHaveCount(0);
  await page.reload();
  await expect(says("Place your bets")).toBeVisible();
  await expect(says("Your first hand")).toHaveCount(0);
});

test("the lobby tells what one has and where one sits, and a table leads to the others", async ({ floor, enter }) => {
  const name = "Where I sit";
  const { table } = await dealtByHand(floor, enter, GAME, PLAIN, { name });
  const page = await enter("player");
  await page.goto("/");
  const mine = page.getByRole("region", { name: "What you have here" });
  await expect(mine).toContainText(/Wallet\s*₫[\d,]+/);
  await expect(mine.getByRole("link")).toHaveCount(0);
  await sitDown(page, table, 3);
  await page.goto("/");
  await expect(mine.getByRole("link", { name: `${name} ₫50,000,000` })).toBeVisible();
  const card = page.getByRole("article", { name });
  await expect(card.getByRole("link", { name: "Back to your chips" })).toHaveAttribute("href", `/tables/${table}`);
  await noViolations(page);

  await page.goto("/tables/3");
  await page.getByRole("button", { name: "Dragon Tiger (Another table)" }).click();
  const ways = page.getByRole("dialog", { name: "Another table" });
  const first = ways.getByRole("link").first();
  await expect(first).toContainText(name);
  await expect(first).toContainText("Your chips: ₫50,000,000");
  await expect(ways.getByRole("link", { name: /^Dragon Tiger / }).filter({ hasNotText: /without|bay/ })).toHaveCount(0);
  await noViolations(page);
  await first.click();
  await expect(page).toHaveURL(new RegExp(`/tables/${table}$`));
  await expect(page.getByRole("radiogroup", { name: "Chips" })).toBeVisible();
});

test("favourite bets are kept and laid by one tap, in later rounds too", async ({ floor, enter }) => {
  const { table, give } = await dealtByHand(floor, enter, GAME, PLAIN);
  const page = await enter("player");
  await sitDown(page, table, 3);
  await openBets(give);
  const lay = page.getByRole("button", { name: "Lay your favourite bets" });
  await expect(lay).toHaveAttribute("aria-disabled", "true");
  for (const bet of ["Banker", "Lucky 6"]) {
    await area(page, bet).click();
    await expect(laid(page, bet)).toHaveText("500K");
  }
  await page.getByRole("button", { name: "Keep these bets as favourite" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(laid(page, "Lucky 6")).toHaveCount(0);
  await page.reload();
  await lay.and(page.locator('[aria-disabled="false"]')).click();
  for (const bet of ["Banker", "Lucky 6"]) await expect(laid(page, bet)).toHaveText("500K");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(laid(page, "Banker")).toHaveCount(0);
});
