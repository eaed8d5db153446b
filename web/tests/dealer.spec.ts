// The Dealer's console: rounds keyed in card by card, cards put right, what went wrong ruled on at the console.
import type { Page } from "@playwright/test";
import { BACCARAT, bets, keys, openBetting, openByHand, PIN, press, reports, sits } from "./by-hand";
import { expect, noViolations, test } from "./floor";

const GAME = "hoiana-baccarat/commission";

/** What a page asks of its table from now on. */
function commandsOf(page: Page): object[] {
  const sent: object[] = [];
  page.on("websocket", (line) =>
    line.on("framesent", ({ payload }) => {
      if (payload === "beat") return;
      const { action } = JSON.parse(String(payload)) as { action: string | object };
      if (typeof action === "object") sent.push(action);
    }),
  );
  return sent;
}

test("a round is dealt with the keyboard and settled with its clauses", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const guest = await enter("player");
  await sits(floor, guest, table, 1);
  const dealer = await enter("dealer");
  // The Dealer comes on duty at the console.
  await floor.command(dealer, table, { "sign-off": await floor.idOf(dealer) });
  await dealer.goto(`/tables/${table}/deal`);
  await press(dealer, "Sign on to this table");
  await expect(dealer.getByText("On duty here")).toBeVisible();
  await openBetting(dealer);
  await bets(floor, guest, table, 0);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  // Faster than the answers come.
  await dealer.getByLabel("The card drawn").focus();
  for (const card of ["9s", "2h", "kd", "10c"]) {
    await dealer.keyboard.type(card);
    await dealer.keyboard.press("Enter");
  }
  await expect(dealer.getByRole("button", { name: "Player wins" })).toBeVisible();
  await noViolations(dealer);
  await press(dealer, "Player wins");
  await press(dealer, "Settle");
  const settlement = dealer.getByRole("region", { name: "Settlement" });
  await expect(settlement).toContainText("Loses");
  await expect(settlement.getByRole("button", { name: /^§/ }).first()).toBeVisible();
  await expect(dealer.getByRole("button", { name: "Open betting", exact: true })).toBeVisible();
});

test("the Dealer lays chips for a player and takes them back", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  await sits(floor, await enter("player"), table, 2);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await dealer.getByRole("button", { name: /Guest .* seat 2/ }).click();
  const dialog = dealer.getByRole("dialog");
  await dialog.getByLabel("Amount", { exact: true }).first().fill("1000000");
  await dialog.getByRole("button", { name: "Place", exact: true }).click();
  await expect(dealer.locator("#wagers ~ ol")).toContainText("1,000,000");
  await dialog.getByRole("button", { name: "Take back" }).click();
  await expect(dealer.getByText("No wagers lie on the layout.")).toBeVisible();
});

test("what is no card is not sent, and a card keyed wrongly is put right", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  const field = dealer.getByLabel("The card drawn");
  await field.fill("11S");
  await field.press("Enter");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("");
  await keys(dealer, "8s", "2h", "kd", "3c");
  await dealer.getByRole("button", { name: "Correct card 1" }).click();
  const dialog = dealer.getByRole("dialog");
  await dialog.getByLabel("The card really is").fill("9s");
  await dialog.getByLabel("The card really is").press("Enter");
  await expect(dealer.getByRole("img", { name: "9 of spades" })).toBeVisible();
});

test("a ruling on the spot needs the name and the PIN of somebody above", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await press(dealer, "Several came together");
  await dealer.getByLabel("The cards that came together").fill("3s 4d");
  await dealer.getByLabel("The cards that came together").press("Enter");
  await press(dealer, "They came together");
  await expect(dealer.getByRole("heading", { name: "Initial cards drawn together" })).toBeVisible();
  await noViolations(dealer);
  const ruling = dealer.getByRole("list", { name: "Rulings that may be made" }).getByRole("listitem").first();
  await ruling.getByRole("button", { name: "Choose" }).click();
  const order = ruling.getByLabel("The 2 cards in their order");
  if ((await ruling.getByRole("button", { name: /^Remove/ }).count()) === 0) {
    await order.fill("4d 3s");
    await order.press("Enter");
  }
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(dealer.getByRole("alert").first(), "the Dealer's own rank is too low").toBeVisible();
  const above = ruling.getByLabel("Somebody above decides at this console");
  const proves = async (pin: string) => {
    await above.check();
    await ruling.getByLabel("Sign-in name").fill("demo-pit-manager");
    await ruling.getByLabel("PIN").fill(pin);
  };
  // A PIN is for one answer, and a form that was folded knows nobody.
  await proves("000000");
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(ruling.getByLabel("PIN")).toHaveValue("");
  await proves(PIN);
  await ruling.getByRole("button", { name: "Choose" }).click();
  await expect(above).toHaveCount(0);
  await ruling.getByRole("button", { name: "Choose" }).click();
  await expect(above).not.toBeChecked();
  if ((await ruling.getByRole("button", { name: /^Remove/ }).count()) === 0) await order.fill("4d 3s");
  await proves(PIN);
  await ruling.getByRole("button", { name: /^Rule:/ }).click();
  await expect(dealer.getByText("Player's second card")).toBeVisible();
});

