// The Dealer's calls that a plain round does not need: the end of a shoe, a Free Hand, choices that are closed, hands
// handed over, and the hands of Niu Niu.
import type { Page } from "@playwright/test";
import { BACCARAT, bets, keys, openBetting, openByHand, PIN, press, reports, sits, WITNESS, word } from "./by-hand";
import { deviceAt, packet } from "./device";
import { expect, type Floor, noViolations, test } from "./floor";
import { laid, money } from "./player";

const HOIANA = "hoiana-baccarat/commission";
const RULES_OF_MBS = [...BACCARAT.filter(({ setting }) => setting !== "layout"), word("layout", "A")];
const NIU_NIU = [money("chip", 100_000), money("minimum", 500_000), money("maximum", 200_000_000), word("layout", "A")];
const NATURAL = ["9s", "2h", "kd", "10c"];

/** A round without wagers, from open betting to its end. */
async function plays(dealer: Page, ...cards: string[]): Promise<void> {
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, ...cards);
  await press(dealer, "Player wins");
  await press(dealer, "Settle");
}

/** Where play stands. */
function procedure(dealer: Page) {
  return dealer.getByRole("region", { name: "Procedure" });
}

/** A call that says a number. */
async function counts(dealer: Page, call: string, label: string, number: number): Promise<void> {
  await press(dealer, call);
  const dialog = dealer.getByRole("dialog");
  await dialog.getByLabel(label).fill(String(number));
  await dialog.getByRole("button", { name: call }).click();
  await expect(dialog).toHaveCount(0);
}

/** What a guest is called at tables. */
async function named(floor: Floor, guest: Page): Promise<string> {
  return (await floor.ask<{ nickname: string }>(guest, "GET", "/api/me")).nickname;
}

/** Opens what the Dealer does for whoever sits there. */
async function at(dealer: Page, seat: number) {
  await dealer.getByRole("button", { name: new RegExp(`Guest .* seat ${seat}`) }).click();
  return dealer.getByRole("dialog");
}

test("a shoe comes to its end, and a count that is wrong brings new cards", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await counts(dealer, "Count the shoe", "Cards counted in the shoe", 415);
  await expect(dealer.getByText("On hold")).toHaveCount(0);
  // No card of the round is out: the cut card comes ahead of it, and makes it the last.
  await press(dealer, "Cut card is out");
  await expect(procedure(dealer)).toContainText("Last hand");
  await plays(dealer, ...NATURAL);

  await press(dealer, "Load the shoe");
  await press(dealer, "Record the shuffle");
  await counts(dealer, "Cut the cards", "Cards above the cut (may be left out)", 100);
  await press(dealer, "Burn");
  await dealer.getByRole("dialog").getByRole("button", { name: "Burn" }).click();
  await press(dealer, "Open betting");
  await press(dealer, "Announce the last hand");
  await press(dealer, "Sure? Announce the last hand");
  await expect(procedure(dealer)).toContainText("Last hand");
  await plays(dealer, ...NATURAL);
  await openBetting(dealer);
  await plays(dealer, ...NATURAL);
  await press(dealer, "Shoe is empty");
  await press(dealer, "Sure? Shoe is empty");
  await openBetting(dealer);
  await plays(dealer, ...NATURAL);

  await counts(dealer, "Count the shoe", "Cards counted in the shoe", 410);
  await expect(dealer.locator(".next")).toContainText("new cards take the place of the shoe");
  // Whoever deals may not order them.
  await press(dealer, "Replace the shoe");
  await expect(dealer.getByRole("alert")).toContainText("Your rank may not do this.");
  await dealer.getByLabel("Somebody above decides at this console").check();
  await dealer.getByLabel("Sign-in name").fill(WITNESS.name);
  await dealer.getByLabel("PIN").fill(PIN);
  await press(dealer, "Replace the shoe");
  await expect(dealer.getByRole("button", { name: "Record the shuffle" })).toBeVisible();
});

