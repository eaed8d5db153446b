// What goes wrong at a table, from the report to the settlement: the Dealer reports it at the console, a manager whose
// rank may rule decides in the pit in another browser, and the round is dealt on or void. One test for each case.
import type { Locator, Page } from "@playwright/test";
import type { ChosenSetting } from "../src/api/schema";
import { BACCARAT, bets, keys, openBetting, openByHand, press, reports, sits, WITNESS, word } from "./by-hand";
import { expect, test } from "./floor";

type Manager = "pit-manager" | "shift-manager";

interface Case {
  name: string;
  game: string;
  settings: ChosenSetting[];
  /** What each guest bets on, from seat 1. */
  wagers: number[];
  /** How it comes about, once betting is closed. */
  comes: (dealer: Page) => Promise<void>;
  /** What the hold says. */
  hold: string;
  remedy: string;
  /** What its button says that it does, where that is grave; else the button has the name of the ruling. */
  does?: string;
  /** The ruling with leave to withdraw, not the one without. */
  withdrawal: boolean;
  /** Who may make it, as the ruling says, and under which clause. */
  who: string;
  clause: string;
  /** Who tries in vain: the Dealer at the console, a manager in the pit. */
  tooLow: "dealer" | "pit-manager";
  by: Manager;
  /** What the ruling has to say besides. */
  says?: (ruling: Locator) => Promise<void>;
  /** What each guest answers when they may withdraw. */
  answers?: ("Stays" | "Withdraws")[];
  /** How it is dealt on. */
  then?: (dealer: Page) => Promise<void>;
  result: "Player wins" | "Banker wins" | "void";
  /** How each wager ends, and by which clause. */
  ends: { seat: number; says: string; clause: string }[];
  /** What the Dealer can do next. */
  next: "Open betting" | "Replace the shoe";
}

const HOIANA = { game: "hoiana-baccarat/commission", settings: BACCARAT };
const [BANKER, PLAYER] = [0, 1];

const RULES_OF_MBS = BACCARAT.filter(({ setting }) => setting !== "layout");
const MBS = { game: "mbs-dragon-tiger", settings: [...RULES_OF_MBS, word("layout", "A")] };
const [MBS_PLAYER, MBS_BANKER] = [0, 1];

const HORSESHOE = {
  game: "horseshoe-dragon-bonus",
  settings: [
    ...RULES_OF_MBS.filter(({ setting }) => setting !== "differential"),
    word("residual-authority", "shift-manager"),
    word("schedule-posted", "yes"),
  ],
};

/** Cards that came out of the shoe together. */
async function together(dealer: Page, cards: string, isOrderKnown: boolean): Promise<void> {
  await press(dealer, "Several came together");
  const field = dealer.getByLabel("The cards that came together");
  await field.fill(cards);
  await field.press("Enter");
  if (isOrderKnown) await dealer.getByLabel("Their order is known").check();
  await press(dealer, "They came together");
}

/** Puts the cards in this order. */
const inOrder = (cards: string) => async (ruling: Locator) => {
  const remove = ruling.getByRole("button", { name: /^Remove/ });
  while ((await remove.count()) > 0) await remove.first().click();
  const field = ruling.getByLabel("The 2 cards in their order");
  await field.fill(cards);
  await field.press("Enter");
};

/** Two cards are held back, the others are sorted before a witness, and the round goes on with those held. */
async function sortsAndFinishes(dealer: Page): Promise<void> {
  await press(dealer, "Draw two cards to hold");
  const dialog = dealer.getByRole("dialog");
  await dialog.getByLabel("The two cards held back").fill("6c 4s");
  await dialog.getByLabel("The two cards held back").press("Enter");
  await dialog.getByRole("button", { name: "Draw two cards to hold" }).click();
  await expect(dealer.getByRole("heading", { name: "Held back" })).toBeVisible();
  await press(dealer, "Enter the count");
  // Those on the layout, those held, and one of the two that are gone.
  for (const card of ["2 of spades", "king of hearts", "6 of clubs", "4 of spades", "ace of diamonds"]) {
    await dialog.getByLabel(card).fill("7");
  }
  await dialog.getByLabel("Sign-in name").fill(WITNESS.name);
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Enter the count" }).click();
  await expect(dialog.getByRole("alert"), "two cards are gone, not one").toBeVisible();
  await dialog.getByLabel("2 of clubs").fill("7");
  // Whoever saw it shows it again.
  await dialog.getByLabel("PIN").fill(WITNESS.pin);
  await dialog.getByRole("button", { name: "Enter the count" }).click();
  await expect(dealer.getByText("from the cards held back")).toBeVisible();
  await keys(dealer, "6c", "4s");
}

