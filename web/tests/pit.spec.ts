// The pit's consoles and surveillance's: what waits across tables, rulings, the money of a table, hidden cards.
import { BACCARAT, keys, openBetting, openByHand, press, reports, sits, WITNESS, word } from "./by-hand";
import { expect, noViolations, test } from "./floor";

const GAME = "hoiana-baccarat/commission";
const CLOSED = [...BACCARAT, word("squeeze", "on")];

test("what went wrong waits in the pit and is ruled on there", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  await floor.command(await enter("shift-manager"), table, { "load-shoe": {} });
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await reports(dealer, "Device jammed");
  await expect(dealer.getByRole("heading", { name: "Device jammed" })).toBeVisible();

  const manager = await enter("shift-manager");
  await manager.goto("/pit");
  const waiting = manager.getByRole("region", { name: "Waiting for a decision" });
  await waiting.locator("li", { hasText: "Device jammed" }).getByRole("link").click();
  const ruling = manager.getByRole("list", { name: "Rulings that may be made" }).getByRole("listitem").first();
  await expect(ruling.getByRole("button", { name: /^§/ }).first()).toBeVisible();
  await noViolations(manager);
  await ruling.getByRole("button", { name: "Choose" }).click();
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(manager.getByRole("heading", { name: "Device jammed" })).toHaveCount(0);
  await expect(dealer.getByRole("heading", { name: "Device jammed" })).toHaveCount(0);
});

test("a mistaken report is taken back", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  await reports(manager, "Device jammed");
  await manager.getByText("The report was mistaken").click();
  await press(manager, "Take the report back");
  await expect(manager.getByRole("heading", { name: "Device jammed" })).toHaveCount(0);
});

test("a fill has a witness who shows a PIN", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  await press(manager, "Fill");
  const dialog = manager.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("1000000");
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill("000000");
  await dialog.getByRole("button", { name: "Fill" }).click();
  await expect(manager.getByRole("alert").first()).toBeVisible();
  await expect(dialog.getByLabel("PIN")).toHaveValue("");
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  // Twice in a hurry is once.
  await dialog.getByRole("button", { name: "Fill" }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(manager.getByRole("region", { name: "Money of the table" })).toContainText("40,001,000,000");
});

test("a power is used with its clause beside it", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, [...BACCARAT, word("insurance", "on")]);
  await sits(floor, await enter("player"), table, 1);
  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  const power = manager.getByRole("region", { name: "Powers" }).locator("li", { hasText: "Stop or resume insurance" }).first();
  await power.getByRole("button", { name: "Use" }).click();
  await power.getByRole("combobox").selectOption({ index: 0 });
  await power.getByRole("button", { name: "Switch insurance off" }).click();
  await expect(power.getByRole("button", { name: "Switch insurance off" })).toHaveCount(0);
  await power.getByRole("button", { name: "Use" }).click();
  await expect(power.getByRole("button", { name: "Switch insurance on" })).toBeVisible();
});

test("surveillance sees the closed cards, the Dealer does not", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, CLOSED);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, "9s", "2h");
  await expect(dealer.locator(".hands").getByRole("img", { name: "9 of spades" })).toHaveCount(0);
  await expect(dealer.locator(".hands").getByRole("img", { name: "face-down card" })).toHaveCount(2);

  const watcher = await enter("surveillance");
  await watcher.goto(`/tables/${table}/watch`);
  await expect(watcher.getByRole("img", { name: "9 of spades" })).toBeVisible();
  await expect(watcher.getByRole("button", { name: "Settle" })).toHaveCount(0);
  await noViolations(watcher);
  // Surveillance watches; what happened is for the staff at the table to report.
  await expect(watcher.getByRole("button", { name: "Something went wrong" })).toHaveCount(0);
});

test("a Dealer has no pit", async ({ enter }) => {
  const dealer = await enter("dealer");
  await dealer.goto("/tables/1/pit");
  await expect(dealer.getByText("This view is for those who may bring chips to the table.")).toBeVisible();
});

test("a table that is opened while somebody looks comes to the pit", async ({ floor, enter }) => {
  const manager = await enter("shift-manager");
  await manager.goto("/pit");
  await expect(manager.getByRole("article").first()).toBeVisible();
  await floor.openTable({ game: GAME, settings: BACCARAT, name: "Just opened" });
  await expect(manager.getByRole("article", { name: "Just opened" })).toBeVisible({ timeout: 15_000 });
});
