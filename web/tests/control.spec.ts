// Control at a table dealt by hand: what would follow is told before it is reported, a second person confirms what ends a
// round, a card that was seen is put right for a reason, and bets are taken as fast as chips are laid.
import type { Page } from "@playwright/test";
import { BACCARAT, bets, keys, openBetting, PIN, press, reports, setPin, sits, word } from "./by-hand";
import { expect, type Floor, noViolations, test } from "./floor";
import type { DemoRole } from "../src/api/schema";

const GAME = "hoiana-baccarat/commission";
const STRICT = { controls: { second_person: "pit-supervisor", house_reads: true } };

/** A table with the controls of the house, the Dealer and the pit on duty, and chips in the float. */
async function controlled(floor: Floor, enter: (role: DemoRole) => Promise<Page>, settings = BACCARAT): Promise<number> {
  const table = await floor.openTable({ game: GAME, opening: { game: GAME, settings, ...STRICT } });
  const admin = await enter("admin");
  const [shift, pit, dealer] = [await enter("shift-manager"), await enter("pit-manager"), await enter("dealer")];
  await setPin(floor, admin, await floor.idOf(pit));
  for (const page of [shift, pit, dealer]) {
    await floor.command(page, table, { "sign-on": { person: await floor.idOf(page), rank: 0 } });
  }
  const witness = { name: "demo-pit-manager", pin: PIN };
  await floor.command(shift, table, { fill: { amount: 40_000_000_000, witness: 0 } }, { witness });
  return table;
}

test("a void is told before it is reported, and waits for a second person at the console", async ({ floor, enter }) => {
  const table = await controlled(floor, enter);
  const guest = await enter("player");
  await sits(floor, guest, table, 1);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await bets(floor, guest, table, 0);
  await press(dealer, "No more bets");
  await keys(dealer, "9s");
  await press(dealer, "Something went wrong");
  const dialog = dealer.getByRole("dialog");
  await dialog.getByRole("button", { name: "Foreign, surplus or missing card", exact: true }).click();
  await expect(dialog.getByText("Nothing has happened yet")).toBeVisible();
  await expect(dialog).toContainText("VOID round 1, give back 500K");
  await expect(dialog.getByText("Go back: ₫500,000")).toBeVisible();
  await noViolations(dealer);
  // A wrong choice is left without a trace.
  await dealer.keyboard.press("Escape");
  await expect(dealer.getByText("Player's second card").or(dealer.getByText("Banker's first card"))).toBeVisible();
  await reports(dealer, "Foreign, surplus or missing card");
  const second = dealer.getByRole("region", { name: "A second person" });
  await expect(second).toContainText("Pit Supervisor or above");
  const confirm = second.getByRole("button", { name: "Confirm: VOID round 1, give back 500K" });
  // Whoever found it does not confirm it.
  await second.getByLabel("Sign-in name").fill("demo-dealer");
  await second.getByLabel("PIN").fill(PIN);
  await confirm.click();
  await expect(second.getByRole("alert")).toBeVisible();
  await second.getByLabel("Sign-in name").fill("demo-pit-manager");
  await second.getByLabel("PIN").fill(PIN);
  await confirm.click();
  await expect(dealer.getByText("Round 1 is VOID: every wager went back.")).toBeVisible();
  await expect(dealer.locator("#wagers ~ ol"), "a wager handed back shows its amount").toContainText("Returned ₫500,000");
});

test("the pit confirms at its own console, and whoever reported it may take it back before", async ({ floor, enter }) => {
  const table = await controlled(floor, enter);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await keys(dealer, "9s");
  await reports(dealer, "Foreign, surplus or missing card");
  await press(dealer, "It was a mistake: take the report back");
  await expect(dealer.getByLabel("The card drawn")).toBeVisible();
  await reports(dealer, "Foreign, surplus or missing card");
  const pit = await enter("pit-manager");
  await pit.goto(`/tables/${table}/pit`);
  await pit.getByRole("button", { name: /^Confirm: VOID round 1/ }).click();
  await expect(dealer.getByText("Round 1 is VOID")).toBeVisible();
});

