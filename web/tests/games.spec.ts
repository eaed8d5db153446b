// A full round of every game as a player sees it: a seat, a wager by tap, the result, how the wager ended under which
// clause, and the chips afterwards. The cards are whatever the shoe has, so every end of a wager is told here.
import type { Page } from "@playwright/test";
import type { ChosenSetting } from "../src/api/schema";
import { expect, test } from "./floor";
import { area, balance, count, dealtByHand, laid, money, sitDown, word } from "./player";

const START = 50_000_000;
const STAKE = 500_000;

/** What a wager of half a million may bring, and the clause that says so. */
type Ends = Partial<Record<"Wins" | "Loses" | "Stand-off", { nets: number[]; clause: string }>>;

interface Case {
  game: string;
  settings: ChosenSetting[];
  wagers: { bet: string; ends: Ends }[];
}

const MONEY = [money("chip", 100_000), money("minimum", 500_000), money("maximum", 200_000_000)];
const SECONDS = [count("betting-seconds", 6), count("option-seconds", 5)];
const SHOE = [count("burn", 1), count("cut-card", 26)];
const BACCARAT = [...MONEY, ...SECONDS, ...SHOE, money("differential", 600_000_000)];

/** The Hoiana games number the ends of wagers alike. */
const hoianaBanker = (book: "HB" | "HDT", ...nets: number[]): Ends => ({
  Wins: { nets, clause: `${book} 6.1.2.1` },
  Loses: { nets: [-STAKE], clause: `${book} 6.1.2.2` },
  "Stand-off": { nets: [0], clause: `${book} 6.1.2.3` },
});
const hoianaTie = (book: "HB" | "HDT"): Ends => ({
  Wins: { nets: [8 * STAKE], clause: `${book} 6.1.3` },
  Loses: { nets: [-STAKE], clause: `${book} 6.1.3` },
});
const LESS_COMMISSION = 475_000;
/** Without commission a win on six pays half. */
const WHOLE_OR_HALF = [STAKE, STAKE / 2];

const GAMES: Case[] = [
  {
    game: "hoiana-baccarat/commission",
    settings: [...BACCARAT, count("insurance-seconds", 5), word("layout", "A.1")],
    wagers: [{ bet: "Banker", ends: hoianaBanker("HB", LESS_COMMISSION) }, { bet: "Tie", ends: hoianaTie("HB") }],
  },
  {
    game: "hoiana-baccarat/non-commission",
    settings: [...BACCARAT, count("insurance-seconds", 5), word("layout", "A.3")],
    wagers: [{ bet: "Banker", ends: hoianaBanker("HB", ...WHOLE_OR_HALF) }, { bet: "Tie", ends: hoianaTie("HB") }],
  },
  {
    game: "hoiana-dragon-tiger/commission",
    settings: [...BACCARAT, word("layout", "A.4")],
    wagers: [{ bet: "Banker", ends: hoianaBanker("HDT", LESS_COMMISSION) }, { bet: "Tie", ends: hoianaTie("HDT") }],
  },
  {
    game: "hoiana-dragon-tiger/non-commission",
    settings: [...BACCARAT, word("layout", "A.2")],
    wagers: [{ bet: "Banker", ends: hoianaBanker("HDT", ...WHOLE_OR_HALF) }, { bet: "Tie", ends: hoianaTie("HDT") }],
  },
  {
    game: "mbs-dragon-tiger",
    settings: [...BACCARAT, word("layout", "D"), word("method", "A")],
    wagers: [
      {
        bet: "Banker",
        ends: {
          Wins: { nets: [LESS_COMMISSION], clause: "MBS 4.1/Banker" },
          Loses: { nets: [-STAKE], clause: "MBS 3.15" },
          "Stand-off": { nets: [0], clause: "MBS 3.15.1" },
        },
      },
      {
        bet: "Tie",
        ends: { Wins: { nets: [8 * STAKE], clause: "MBS 4.1/Tie" }, Loses: { nets: [-STAKE], clause: "MBS 1.1.14" } },
      },
    ],
  },
  {
    game: "horseshoe-dragon-bonus",
    settings: [...MONEY, ...SECONDS, ...SHOE, word("schedule-posted", "yes"), word("residual-authority", "pit-manager")],
    wagers: [
      {
        bet: "Bank",
        ends: {
          Wins: { nets: [LESS_COMMISSION], clause: "DB-19" },
          Loses: { nets: [-STAKE], clause: "DB-17" },
          "Stand-off": { nets: [0], clause: "DB-8" },
        },
      },
      { bet: "Tie", ends: { Wins: { nets: [8 * STAKE], clause: "DB-9" }, Loses: { nets: [-STAKE], clause: "DB-9" } } },
    ],
  },
  {
    game: "hoiana-niu-niu",
    settings: [...MONEY, ...SECONDS, word("layout", "A")],
    wagers: [
      {
        bet: "Even",
        // Half is kept of a win with a six.
        ends: { Wins: { nets: [STAKE, STAKE / 2], clause: "NN 6.3.1" }, Loses: { nets: [-STAKE], clause: "NN 6.3.2" } },
      },
    ],
  },
];

/** An amount as the screen writes it: `−₫500,000`. */
function read(text: string): number {
  const amount = Number(text.replace(/\D/g, ""));
  return text.includes("−") ? -amount : amount;
}

/** Taps on how a wager ended: what it brought, once its clause is there. */
async function endOf(page: Page, bet: string, ends: Ends): Promise<number> {
  const last = page.getByRole("region", { name: "Your last round" });
  const line = last.getByRole("button", { name: new RegExp(`^${bet} (Wins|Loses|Stand-off|Returned)`) });
  const end = await line.locator(".end").innerText();
  const told = end === "Wins" || end === "Loses" || end === "Stand-off" ? ends[end] : undefined;
  if (told === undefined) throw new Error(`${bet} cannot end so: ${end}`);
  const net = read(await line.locator(".net").innerText());
  expect(told.nets, `${bet} ${end}`).toContain(net);
  // Every end has its reason in words, under every game.
  await expect(line.locator("xpath=..").locator(".because")).toHaveText(new RegExp(bet));
  await line.click();
  await expect(last.getByRole("button", { name: `§ ${told.clause}`, exact: true })).toBeVisible();
  return net;
}

for (const { game, settings, wagers } of GAMES) {
  test(`a round of ${game}`, async ({ floor, enter }) => {
    const how = { automatic: true, software_shoe: true };
    const rankAbsent = word("rank-absent", "first-ruling");
    const { table } = await dealtByHand(floor, enter, game, [...settings, rankAbsent], how);
    const page = await enter("player");
    await sitDown(page, table, 2);
    await expect(balance(page)).toHaveText(/^₫50,000,000$/);

    const areas = wagers.map(({ bet }) => bet);
    for (const bet of areas) {
      await expect(area(page, bet)).toHaveAttribute("aria-disabled", "false", { timeout: 40_000 });
      await area(page, bet).click();
      await expect(laid(page, bet)).toHaveText("500K");
    }
    await expect.poll(async () => read(await balance(page).innerText())).toBe(START - STAKE * wagers.length);

    const last = page.getByRole("region", { name: "Your last round" });
    await expect(last).toBeVisible({ timeout: 50_000 });
    let net = 0;
    for (const { bet, ends } of wagers) net += await endOf(page, bet, ends);
    expect(read(await last.locator("header strong").innerText())).toBe(net);
    await expect.poll(async () => read(await balance(page).innerText())).toBe(START + net);
  });
}
