// What a rank gives power to, used once each in the pit: the money of the table, who is on duty, squeezing, insurance,
// dealing methods, wagers, boxes. Whoever stands too low is refused with the clause, and may call somebody above.
import type { Locator, Page } from "@playwright/test";
import { BACCARAT, bets, keys, openBetting, openByHand, PIN, press, setPin, sits, WITNESS, word } from "./by-hand";
import { expect, noViolations, test } from "./floor";
import { area, laid, money } from "./player";

const HOIANA = "hoiana-baccarat/commission";
const MBS = [
  ...BACCARAT.filter(({ setting }) => setting !== "layout" && setting !== "differential"),
  money("differential", 1_000_000),
  word("layout", "A"),
  word("area", "ruby-room"),
  word("method", "A"),
];

const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
/** A power that can be used now. */
const power = (page: Page, name: string): Locator =>
  region(page, "Powers").locator("> ul > li").filter({ has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) });

/** Opens the form of a power, fills it in and sends it; the form. */
async function use(page: Page, name: string, fill?: (form: Locator) => Promise<unknown>, button = name): Promise<Locator> {
  const one = power(page, name);
  await one.getByRole("button", { name: "Use", exact: true }).click();
  await fill?.(one);
  await one.getByRole("button", { name: button, exact: true }).click();
  return one;
}
/** It was done: the form is gone. */
async function used(page: Page, name: string, fill?: (form: Locator) => Promise<unknown>): Promise<void> {
  await use(page, name, fill);
  await expect(region(page, "Powers").locator("form, .form")).toHaveCount(0);
}
const forSeat = (seat: number) => async (form: Locator) => {
  const option = form.getByRole("combobox").first().locator("option", { hasText: `seat ${seat}` });
  await form.getByRole("combobox").first().selectOption((await option.getAttribute("value")) ?? "");
};

async function proves(form: Locator): Promise<void> {
  await form.getByLabel("Somebody above decides at this console").check();
  await form.getByLabel("Sign-in name").fill(WITNESS.name);
  await form.getByLabel("PIN").fill(PIN);
}

test("credits, the drop and the closing of a table have a witness on duty", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, BACCARAT);
  const guest = await enter("player");
  await setPin(floor, await enter("admin"), await sits(floor, guest, table, 2));
  const dealer = await enter("dealer");
  const person = await floor.idOf(dealer);
  await dealer.goto(`/tables/${table}/deal`);
  await dealer.getByRole("button", { name: /Guest .* seat 2/ }).click();
  const player = dealer.getByRole("dialog");
  const amount = player.getByLabel("Amount", { exact: true });
  await player.getByRole("button", { name: "Buy in" }).click();
  await expect(amount).toHaveAttribute("aria-invalid", "true");
  await expect(player.getByText("Write an amount.")).toBeVisible();
  await amount.fill("2,000,000");
  await player.getByRole("button", { name: "Buy in" }).dblclick();
  await expect(player.getByLabel("Amount", { exact: true })).toHaveValue("");
  // The wallet and tips are the player's own, who gives the PIN each time.
  const tip = player.getByRole("button", { name: "Tip" });
  const pin = player.getByLabel("PIN");
  await amount.fill("100,000");
  await expect(tip).toBeDisabled();
  await pin.fill("000001");
  await tip.click();
  await expect(player.getByRole("alert")).toBeVisible();
  await expect(pin).toHaveValue("");
  await pin.fill(PIN);
  await tip.click();
  await expect(amount).toHaveValue("");
  await player.getByLabel("For cash").uncheck();
  await amount.fill("300,000");
  await expect(player.getByRole("button", { name: "Buy in" })).toBeDisabled();
  await pin.fill(PIN);
  await player.getByRole("button", { name: "Buy in" }).click();
  await expect(amount).toHaveValue("");
  await noViolations(dealer);
  await floor.command(dealer, table, { "sign-off": person });

  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  const purse = region(manager, "Money of the table");
  await expect(purse).toContainText("Float₫39,998,000,000Drop₫2,000,000Tips₫100,000".replace(/(?<=0)(?=[DT])/g, " "));
  // With a player at the table it does not close.
  await expect(purse.getByRole("button", { name: "Close the table" })).toHaveCount(0);

  // Whoever sees it has to be on duty here.
  await press(manager, "Credit");
  const dialog = manager.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("50,000,000,000");
  await expect(dialog).toContainText("at most ₫39,998,000,000");
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Credit" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The float of ₫39,998,000,000 does not cover");
  await noViolations(manager);
  // Whoever saw it shows it again.
  await expect(dialog.getByLabel("PIN")).toHaveValue("");
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByLabel("Amount").fill("998,000,000");
  await dialog.getByRole("button", { name: "Credit" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(manager.getByText("Done: Credit")).toBeVisible();
  await expect(purse).toContainText("Float₫39,000,000,000");

  // The second person signs off: nobody sees it any more.
  const pit = await floor.idOf(await enter("pit-manager"));
  const staff = region(manager, "Staff on duty");
  await staff.getByRole("button", { name: /^Sign off: / }).click();
  await staff.getByRole("button", { name: /^Sure\? Sign off: / }).click();
  await expect(staff.getByRole("listitem")).toHaveCount(1);
  await press(manager, "Count the drop");
  await expect(dialog).toContainText("In the drop box: ₫2,000,000");
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Count the drop" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await staff.getByLabel("Staff number").fill(String(pit));
  await staff.getByRole("button", { name: "Sign on", exact: true }).click();
  await expect(staff).toContainText("Pit Manager");
  await press(manager, "Count the drop");
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Count the drop" }).click();
  await expect(purse).toContainText("Drop₫0");

  await floor.command(dealer, table, { "sign-on": { person, rank: 0 } });
  await player.getByRole("button", { name: "Leaves with all chips" }).dblclick();
  await player.getByRole("button", { name: "Sure? Leaves with all chips" }).click();
  await expect(player).toHaveCount(0);
  await expect(dealer.getByText("Nobody is at the table.")).toBeVisible();
  await press(manager, "Close the table");
  await dialog.getByLabel("Float as counted").fill("39,000,000,000");
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Close the table" }).click();
  await expect(manager.locator(".status")).toContainText("Table closed");
  await expect(dealer.locator(".next")).toContainText("The table is closed");
  await expect(purse.getByRole("button")).toHaveCount(0);
});

