// Insurance in both of its windows: on four cards, and after the Player's third card. The cards are chosen so that
// both come: 4 against 6, then 1 against 6.
import type { Page } from "@playwright/test";
import type { Action } from "../src/api/schema";
import { expect, test } from "./floor";
import { area, BACCARAT, balance, dealtByHand, draw, laid, openBets, sitDown } from "./player";

const FIRST_FOUR = ["KC", "KS", "4D", "6H"];

/** Five million on Banker, four cards open, the first window open. */
async function toFirstWindow(page: Page, table: number, give: (action: Action) => Promise<unknown>): Promise<void> {
  await sitDown(page, table, 2);
  await openBets(give);
  await page.getByRole("radio", { name: /5,000,000$/ }).focus();
  await page.keyboard.press("Space");
  await area(page, "Banker").click();
  await expect(laid(page, "Banker")).toHaveText("5M");
  await give("close-bets");
  for (const card of FIRST_FOUR) await give(draw(card));
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give("offer-insurance");
}

/** Insures with one of the sums that the sheet offers. */
async function insures(page: Page, sum: string, amount: string): Promise<void> {
  const sheet = page.getByRole("region", { name: "Insurance on Banker" });
  await sheet.getByRole("button", { name: sum, exact: true }).click();
  await sheet.getByRole("button", { name: `Insure for ${amount}` }).click();
  await expect(sheet).toContainText(`Insured: ${amount}`);
}

/** Opens a line of the last round, which tells its clauses. */
async function told(page: Page, line: RegExp, ...clauses: string[]): Promise<void> {
  const last = page.getByRole("region", { name: "Your last round" });
  await last.getByRole("button", { name: line }).click();
  for (const clause of clauses) await expect(last.getByRole("button", { name: `§ HB ${clause}`, exact: true })).toBeVisible();
}

interface Case {
  name: string;
  /** The sum that is taken in the second window, as the button and as the amount. */
  second: [sum: string, amount: string];
  last: string;
  net: string;
  lines: [line: RegExp, ...clauses: string[]][];
  chips: string;
}

for (const { name, second, last, net, lines, chips } of [
  {
    name: "both pay when the insured hand loses",
    // All that the first has left to cover, in whole chips: 2.6 million at 7 to 1.
    second: ["300K", "₫300,000"],
    last: "4D",
    net: "−₫500,000",
    lines: [
      [/^Banker Loses −₫5,000,000/, "6.1.2.2"],
      [/^Insurance on Banker Wins \+₫2,400,000/, "6.4.1", "6.4.6/BI4-6v0-5"],
      [/^Insurance on Banker Wins \+₫2,100,000/, "6.4.1", "6.4.6/BI5-2-6v1"],
    ],
    chips: "₫49,500,000",
  },
  {
    name: "both are lost when the insured hand wins",
    second: ["200K", "₫200,000"],
    last: "TD",
    net: "+₫3,750,000",
    lines: [
      [/^Banker Wins \+₫4,750,000/, "6.1.2.1"],
      [/^Insurance on Banker Loses −₫800,000/, "6.4.1"],
      [/^Insurance on Banker Loses −₫200,000/, "6.4.1"],
    ],
    chips: "₫53,750,000",
  },
] satisfies Case[]) {
  test(`insurance in both windows: ${name}`, async ({ floor, enter }) => {
    const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
    const page = await enter("player");
    await toFirstWindow(page, table, give);
    const sheet = page.getByRole("region", { name: "Insurance on Banker" });
    await expect(sheet).toContainText("On four cards");
    await expect(sheet).toContainText("pays 3:1");
    await insures(page, "800K", "₫800,000");
    await give("close-insurance");
    await expect(sheet).toHaveCount(0);

    await give(draw("7H"));
    await give({ reveal: { side: "player", told: [] } });
    await give("offer-insurance");
    await expect(sheet).toContainText("After the Player's third card");
    await expect(sheet).toContainText("pays 7:1");
    await insures(page, ...second);
    await give("close-insurance");
    await expect(sheet).toHaveCount(0);

    await give(draw(last));
    await give({ reveal: { side: "banker", told: [] } });
    await give({ call: last === "4D" ? "player" : "banker" });
    await give("settle");
    await expect(page.getByRole("region", { name: "Your last round" })).toContainText(net);
    for (const [line, ...clauses] of lines) await told(page, line, ...clauses);
    await expect(balance(page)).toHaveText(chips);
  });
}