const CASES: Case[] = [
  {
    name: "a card laid on the wrong hand",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c");
      await dealer.getByLabel("Laid on").selectOption("Player");
      await keys(dealer, "9d");
    },
    hold: "Cards in the wrong order",
    remedy: "Rebuild the hands in draw order",
    withdrawal: true,
    who: "Shift Manager or above",
    clause: "HB 7.9",
    tooLow: "pit-manager",
    by: "shift-manager",
    answers: ["Withdraws", "Stays"],
    then: (dealer) => keys(dealer, "3h", "ks"),
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.9" },
      { seat: 2, says: "Wins +₫475,000", clause: "HB 6.1.2.1" },
    ],
    next: "Open betting",
  },
  {
    name: "two cards drawn together, in what order nobody knows",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c", "9d");
      await together(dealer, "ks 3h", false);
    },
    hold: "Initial cards drawn together",
    remedy: "Fix the order of the cards",
    withdrawal: true,
    who: "Pit Manager or above",
    clause: "HB 7.13",
    tooLow: "dealer",
    by: "pit-manager",
    says: inOrder("3h ks"),
    answers: ["Withdraws", "Stays"],
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.13.1" },
      { seat: 2, says: "Wins +₫475,000", clause: "HB 6.1.2.1" },
    ],
    next: "Open betting",
  },
  {
    name: "two cards drawn together, their order known",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c", "9d");
      await together(dealer, "3h ks", true);
    },
    hold: "Drawn together, order known",
    remedy: "Rebuild the hands in draw order",
    withdrawal: true,
    who: "Shift Manager or above",
    clause: "HB 7.12",
    tooLow: "pit-manager",
    by: "shift-manager",
    answers: ["Stays", "Withdraws"],
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Loses −₫500,000", clause: "HB 6.1.1.2" },
      { seat: 2, says: "Returned ₫500,000", clause: "HB 7.12" },
    ],
    next: "Open betting",
  },
  {
    name: "the order in the shoe lost",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c", "9d");
      await reports(dealer, "Order in the device lost");
    },
    hold: "Order of the cards lost",
    remedy: "Void the round",
    does: "VOID round 1, give back 1M",
    withdrawal: false,
    who: "Pit Manager or above",
    clause: "HB 7.3",
    tooLow: "dealer",
    by: "pit-manager",
    result: "void",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.3" },
      { seat: 2, says: "Returned ₫500,000", clause: "HB 7.3" },
    ],
    next: "Replace the shoe",
  },
  {
    name: "a jam of the device",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c");
      await reports(dealer, "Device jammed");
    },
    hold: "Device jammed",
    remedy: "Void the round",
    does: "VOID round 1, give back 1M",
    withdrawal: false,
    who: "Assistant Director, Table Games or above",
    clause: "HB 7.22",
    tooLow: "pit-manager",
    by: "shift-manager",
    result: "void",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.22" },
      { seat: 2, says: "Returned ₫500,000", clause: "HB 7.22" },
    ],
    next: "Replace the shoe",
  },
  {
    name: "a reset of the device",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "4c");
      await reports(dealer, "Device must be reset");
    },
    hold: "Device reset for another cause",
    remedy: "Play on",
    withdrawal: true,
    who: "Assistant Director, Table Games or above",
    clause: "HB 7.22",
    tooLow: "pit-manager",
    by: "shift-manager",
    answers: ["Withdraws", "Stays"],
    then: (dealer) => keys(dealer, "9d", "3h", "ks"),
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.22" },
      { seat: 2, says: "Wins +₫475,000", clause: "HB 6.1.2.1" },
    ],
    next: "Open betting",
  },
  {
    name: "a power failure",
    ...HOIANA,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "9c", "3s");
      await reports(dealer, "Power failure");
    },
    hold: "Power failure",
    remedy: "Turn into a Free Hand",
    does: "Play round 1 free, give back 1M",
    withdrawal: false,
    who: "Assistant Director, Table Games or above",
    clause: "HB 7.22",
    tooLow: "dealer",
    by: "shift-manager",
    then: async (dealer) => {
      await expect(dealer.getByRole("region", { name: "Procedure" }).getByText("Free Hand", { exact: true })).toBeVisible();
      await keys(dealer, "kd", "kh");
    },
    result: "Player wins",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "HB 7.22" },
      { seat: 2, says: "Returned ₫500,000", clause: "HB 7.22" },
    ],
    next: "Open betting",
  },
  {
    name: "force majeure",
    ...MBS,
    wagers: [MBS_PLAYER, MBS_BANKER],
    comes: async (dealer) => {
      await keys(dealer, "kc", "3s");
      await reports(dealer, "Force majeure");
    },
    hold: "Force majeure",
    remedy: "Void the round",
    does: "VOID round 1, give back 1M",
    withdrawal: false,
    who: "Gaming Shift Manager or above",
    clause: "MBS 6.1",
    tooLow: "pit-manager",
    by: "shift-manager",
    result: "void",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "MBS 6.1" },
      { seat: 2, says: "Returned ₫500,000", clause: "MBS 6.1" },
    ],
    next: "Replace the shoe",
  },
  {
    name: "something that the rules do not name",
    ...MBS,
    wagers: [MBS_PLAYER, MBS_BANKER],
    comes: async (dealer) => {
      await keys(dealer, "kc", "3s");
      await reports(dealer, "Something else", (form) => form.getByLabel("What happened").fill("A drink was spilt."));
    },
    hold: "Something else",
    remedy: "Play on",
    withdrawal: true,
    who: "Gaming Shift Manager or above",
    clause: "MBS 6.1",
    tooLow: "pit-manager",
    by: "shift-manager",
    answers: ["Withdraws", "Stays"],
    then: (dealer) => keys(dealer, "6d", "4h"),
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Returned ₫500,000", clause: "MBS 6.1" },
      { seat: 2, says: "Wins +₫475,000", clause: "MBS 3.15" },
    ],
    next: "Open betting",
  },
  {
    name: "both third cards drawn together",
    ...MBS,
    wagers: [MBS_PLAYER, MBS_BANKER],
    comes: async (dealer) => {
      await keys(dealer, "2c", "ks", "3d", "2h");
      await together(dealer, "4s 5d", false);
    },
    hold: "Later cards drawn together",
    remedy: "Fix the order of the cards",
    withdrawal: true,
    who: "Pit Manager or above",
    clause: "MBS 5.8.2.2",
    tooLow: "dealer",
    by: "pit-manager",
    says: inOrder("5d 4s"),
    answers: ["Stays", "Withdraws"],
    result: "Banker wins",
    ends: [
      { seat: 1, says: "Loses −₫500,000", clause: "MBS 3.15" },
      { seat: 2, says: "Returned ₫500,000", clause: "MBS 5.8.2.2" },
    ],
    next: "Open betting",
  },
  {
    name: "cards carried off that nobody has read",
    ...MBS,
    settings: [...MBS.settings, word("method", "A")],
    wagers: [MBS_PLAYER],
    comes: async (dealer) => {
      for (const card of [undefined, "2s", undefined, "kh"]) {
        if (card !== undefined) await keys(dealer, card);
        else {
          const drawn = await dealer.locator(".hands .card:not(.slot)").count();
          await press(dealer, "Face down, not read");
          await expect(dealer.locator(".hands .card:not(.slot)")).toHaveCount(drawn + 1);
        }
      }
      await press(dealer, "Open the Banker hand");
      await expect(dealer.getByRole("img", { name: "king of hearts" })).toBeVisible();
      await reports(dealer, "Cards carried off", (form) => form.getByLabel("Which hand").selectOption("Player"));
    },
    hold: "Unknown cards carried off",
    remedy: "Replace the missing cards",
    withdrawal: false,
    who: "Gaming Shift Manager or above",
    clause: "MBS 5.11.1",
    tooLow: "pit-manager",
    by: "shift-manager",
    then: sortsAndFinishes,
    result: "Player wins",
    ends: [{ seat: 1, says: "Wins +₫500,000", clause: "MBS 3.15" }],
    next: "Replace the shoe",
  },
  {
    name: "a jam that the house rules on",
    ...HORSESHOE,
    wagers: [PLAYER, BANKER],
    comes: async (dealer) => {
      await keys(dealer, "9c", "ks");
      await reports(dealer, "Device jammed");
    },
    hold: "Device jammed",
    remedy: "Play on",
    withdrawal: false,
    who: "Shift Manager or above",
    clause: "DB-Q10",
    tooLow: "pit-manager",
    by: "shift-manager",
    then: (dealer) => keys(dealer, "kd", "qh"),
    result: "Player wins",
    ends: [
      { seat: 1, says: "Wins +₫500,000", clause: "DB-18" },
      { seat: 2, says: "Loses −₫500,000", clause: "DB-17" },
    ],
    next: "Open betting",
  },
];