test("a card too many opens a Free Hand", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, ...NATURAL);
  await press(dealer, "A card too many came");
  await dealer.getByLabel("The card too many").fill("3c");
  await dealer.getByLabel("The card too many").press("Enter");
  // HB 7.6
  const hold = dealer.getByRole("region", { name: "Surplus" });
  await hold.getByLabel("Which hand").selectOption("Player");
  await hold.getByRole("button", { name: "Report" }).click();
  await expect(hold).toHaveCount(0);
  await press(dealer, "Player wins");
  await press(dealer, "Settle");
  await expect(procedure(dealer)).toContainText("Next hand is free");
  await expect(dealer.getByRole("button", { name: "Open betting" })).toHaveCount(0);
  await press(dealer, "Deal a Free Hand");
  await expect(procedure(dealer)).not.toContainText("Next hand is free");
  await expect(procedure(dealer).locator(".tag", { hasText: "Free Hand" })).toBeVisible();
  await noViolations(dealer);
});

test("the Dealer closes the choice to withdraw and the choice of the shoe", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, BACCARAT);
  const guests = [await enter("player"), await enter("player")];
  for (const [place, guest] of guests.entries()) await sits(floor, guest, table, place + 1);
  const [dealer, manager] = [await enter("dealer"), await enter("shift-manager")];
  await dealer.goto(`/tables/${table}/deal`);
  for (const call of ["Load the shoe", "Record the shuffle", "Cut the cards"]) await press(dealer, call);
  await dealer.getByRole("dialog").getByRole("button", { name: "Cut the cards" }).click();
  await press(dealer, "Open betting");
  await expect(dealer.getByRole("button", { name: "No more bets" })).toBeVisible();
  for (const guest of guests) await bets(floor, guest, table, 1);
  await press(dealer, "No more bets");
  await expect(dealer.getByRole("button", { name: "No more bets" })).toHaveCount(0);

  // HB 7.11.2: what was not burned comes out once cards were seen. The card says so itself, and is not told again.
  await dealer.getByText("A card came before the burn").click();
  await keys(dealer, "9s");
  await expect(dealer.getByText("A card came before the burn")).toHaveCount(0);
  await press(dealer, "Something went wrong");
  const wrong = dealer.getByRole("dialog");
  await expect(wrong.getByRole("button", { name: "Cards not shuffled" })).toBeVisible();
  await expect(wrong.getByRole("button", { name: "Nothing was burned" })).toHaveCount(0);
  await wrong.getByRole("button", { name: "Close" }).click();
  await dealer.getByLabel("Laid on").selectOption("Player");
  await keys(dealer, "2h");
  await floor.command(manager, table, { rule: { remedy: "rebuild", with_withdrawal: true } });
  const answers = dealer.locator(".answers li");
  await answers.filter({ hasText: "seat 1" }).getByRole("button", { name: "Withdraws" }).click();
  await expect(answers.filter({ hasText: "seat 1" }).locator(".tag")).toHaveText("Withdraws");
  await press(dealer, "Close the choice to withdraw");
  await expect(answers).toHaveCount(0);
  await keys(dealer, "kd", "10c");
  await press(dealer, "Player wins");
  await press(dealer, "Settle");

  const dialog = await at(dealer, 2);
  await dialog.getByRole("button", { name: "Wants a new shoe" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await press(dealer, "Close the choice of shoe");
  await expect(dealer.locator(".next")).toContainText("new cards take the place of the shoe");
  await manager.goto(`/tables/${table}/pit`);
  const power = manager.getByRole("region", { name: "Powers" }).locator("li", { hasText: "Replace the shoe" }).first();
  await power.getByRole("button", { name: "Use" }).click();
  await power.getByRole("button", { name: "Replace the shoe" }).click();
  await expect(dealer.getByRole("button", { name: "Record the shuffle" })).toBeVisible();
});

