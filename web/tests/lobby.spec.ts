// The lobby: every table as a card, by family, as it happens, with the ways in for those who work there.
import { expect, test } from "./floor";

const card = "main article";

test("shows every table of the floor, and those of one family", async ({ enter, floor }) => {
  const page = await enter("player");
  const tables = await floor.ask<{ rulebook: string }[]>(page, "GET", "/api/tables");
  await page.goto("/");
  await expect(page.locator(card)).toHaveCount(tables.length);
  await page.getByRole("button", { name: "Niu Niu" }).click();
  await expect(page.locator(card)).toHaveCount(tables.filter(({ rulebook }) => rulebook.includes("niu-niu")).length);
  await page.getByRole("button", { name: "All" }).click();
  await expect(page.locator(card)).toHaveCount(tables.length);
});

test("follows the tables without being loaded again, and tells the results in words", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/");
  const first = page.locator(card).filter({ has: page.getByRole("heading", { name: "Baccarat", exact: true }) });
  const round = first.locator("dd").nth(2);
  const before = Number(await round.textContent());
  await expect.poll(async () => Number(await round.textContent()), { timeout: 40_000 }).toBeGreaterThan(before + 1);
  await expect(first.getByText(/Banker \d+, Player \d+, Tie \d+\. Latest/)).toBeAttached();
});

test("tells the hands of the last round where a game has no roads", async ({ enter, floor }) => {
  const page = await enter("nobody");
  const tables = await floor.ask<object[]>(page, "GET", "/api/tables");
  const board = await floor.ask<object>(page, "GET", "/api/tables/7/roads");
  // A round of Niu Niu lasts long: this one has just ended.
  const hands = [{ holder: "dealer", cards: [], is_set: true, set_as: "niu-9" }];
  const told: Record<string, unknown> = {
    "/api/tables": tables.map((table) => ({ ...table, round: 2 })),
    "/api/tables/7/roads": { ...board, marks: ["played"] },
    "/api/tables/7/rounds": { rounds: [{ round: 1, mark: "played" }] },
    "/api/tables/7/rounds/1": { kept: { round: 1, mark: "played", felt: { hands } } },
  };
  await page.route(
    (url) => url.pathname in told,
    (route) => route.fulfill({ json: told[new URL(route.request().url()).pathname] }),
  );
  await page.goto("/");
  const boxes = page.locator(card).filter({ has: page.getByRole("heading", { name: "Niu Niu", exact: true }) });
  await expect(boxes.getByRole("list", { name: "Hands of the last round" })).toHaveText("Dealer Niu 9");
  await expect(boxes.locator(".mark")).toHaveCount(0);
});

test("leads a player to a table, and staff to where they work", async ({ enter }) => {
  const guest = await enter("player");
  await guest.goto("/");
  const work = { name: /^(Deal|Pit|Watch)$/ };
  await expect(guest.locator(card).first()).toBeVisible();
  await expect(guest.locator(card).getByRole("link", work)).toHaveCount(0);
  await guest.locator(card).getByRole("link", { name: "Niu Niu", exact: true }).click();
  await expect(guest).toHaveURL("/tables/7");

  const dealer = await enter("dealer");
  await dealer.goto("/");
  const byHand = dealer.locator(card).filter({ hasText: "Dealer at the table" }).first();
  await expect(dealer.locator(card).getByRole("link", { name: "Pit", exact: true })).toHaveCount(0);
  await byHand.getByRole("link", { name: "Deal", exact: true }).click();
  await expect(dealer).toHaveURL(/\/tables\/\d+\/deal$/);

  const manager = await enter("shift-manager");
  await manager.goto("/");
  await expect(manager.locator(card).first().getByRole("link", { name: "Pit", exact: true })).toBeVisible();

  const watch = await enter("surveillance");
  await watch.goto("/");
  await expect(watch.locator(card).first().getByRole("link", { name: "Watch" })).toBeVisible();
});