/** Asks for the ruling, which is left open. */
async function rules(page: Page, { hold, remedy, does, withdrawal, who, clause, says }: Case): Promise<Locator> {
  await expect(page.getByRole("heading", { name: hold, exact: true })).toBeVisible();
  // A ruling with leave to withdraw says so in its name, and beside who may make it.
  const title = withdrawal ? `${remedy}; players may withdraw first` : remedy;
  const ruling = page
    .getByRole("list", { name: "Rulings that may be made" })
    .locator("> li")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  await expect(ruling.getByText("Players may withdraw", { exact: true })).toHaveCount(withdrawal ? 1 : 0);
  await expect(ruling.getByText(who, { exact: true })).toBeVisible();
  await expect(ruling.getByRole("button", { name: `§ ${clause}`, exact: true })).toBeVisible();
  await ruling.getByRole("button", { name: "Choose" }).click();
  await says?.(ruling);
  await ruling.getByRole("button", { name: `Rule: ${does ?? title}`, exact: true }).click();
  return ruling;
}

for (const one of CASES) {
  test(`${one.game}: ${one.name}`, async ({ floor, enter }) => {
    const { hold, tooLow, by, answers = [], result, ends, next } = one;
    const table = await openByHand(floor, enter, one.game, one.settings);
    const guests: Page[] = [];
    for (const [place] of one.wagers.entries()) {
      const guest = await enter("player");
      await sits(floor, guest, table, place + 1);
      guests.push(guest);
    }
    const dealer = await enter("dealer");
    await dealer.goto(`/tables/${table}/deal`);
    await openBetting(dealer);
    for (const [place, guest] of guests.entries()) await bets(floor, guest, table, one.wagers[place] ?? 0);
    await press(dealer, "No more bets");
    await expect(dealer.getByText("Player's first card")).toBeVisible();
    await one.comes(dealer);

    const refused = tooLow === "dealer" ? dealer : await enter(tooLow);
    if (refused !== dealer) await refused.goto(`/tables/${table}/pit`);
    const tried = await rules(refused, one);
    await expect(tried.getByRole("alert")).toContainText("Your rank may not do this.");
    await expect(tried.getByRole("alert").getByRole("button", { name: /^§/ }).first()).toBeVisible();

    const manager = await enter(by);
    await manager.goto(`/tables/${table}/pit`);
    await rules(manager, one);
    for (const [place, answer] of answers.entries()) {
      const line = dealer.locator(".answers li", { hasText: `seat ${place + 1}` });
      await line.getByRole("button", { name: answer, exact: true }).click();
      // The last answer ends the hold.
      if (place + 1 < answers.length) await expect(line.locator(".tag")).toHaveText(answer);
    }
    await one.then?.(dealer);
    for (const page of [dealer, manager]) {
      await expect(page.getByRole("heading", { name: hold, exact: true })).toHaveCount(0);
    }

    if (result !== "void") {
      await press(dealer, result);
      await press(dealer, "Settle");
    }
    // Both see how it ended.
    for (const page of [dealer, manager]) {
      const settlement = page.getByRole("region", { name: "Settlement" });
      await expect(settlement.getByRole("listitem")).toHaveCount(ends.length);
      for (const { seat, says, clause } of ends) {
        const line = settlement.getByRole("listitem").filter({ hasText: `seat ${seat}` });
        await expect(line.locator("strong")).toHaveText(says);
        const cited = line.getByRole("button", { name: `§ ${clause}`, exact: true });
        await expect(cited).toBeVisible();
        await cited.click();
        await expect(line.getByRole("note")).toBeVisible();
      }
    }
    await expect(dealer.getByRole("button", { name: next, exact: true })).toBeVisible();
  });
}
