// A player's way through the table screen, for the tests of it: a table with staff on duty, a seat taken in the
// browser, and where wagers, chips and cards are found.
import type { Page } from "@playwright/test";
import type { Action, ChosenSetting } from "../src/api/schema";
import { expect, type Floor } from "./floor";

type Enter = (role: "player" | "shift-manager" | "admin" | "nobody", options?: object) => Promise<Page>;

export const money = (setting: ChosenSetting["setting"], amount: number): ChosenSetting => ({ setting, value: { money: amount } });
export const count = (setting: ChosenSetting["setting"], number: number): ChosenSetting => ({ setting, value: { count: number } });
export const word = (setting: ChosenSetting["setting"], text: string): ChosenSetting => ({ setting, value: { word: text } });

/** What every table of these tests has in common. */
export const LIMITS: ChosenSetting[] = [
  count("burn", 1),
  count("cut-card", 26),
  money("chip", 100_000),
  money("minimum", 500_000),
  money("maximum", 200_000_000),
  money("differential", 600_000_000),
];

export const BACCARAT: ChosenSetting[] = [
  ...LIMITS,
  count("betting-seconds", 600),
  count("insurance-seconds", 600),
  count("option-seconds", 600),
  word("layout", "A.1"),
  word("squeeze", "on"),
  word("insurance", "on"),
];

/** A table with staff on duty and chips in its float, by default dealt by hand; gives commands as who runs it. */
export async function dealtByHand(floor: Floor, enter: Enter, game: string, settings: ChosenSetting[], how = {}) {
  const table = await floor.openTable({ game, settings, ...how });
  const [manager, admin] = [await enter("shift-manager"), await enter("admin")];
  const name = `witness-${table}`;
  const grants = [{ staff: { rank: "dealer" } }];
  const { id: witness } = await floor.ask<{ id: number }>(admin, "POST", "/api/people", { name, grants });
  const pin = "729164";
  const path = `${floor.url}/api/people/${witness}`;
  const changed = await admin.request.patch(path, { data: { pin, on_duty: true }, headers: { origin: floor.url } });
  expect(changed.ok(), await changed.text()).toBe(true);
  const give = (action: Action, given = {}) => floor.command(manager, table, action, given);
  for (const person of [await floor.idOf(manager), witness]) await give({ "sign-on": { person, rank: 0 } });
  await give({ fill: { amount: 5_000_000_000, witness } }, { witness: { name, pin } });
  return { table, give };
}

/** Makes the shoe ready and opens betting. */
export async function openBets(give: (action: Action) => Promise<unknown>): Promise<void> {
  for (const action of [
    { "load-shoe": {} },
    "record-shuffle",
    { "cut-cards": {} },
    { burn: { count: 1, cards: ["2S"] } },
    "open-bets",
  ] as const) {
    await give(action as Action);
  }
}

export const draw = (card: string): Action => ({ draw: { card, exposed: false } });

/** Takes a seat in the browser, with the sum that is offered. */
export async function sitDown(page: Page, table: number, seat: number): Promise<void> {
  await page.goto(`/tables/${table}`);
  await page.getByRole("button", { name: `Take seat ${seat}` }).click();
  await page.getByRole("button", { name: /^Sit down with/ }).click();
  await expect(page.getByRole("radiogroup", { name: "Chips" })).toBeVisible();
}

export const area = (page: Page, bet: string) =>
  page.locator("[data-area]").filter({ has: page.locator(".name", { hasText: new RegExp(`^${bet}$`) }) });
/** What lies in an area, without what is still on its way. */
export const laid = (page: Page, bet: string) => area(page, bet).locator(".pile:not(.ghost) .amount");
export const balance = (page: Page) => page.getByRole("region", { name: "Your chips" }).locator("strong .unseen").first();