test("the Dealer shows somebody to a seat, and a hand that is passed on goes over the Dealer", async ({ floor, enter }) => {
  const settings = [...RULES_OF_MBS, word("area", "ruby-room"), word("method", "C")];
  const table = await openByHand(floor, enter, "mbs-dragon-tiger", settings);
  const [guest, other] = [await enter("player"), await enter("player")];
  await sits(floor, guest, table, 1);
  await guest.goto(`/tables/${table}`);
  await other.goto(`/tables/${table}`);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await press(dealer, "Show to a seat");
  const dialog = dealer.getByRole("dialog");
  await dialog.getByLabel("Number of the player's account").fill(String(await floor.idOf(other)));
  await dialog.getByLabel("Seat").selectOption("4");
  await dialog.getByRole("button", { name: "Show to a seat" }).click();
  await expect(dialog).toHaveCount(0);
  await at(dealer, 4);
  await dialog.getByLabel("Seat").selectOption("5");
  await dialog.getByRole("button", { name: "Move to the seat" }).click();
  await expect(dialog.getByRole("heading", { name: /seat 5/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Stands" }).click();
  await expect(dialog.getByRole("heading", { name: /standing/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();

  await openBetting(dealer);
  await bets(floor, guest, table, 0);
  await at(dealer, 1);
  await dialog.getByRole("button", { name: "Takes the device" }).click();
  await expect(guest.getByRole("button", { name: "Give up the shoe" })).toBeVisible();
  await dialog.getByRole("button", { name: "Gives the device up" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await guest.getByRole("button", { name: "Take the shoe" }).click();
  await press(dealer, "No more bets");
  for (const side of ["Player", "Banker", "Player", "Banker"]) {
    await guest.getByRole("button", { name: `Draw for ${side}` }).click();
  }
  // MBS 3.12: not from hand to hand.
  await guest.getByRole("region", { name: "Open the Player hand" }).getByRole("button", { name: "Pass to the dealer" }).click();
  await press(dealer, "Hand over the Player's cards");
  await dialog.getByLabel("Player").selectOption({ label: `${await named(floor, other)} · standing` });
  await dialog.getByRole("button", { name: "Hand over the Player's cards" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(other.getByRole("region", { name: "Open the Player hand" })).toBeVisible();
  await expect(guest.getByRole("region", { name: "Open the Player hand" })).toHaveCount(0);
});

test("the Dealer notes who wants to squeeze, and opens what is given back", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, [...BACCARAT, word("squeeze", "on")]);
  const guest = await enter("player");
  await sits(floor, guest, table, 2);
  await guest.goto(`/tables/${table}`);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await bets(floor, guest, table, 1);
  const dialog = await at(dealer, 2);
  await dialog.getByRole("button", { name: "Asks to squeeze" }).click();
  await expect(guest.getByRole("button", { name: "Ask to open the cards" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).click();
  await press(dealer, "No more bets");
  await keys(dealer, "9s", "4h", "8d", "2c");
  // HB 4.8
  const squeeze = guest.getByRole("region", { name: "Open the Player hand" });
  await expect(dealer.getByText(/\(seat 2\) opens this hand/)).toBeVisible();
  await expect(dealer.getByRole("button", { name: "Open the Player hand" })).toHaveCount(0);
  await squeeze.getByRole("button", { name: "Let the dealer open" }).click();
  await expect(squeeze).toHaveCount(0);
  await press(dealer, "Open the Player hand");
  await expect(guest.getByRole("region", { name: "Player", exact: true }).getByLabel("7 points")).toBeVisible();
});

test("where equal wagers have no order, it is ruled who squeezes", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "mbs-dragon-tiger", [...RULES_OF_MBS, word("method", "A")]);
  const guests = [await enter("player"), await enter("player")] as const;
  for (const [place, guest] of guests.entries()) {
    await sits(floor, guest, table, place + 1);
    await guest.goto(`/tables/${table}`);
  }
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  for (const seat of [1, 2]) {
    const dialog = await at(dealer, seat);
    await dialog.getByLabel("Amount", { exact: true }).first().fill("500,000");
    await dialog.getByLabel("Not known when it was laid").check();
    await dialog.getByRole("button", { name: "Place", exact: true }).click();
    await expect(dialog.getByRole("button", { name: "Take back" })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
  }
  await expect(laid(guests[1], "Player")).toHaveText("500K");
  await press(dealer, "No more bets");
  // MBS 3.10.4.1
  await expect(dealer.getByRole("heading", { name: "Who squeezes cannot be told" })).toBeVisible();
  const ruling = dealer.getByRole("list", { name: "Rulings that may be made" }).getByRole("listitem").first();
  await ruling.getByRole("button", { name: "Choose" }).click();
  await ruling.getByLabel("Who opens the cards").selectOption({ label: `${await named(floor, guests[1])} · seat 2` });
  await ruling.getByLabel("Somebody above decides at this console").check();
  await ruling.getByLabel("Sign-in name").fill(WITNESS.name);
  await ruling.getByLabel("PIN").fill(PIN);
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await expect(dealer.getByText(/\(seat 2\) opens this hand/)).toBeVisible();
});

test("hands of Niu Niu are counted, set, barred from and opened", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "hoiana-niu-niu", NIU_NIU);
  const device = await deviceAt(floor, await enter("admin"), table);
  const guests = [await enter("player"), await enter("player")] as const;
  for (const [place, guest] of guests.entries()) {
    await sits(floor, guest, table, place + 1);
    await guest.goto(`/tables/${table}`);
  }
  const [dealer, manager] = [await enter("dealer"), await enter("pit-manager")];
  await dealer.goto(`/tables/${table}/deal`);
  await manager.goto(`/tables/${table}/pit`);
  // NN 4.6.2
  const power = manager.getByRole("region", { name: "Powers" }).locator("li", { hasText: "Restrict to one box" }).first();
  await power.getByRole("button", { name: "Use" }).click();
  await power.getByRole("button", { name: "Restrict to one box" }).click();
  await expect(manager.getByRole("region", { name: "Players" }).getByRole("listitem").filter({ hasText: "seat 1" })).toContainText("one box only");

  await press(dealer, "Load the shoe");
  await press(dealer, "Record the shuffle");
  await press(dealer, "Open betting");
  await expect(dealer.getByRole("button", { name: "No more bets" })).toBeVisible();
  for (const [place, guest] of guests.entries()) {
    const player = await floor.idOf(guest);
    const wager = { player, bet: 0, amount: 500_000, in_chips: true, untimed: false, area: place + 1 };
    await floor.command(guest, table, { place: wager });
  }
  await press(dealer, "No more bets");
  await expect(dealer.locator(".next")).toContainText("the dealing device deals the packets");
  await device(packet("box1", "KS QH JD 5C 6D"));
  await device(packet("box2", "KC QD JS 2C 6H"));
  await device(packet("dealer", "2S 3H 4D 7C 9S"));
  await press(dealer, "Spread and count");

  // NN 7.9: whoever bends cards does not touch them any more.
  await expect(guests[1].getByRole("button", { name: /^Set as/ })).toBeVisible();
  await reports(dealer, "Cards bent or damaged", async (form) => {
    const damaged = form.locator("form").getByLabel("Player");
    const option = damaged.locator("option", { hasText: "seat 2" });
    await damaged.selectOption((await option.getAttribute("value")) ?? "");
  });
  const ruling = manager.getByRole("list", { name: "Rulings that may be made" }).getByRole("listitem").filter({ hasText: "Bar from touching cards" });
  await ruling.getByRole("button", { name: "Choose" }).click();
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(manager.getByText("barred from touching")).toBeVisible();
  await expect(guests[1].getByRole("button", { name: /^Set as/ })).toHaveCount(0);
  await expect(guests[0].getByRole("button", { name: /^Set as/ })).toBeVisible();

  for (const [box, category] of [["Box 1", "Niu 1"], ["Box 2", "Niu 8"]] as const) {
    const hand = dealer.getByRole("region", { name: box, exact: true });
    await expect(hand.getByRole("button", { name: "Set" })).toBeDisabled();
    await hand.getByLabel("Set as").selectOption({ label: category });
    await hand.getByRole("button", { name: "Set" }).click();
    await expect(hand.getByLabel("Set as")).toHaveCount(0);
  }
  await noViolations(dealer);
  await press(dealer, "Open the Dealer's hand");
  await expect(dealer.getByRole("region", { name: "Dealer", exact: true }).getByRole("img", { name: "9 of spades" })).toBeVisible();
  await expect(dealer.getByRole("region", { name: "Box 2", exact: true })).toContainText("Niu 8");
  await press(dealer, "Settle");
  const settlement = dealer.getByRole("region", { name: "Settlement" });
  await expect(settlement.getByRole("listitem").filter({ hasText: "seat 1" })).toContainText("Loses −₫500,000");
  await expect(settlement.getByRole("listitem").filter({ hasText: "seat 2" })).toContainText("Wins +₫");

  // The next hand is nothing yet.
  await press(dealer, "Open betting");
  await expect(dealer.getByRole("button", { name: "No more bets" })).toBeVisible();
  const player = await floor.idOf(guests[0]);
  await floor.command(guests[0], table, { place: { player, bet: 0, amount: 500_000, in_chips: true, untimed: false, area: 1 } });
  await press(dealer, "No more bets");
  await device(packet("box1", "KS QH JD 5C 6D"));
  await device(packet("dealer", "2S 3H 4D 7C 9S"));
  await press(dealer, "Spread and count");
  const again = dealer.getByRole("region", { name: "Box 1", exact: true });
  await expect(again.getByLabel("Set as")).toHaveValue("");
  await expect(again.getByRole("button", { name: "Set" })).toBeDisabled();
});
