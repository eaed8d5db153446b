// A table dealt by hand with people at it: staff on duty, chips in the float, guests with money. Used by the tests of
// the consoles.
import type { Locator, Page } from "@playwright/test";
import type { ChosenSetting, DemoRole } from "../src/api/schema";
import { expect, type Floor } from "./floor";
import { LIMITS, word } from "./player";

export { word };

type Enter = (role: DemoRole) => Promise<Page>;

/** The PIN that the pit manager of these tests has. */
export const PIN = "729164";
export const WITNESS = { name: "demo-pit-manager", pin: PIN };
const FLOAT = 40_000_000_000;

export const BACCARAT: ChosenSetting[] = [
  ...LIMITS,
  word("layout", "A.1"),
];

/** Opens a table, puts the Dealer and the managers on duty and fills the float; its id. */
export async function openByHand(floor: Floor, enter: Enter, game: string, settings: ChosenSetting[]): Promise<number> {
  const table = await floor.openTable({ game, settings });
  const admin = await enter("admin");
  const [shift, pit, dealer] = [await enter("shift-manager"), await enter("pit-manager"), await enter("dealer")];
  await setPin(floor, admin, await floor.idOf(pit));
  for (const page of [shift, pit, dealer]) {
    await floor.command(page, table, { "sign-on": { person: await floor.idOf(page), rank: 0 } });
  }
  await floor.command(shift, table, { fill: { amount: FLOAT, witness: 0 } }, { witness: WITNESS });
  return table;
}

/** Gives somebody the PIN of these tests. */
export async function setPin(floor: Floor, admin: Page, id: number): Promise<void> {
  const origin = floor.url;
  const set = await admin.request.patch(`${origin}/api/people/${id}`, { data: { pin: PIN }, headers: { origin } });
  expect(set.ok(), await set.text()).toBe(true);
}

/** A guest who sits down and takes chips. */
export async function sits(floor: Floor, guest: Page, table: number, seat: number): Promise<number> {
  const player = await floor.idOf(guest);
  await floor.command(guest, table, { sit: { player, seat } });
  await floor.command(guest, table, { "buy-in": { player, amount: 10_000_000, cash: false } });
  return player;
}

/** A guest lays chips. */
export async function bets(floor: Floor, guest: Page, table: number, bet: number): Promise<void> {
  const player = await floor.idOf(guest);
  await floor.command(guest, table, { place: { player, bet, amount: 500_000, in_chips: true, untimed: false } });
}

/** The shoe is loaded, shuffled, cut and burned, and betting opens, by the Dealer's buttons. */
export async function openBetting(dealer: Page): Promise<void> {
  await press(dealer, "Load the shoe");
  await press(dealer, "Record the shuffle");
  for (const call of ["Cut the cards", "Burn"]) {
    await press(dealer, call);
    await dealer.getByRole("dialog").getByRole("button", { name: call }).click();
    await expect(dealer.getByRole("dialog")).toHaveCount(0);
  }
  await press(dealer, "Open betting");
  await expect(dealer.getByRole("button", { name: "No more bets", exact: true })).toBeVisible();
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Keys cards in, one after the other, each when the one before has been taken. */
export async function keys(dealer: Page, ...cards: string[]): Promise<void> {
  for (const card of cards) {
    const drawn = await dealer.locator(".hands .card:not(.slot)").count();
    // The field for a card that came too early is another one, and may be there but closed.
    const field = dealer.getByLabel("The card drawn").filter({ visible: true });
    await field.pressSequentially(card);
    await field.press("Enter");
    await expect(dealer.locator(".hands .card:not(.slot)")).toHaveCount(drawn + 1);
  }
}

/** Something went wrong: the report, by its words, and what else is said in it. */
export async function reports(page: Page, kind: string, say?: (form: Locator) => Promise<unknown>): Promise<void> {
  await press(page, "Something went wrong");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: kind, exact: true }).click();
  await say?.(dialog);
  // The button says what would follow, once that is known.
  await dialog.locator("form button[type=submit]").click();
}
