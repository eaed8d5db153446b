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

test("a table's small felt shows what won until wagers are taken again", async ({ enter, floor }) => {
  const page = await enter("nobody");
  const tables = await floor.ask<{ id: number }[]>(page, "GET", "/api/tables");
  const result = { winner: "banker", player_points: 4, banker_points: 7, player_cards: 2, banker_cards: 2, player_pair: false, banker_pair: false };
  const board = await floor.ask<object>(page, "GET", "/api/tables/1/roads");
  for (const [phase, lit] of [["ready", 2], ["bets-open", 0], ["initial-deal", 0]] as const) {
    await page.route((url) => url.pathname === "/api/tables", (route) => route.fulfill({ json: tables.map((table) => ({ ...table, phase })) }));
    await page.route((url) => url.pathname === "/api/tables/1/roads", (route) => route.fulfill({ json: { ...board, marks: [{ result }] } }));
    await page.goto("/");
    const card = page.locator("main article").first();
    await expect(card.locator("svg .area").first()).toBeVisible();
    await expect(card.locator("svg .banker.won")).toHaveCount(lit);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
});

test("while the tables are asked for, and where there are none, the lobby says so", async ({ enter }) => {
  const page = await enter("nobody");
  let answer: (() => void) | undefined;
  const held = new Promise<void>((go) => (answer = go));
  await page.route((url) => url.pathname === "/api/tables", async (route) => {
    await held;
    await route.fulfill({ json: [] });
  });
  await page.goto("/");
  await expect(page.locator(".ghost").first()).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeAttached();
  answer?.();
  await expect(page.getByRole("heading", { name: "No table is open" })).toBeVisible();
  await expect(page.locator(".ghost")).toHaveCount(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