test("who stands too low calls somebody above: squeezing is forbidden, and allowed again", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, [...BACCARAT, word("squeeze", "on")]);
  const guest = await enter("player");
  await sits(floor, guest, table, 3);
  await guest.goto(`/tables/${table}`);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await bets(floor, guest, table, 1);
  await expect(guest.getByRole("button", { name: "Ask to open the cards" })).toBeVisible();

  const inspector = await enter("inspector");
  await inspector.goto(`/tables/${table}/pit`);
  const form = await use(inspector, "Forbid squeezing", forSeat(3));
  await expect(form.getByRole("alert")).toContainText("Your rank may not do this.");
  await expect(form.getByRole("alert").getByRole("button", { name: "§ HB 4.8" })).toBeVisible();
  await noViolations(inspector);
  await proves(form);
  await form.getByLabel("PIN").fill("000000");
  await form.getByRole("button", { name: "Forbid squeezing" }).click();
  await expect(form.getByRole("alert")).not.toContainText("Your rank may not do this.");
  await form.getByLabel("PIN").fill(PIN);
  await form.getByRole("button", { name: "Forbid squeezing" }).click();
  await expect(form.locator("form, .form")).toHaveCount(0);
  const asks = guest.getByRole("button", { name: "Ask to open the cards" });
  await expect(asks).toHaveCount(0);
  // HB-Q64: whoever may forbid it may allow it again.
  const manager = await enter("pit-manager");
  await manager.goto(`/tables/${table}/pit`);
  await use(manager, "Forbid squeezing", forSeat(3), "Lift it again");
  await expect(asks).toBeVisible();
});