test("cards that were typed and not entered go with what is sent", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  const sent = commandsOf(dealer);
  await dealer.goto(`/tables/${table}/deal`);
  for (const call of ["Load the shoe", "Record the shuffle", "Cut the cards"]) await press(dealer, call);
  const dialog = dealer.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cut the cards" }).click();
  await expect(dialog).toHaveCount(0);
  await press(dealer, "Burn");
  const seen = dialog.getByLabel("Those whose faces were seen (may be left out)");
  for (const [typed, says] of [["7x", "That is no card."], ["7c 8c", "Too many"]] as const) {
    await seen.fill(typed);
    await dialog.getByRole("button", { name: "Burn" }).click();
    await expect(dialog.getByRole("alert")).toContainText(says);
  }
  await seen.fill("7c");
  await dialog.getByRole("button", { name: "Burn" }).click();
  await expect(dialog).toHaveCount(0);
  expect(sent.filter((action) => "burn" in action)).toEqual([{ burn: { count: 1, cards: ["7C"] } }]);
  // The keyboard goes on at the next call.
  await expect(dealer.getByRole("button", { name: "Open betting", exact: true })).toBeFocused();
});

test("what is said of a card is said of that one, and cards that come on hold are put on record", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  const sent = commandsOf(dealer);
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  const field = dealer.getByLabel("The card drawn");
  await dealer.getByLabel("Laid on").selectOption("Player");
  await field.fill("4c 5h");
  await field.press("Enter");
  await expect(dealer.getByLabel("Laid on")).toHaveValue("");
  await expect(dealer.locator(".hands .card:not(.slot)")).toHaveCount(2);
  // One on the wrong hand holds the round; those that were drawn all the same lie apart.
  await dealer.getByLabel("Laid on").selectOption("Banker");
  await field.fill("9d kd 10c");
  await field.press("Enter");
  await expect(dealer.getByRole("heading", { name: "Cards in the wrong order" })).toBeVisible();
  for (const card of ["king of diamonds", "10 of clubs"]) await expect(dealer.getByRole("img", { name: card })).toBeVisible();
  expect(sent.flatMap((action) => ("draw" in action ? [action.draw] : []))).toEqual([
    { exposed: false, card: "4C", laid: "player" },
    { exposed: false, card: "5H" },
    { exposed: false, card: "9D", laid: "banker" },
    { exposed: false, card: "KD" },
    { exposed: false, card: "TC" },
  ]);
});

test("cards keyed in behind a refused one are told", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  // No card that was drawn is refused: in its place the server is asked for what it refuses.
  await dealer.routeWebSocket(/\/live/, (near) => {
    const far = near.connectToServer();
    near.onMessage((message) => {
      if (!String(message).includes('"KD"')) return far.send(message);
      far.send(JSON.stringify({ ...(JSON.parse(String(message)) as object), action: "settle" }));
    });
  });
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  const field = dealer.getByLabel("The card drawn");
  await field.fill("4c kd 10c");
  await field.press("Enter");
  await expect(dealer.getByText("1 card keyed in behind the refused one was not sent.")).toBeVisible();
  await expect(dealer.locator(".hands .card:not(.slot)")).toHaveCount(1);
});

test("what the rules answer by themselves is done at once", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await expect(dealer.getByText("Player's first card")).toBeVisible();
  await keys(dealer, "9s");
  await reports(dealer, "Foreign, surplus or missing card");
  await expect(dealer.getByText("new cards take the place of the shoe")).toBeVisible();
});

test("nobody deals without a rank", async ({ enter }) => {
  const guest = await enter("player");
  await guest.goto("/tables/8/deal");
  await expect(guest.getByText("You have no rank at this table.")).toBeVisible();
});