test("a card put right needs a reason, after the result a second person, and is marked everywhere", async ({ floor, enter }) => {
  const table = await controlled(floor, enter);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await keys(dealer, "8s", "2h", "kd");
  await dealer.getByRole("button", { name: "Correct card 1" }).click();
  const dialog = dealer.getByRole("dialog");
  const card = dialog.getByLabel("The card really is");
  await card.fill("7s");
  await card.press("Enter");
  await expect(dialog.getByLabel("What went wrong")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByRole("button", { name: "misread", exact: true }).click();
  await card.fill("7s");
  await card.press("Enter");
  await expect(dealer.getByRole("list", { name: "Corrections in this round" })).toContainText("misread");
  // Seven against six: the cards have told the result.
  await keys(dealer, "4c");
  await expect(dealer.getByRole("button", { name: "Player wins" })).toBeVisible();
  await dealer.getByRole("button", { name: "Correct card 1" }).click();
  await dialog.getByLabel("What went wrong").fill("the camera shows a nine");
  await card.fill("9s");
  await card.press("Enter");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Sign-in name").fill("demo-pit-manager");
  await dialog.getByLabel("PIN").fill(PIN);
  await card.fill("9s");
  await card.press("Enter");
  await expect(dialog).toHaveCount(0);
  const onlooker = await enter("player");
  await onlooker.goto(`/tables/${table}`);
  const marks = onlooker.getByRole("list", { name: "Corrections in this round" });
  await expect(marks).toContainText("after the result · seen by a second person");
});

test("a player does not say what the cards are; the Dealer keys what the player opens", async ({ floor, enter }) => {
  const table = await controlled(floor, enter, [...BACCARAT, word("squeeze", "on")]);
  const guest = await enter("player");
  const player = await sits(floor, guest, table, 1);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await bets(floor, guest, table, 1);
  await floor.command(guest, table, { "ask-squeeze": { player } });
  await press(dealer, "No more bets");
  for (let card = 1; card <= 4; card += 1) {
    await press(dealer, "Face down, not read");
    await expect(dealer.locator(".hands .card:not(.slot)")).toHaveCount(card);
  }
  const origin = floor.url;
  const told = { id: `test-${crypto.randomUUID()}`, action: { reveal: { side: "player", told: ["9S", "KD"] } } };
  for (const side of ["player", "banker"]) {
    const answer = await guest.request.post(`${origin}/api/tables/${table}/commands`, {
      data: { ...told, id: `test-${crypto.randomUUID()}`, action: { reveal: { side, told: ["9S", "KD"] } } },
      headers: { origin },
    });
    expect(answer.ok(), "a player never names a card").toBe(false);
  }
  const field = dealer.getByLabel(/^Key what .* opens/).first();
  await field.fill("9s kd");
  await field.press("Enter");
  await field.press("Enter");
  await expect(dealer.getByRole("img", { name: "9 of spades" })).toBeVisible();
  await expect(dealer.getByText("On hold")).toHaveCount(0);
});

test("bets are keyed in a breath, repeated, and paid seat by seat", async ({ floor, enter }) => {
  const table = await controlled(floor, enter);
  for (const seat of [1, 3]) await sits(floor, await enter("player"), table, seat);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  const line = dealer.getByLabel(/^Seat, area/);
  await expect(line).toBeFocused();
  await line.pressSequentially("1 B 1M T 500K 3 P 2M");
  await dealer.keyboard.press("Enter");
  await expect(dealer.getByRole("button", { name: /^Banker, seat 1 ₫1,000,000/ })).toBeVisible();
  await expect(dealer.getByRole("button", { name: /^Player, seat 3 ₫2,000,000/ })).toBeVisible();
  await expect(line).toHaveValue("");
  await line.pressSequentially("3 Z 5");
  await expect(dealer.getByText("Z is not understood")).toBeVisible();
  await dealer.keyboard.press("Escape");
  await noViolations(dealer);
  await dealer.keyboard.press("End");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, "9s", "2h", "kd", "10c");
  const pay = dealer.getByRole("region", { name: "Pay and take" });
  await expect(pay.getByRole("button", { name: /^1 / })).toContainText("Take Banker 1M");
  await expect(pay.getByRole("button", { name: /^3 / })).toContainText("Pay Player 2M");
  await pay.getByRole("button", { name: /^3 / }).click();
  await press(dealer, "Settle");
  await press(dealer, "Open betting");
  await line.pressSequentially("R R");
  await dealer.keyboard.press("Enter");
  await expect(dealer.getByRole("button", { name: /^Player, seat 3 ₫2,000,000/ })).toBeVisible();
});

test("a preparation does not loop, and from each state there is a way on", async ({ floor, enter }) => {
  const table = await controlled(floor, enter);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  const seen: string[] = [];
  // Whoever presses what is gold, and keys what is asked for, comes through rounds.
  const cards = ["9s", "2h", "kd", "10c", "8d", "3h", "ks", "jc"];
  for (let step = 0; step < 30 && seen.filter((one) => one === "Settle").length < 2; step += 1) {
    const gold = dealer.locator(".big button.primary:not(:disabled)");
    const field = dealer.getByLabel("The card drawn").filter({ visible: true });
    await expect(gold.or(field).first()).toBeVisible();
    if ((await gold.count()) > 0) {
      const name = (await gold.first().textContent())?.trim() ?? "";
      seen.push(name);
      await gold.first().click();
      const dialog = dealer.getByRole("dialog");
      if (await dialog.isVisible().catch(() => false)) await dialog.getByRole("button", { name, exact: true }).click();
      await expect(dialog).toHaveCount(0);
      await dealer.waitForTimeout(250);
    } else {
      await keys(dealer, cards[seen.filter((one) => one === "card").length % cards.length] ?? "9s");
      seen.push("card");
    }
  }
  expect(seen.filter((one) => one === "Settle").length, seen.join(", ")).toBe(2);
  expect(seen.filter((one) => one === "Load the shoe")).toHaveLength(1);
});