test("insurance that was missed is allowed, and the Banker's card is shown first", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, HOIANA, [...BACCARAT, word("insurance", "on")]);
  const guest = await enter("player");
  const player = await sits(floor, guest, table, 3);
  await guest.goto(`/tables/${table}`);
  const [dealer, manager] = [await enter("dealer"), await enter("shift-manager")];
  await dealer.goto(`/tables/${table}/deal`);
  await manager.goto(`/tables/${table}/pit`);
  await openBetting(dealer);
  const lays = (bet: number) =>
    floor.command(guest, table, { place: { player, bet, amount: 2_000_000, in_chips: true, untimed: false } });
  await lays(0);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, "kc", "ks", "4d", "6h");
  // HB 6.4: it is due, but the Dealer draws on.
  await expect(dealer.getByRole("button", { name: "Offer insurance" })).toBeVisible();
  await dealer.getByText("The next card ends the insurance").click();
  await keys(dealer, "7h");
  await used(manager, "Allow a missed insurance");
  const sheet = guest.getByRole("region", { name: "Insurance on Banker" });
  await expect(sheet).toContainText("pays 7:1");
  // The Dealer takes it in chips.
  const panel = dealer.getByRole("region", { name: "Insurance · Banker" });
  await panel.getByRole("textbox").fill("200,000");
  await panel.getByRole("button", { name: "Insure" }).click();
  await expect(sheet).toContainText("Insured: ₫200,000");
  // What was typed for this offer is gone with it.
  await panel.getByRole("textbox").fill("300,000");
  await press(dealer, "Close insurance");
  await expect(sheet).toHaveCount(0);
  await keys(dealer, "td");

  /** The next round, with a wager on a hand. */
  const again = async (winner: string, bet: number) => {
    await press(dealer, winner);
    await press(dealer, "Settle");
    await press(dealer, "Open betting");
    await expect(dealer.getByRole("button", { name: "No more bets" })).toBeVisible();
    await lays(bet);
    await press(dealer, "No more bets");
    await expect(dealer.getByText("Player's first card")).toBeVisible();
  };
  await again("Banker wins", 0);
  await keys(dealer, "kc", "ks", "4d", "6h");
  await press(dealer, "Offer insurance");
  await expect(sheet).toContainText("pays 3:1");
  await expect(panel.getByRole("textbox")).toHaveValue("");
  await press(dealer, "Close insurance");
  await expect(sheet).toHaveCount(0);
  await keys(dealer, "ts");

  await again("Banker wins", 1);
  await expect(power(manager, "Show the Banker's card first")).toHaveCount(0);
  await keys(dealer, "kd", "kh", "5d", "2h");
  // HB 6.4.4
  await used(manager, "Show the Banker's card first", forSeat(3));
  await expect(power(manager, "Show the Banker's card first")).toHaveCount(0);
});

test("the dealing method is chosen, and somebody without a wager may draw", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "mbs-dragon-tiger", MBS);
  const guest = await enter("player");
  await sits(floor, guest, table, 1);
  await guest.goto(`/tables/${table}`);
  const manager = await enter("shift-manager");
  await manager.goto(`/tables/${table}/pit`);
  const status = manager.locator(".status");
  // MBS 3.9.2
  await used(manager, "Choose dealing method A or B", (form) => form.getByLabel("Method").selectOption("B"));
  await expect(manager.getByText("Done: Choose dealing method A or B")).toBeVisible();
  await expect(power(manager, "Choose dealing method A or B").getByRole("button", { name: "Use" })).toBeFocused();
  await expect(power(manager, "Let a player draw without a wager")).toHaveCount(0);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await expect(status).toContainText("Method B");
  await expect(power(manager, "Choose dealing method C")).toHaveCount(0);
  await press(dealer, "No more bets");
  await expect(dealer.getByRole("button", { name: "No more bets" })).toHaveCount(0);
  await keys(dealer, "9s", "2h", "kd", "tc");
  await press(dealer, "Player wins");
  await press(dealer, "Settle");
  await used(manager, "Choose dealing method C");
  await expect(guest.getByRole("button", { name: "Take the shoe" })).toHaveCount(0);
  // MBS 3.12.2
  await used(manager, "Let a player draw without a wager", forSeat(1));
  await guest.getByRole("button", { name: "Take the shoe" }).click();
  await expect(manager.getByText("has the device")).toBeVisible();
  await press(dealer, "Open betting");
  await expect(status).toContainText("Method C");
});

test("wagers are laid, limited and removed in the pit, and a hand goes to who is chosen", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "mbs-dragon-tiger", MBS);
  const guests = [await enter("player"), await enter("player")] as const;
  for (const [at, guest] of guests.entries()) {
    await sits(floor, guest, table, at + 1);
    await guest.goto(`/tables/${table}`);
  }
  const [dealer, manager] = [await enter("dealer"), await enter("pit-manager")];
  await dealer.goto(`/tables/${table}/deal`);
  await manager.goto(`/tables/${table}/pit`);
  await openBetting(dealer);

  // MBS 3.8
  const forPlayer = power(manager, "Place a wager for a player");
  await forPlayer.getByRole("button", { name: "Use", exact: true }).click();
  const place = async (seat: number, bet: string, amount: string, place?: string) => {
    await forSeat(seat)(forPlayer);
    await forPlayer.getByLabel("Bet").selectOption({ label: bet });
    await forPlayer.getByLabel("Amount").fill(amount);
    if (place !== undefined) await forPlayer.getByLabel("Area").selectOption(place);
    await forPlayer.getByRole("button", { name: "Place", exact: true }).click();
  };
  await place(1, "Player", "2,000,000");
  await expect(laid(guests[0], "Player")).toHaveText("2M");
  // MBS 3.7.1: one in each area from now on.
  await used(manager, "Lower the wagers per area", (form) => form.getByLabel("Most wagers in an area").fill("1"));
  await forPlayer.getByRole("button", { name: "Use", exact: true }).click();
  await place(2, "Player", "500,000", "1");
  await expect(forPlayer.getByRole("alert").getByRole("button", { name: /^§ MBS 3\.7/ }).first()).toBeVisible();
  await forPlayer.getByRole("button", { name: "Use", exact: true }).click();

  // MBS 5.18.3: the Player's side is too heavy.
  await expect(dealer.getByRole("button", { name: "No more bets" })).toHaveCount(0);
  await press(dealer, "Ask to reduce");
  await manager.goto("/pit");
  const waiting = manager.getByRole("region", { name: "Waiting for a decision" }).getByRole("listitem").filter({ hasText: "Differential" });
  await expect(waiting).toContainText("Player over the differential by ₫1,000,000");
  await manager.goto(`/tables/${table}/pit`);
  await used(manager, "Remove wagers over the differential");
  await expect(dealer.getByText("No wagers lie on the layout.")).toBeVisible();

  await area(guests[0], "Player").click();
  await expect(laid(guests[0], "Player")).toHaveText("500K");
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, "9s", "4h", "8d", "2c");
  const squeeze = (guest: Page) => guest.getByRole("region", { name: "Open the Player hand" });
  await expect(squeeze(guests[0])).toBeVisible();
  // MBS 3.16
  await used(manager, "Allow squeezing", async (form) => {
    await forSeat(2)(form);
    await form.getByLabel("Which hand").selectOption("Player");
  });
  await expect(squeeze(guests[1])).toBeVisible();
  await expect(squeeze(guests[0])).toHaveCount(0);
  // MBS 3.10.6
  await used(manager, "Choose which hand opens first", (form) => form.getByLabel("Which hand").selectOption("Banker"));
  await expect(squeeze(guests[1])).toHaveCount(0);
  await press(dealer, "Open the Banker hand");
  await squeeze(guests[1]).getByRole("button", { name: "Turn over" }).click();
  await expect(dealer.getByRole("button", { name: "Player wins" })).toBeVisible();
});

test("the wager that was chosen is removed, though another was taken back meanwhile", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "mbs-dragon-tiger", MBS);
  const guests = [await enter("player"), await enter("player"), await enter("player")];
  const players: number[] = [];
  for (const [place, guest] of guests.entries()) players.push(await sits(floor, guest, table, place + 1));
  const [dealer, manager] = [await enter("dealer"), await enter("pit-manager")];
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  const lays = async (at: number, bet: number, amount: number) => {
    const [guest, player] = [guests[at], players[at]];
    if (!guest || !player) throw new Error(`nobody sits at ${at}`);
    await floor.command(guest, table, { place: { player, bet, amount, in_chips: true, untimed: false } });
  };
  const [PLAYER, BANKER] = [0, 1];
  for (const at of [0, 1, 2]) await lays(at, PLAYER, 1_500_000);
  await lays(2, BANKER, 500_000);
  // Whoever is asked first may take back himself (MBS 5.18.1).
  await press(dealer, "Ask to reduce");

  await manager.goto(`/tables/${table}/pit`);
  const one = power(manager, "Remove wagers over the differential");
  await one.getByRole("button", { name: "Use", exact: true }).click();
  const options = one.getByLabel("Which wager").locator("option");
  await expect(options, "none of the lighter hand").toHaveCount(3);
  await one.getByLabel("Which wager").selectOption({ index: 1 });
  const [guest, player] = [guests[0], players[0]];
  if (!guest || !player) throw new Error("nobody sits there");
  await floor.command(guest, table, { "take-back": { player, bet: PLAYER } });
  await expect(options).toHaveCount(2);
  await one.getByRole("button", { name: "Remove wagers over the differential" }).click();
  const lying = dealer.getByRole("region", { name: "Wagers" }).getByRole("listitem");
  await expect(lying).toHaveCount(2);
  await expect(lying.filter({ hasText: "seat 3" })).toHaveCount(2);
});
