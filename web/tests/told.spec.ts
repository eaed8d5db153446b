// What the consoles tell the staff: who is on duty, a call that the cards contradict, a shoe that has to go, packets
// that only the device deals. Each comes from the view, with its clause.
import { BACCARAT, keys, openBetting, openByHand, press, reports, sits } from "./by-hand";
import { expect, noViolations, test } from "./floor";
import { money, word } from "./player";

const GAME = "hoiana-baccarat/commission";
const NIU_NIU = [money("chip", 100_000), money("minimum", 500_000), money("maximum", 200_000_000), word("layout", "A")];

test("a call against the cards is told at the table and in the pit", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const [dealer, pit] = [await enter("dealer"), await enter("pit-manager")];
  await floor.command(dealer, table, { "sign-off": await floor.idOf(dealer) });
  await dealer.goto(`/tables/${table}/deal`);
  await pit.goto(`/tables/${table}/pit`);
  const onDuty = dealer.getByRole("region", { name: "On duty" });
  await expect(onDuty.getByRole("listitem")).toHaveCount(2);
  await expect(onDuty).toContainText("Shift Manager");
  await expect(onDuty).not.toContainText("Staff ");
  await press(dealer, "Sign on to this table");
  await expect(onDuty.getByRole("listitem")).toHaveCount(3);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await keys(dealer, "9s", "2h", "kd", "10c");
  await press(dealer, "Banker wins");
  for (const page of [dealer, pit]) {
    const told = page.getByRole("alert").filter({ hasText: "Called: Banker wins. The cards say: Player wins." });
    await expect(told.getByRole("button", { name: "§ HB 7.16", exact: true })).toBeVisible();
  }
  await noViolations(dealer);
  await press(dealer, "Player wins");
  await expect(dealer.getByText("Called: Banker wins.")).toHaveCount(0);
  await expect(dealer.getByRole("button", { name: "Player wins" })).toHaveAttribute("aria-pressed", "true");
});

test("a shoe that must be replaced is told with its clause", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await keys(dealer, "9s");
  await floor.command(dealer, table, { report: "foreign-card" });
  const told = dealer.getByRole("status").filter({ hasText: "Shoe must be replaced" });
  await expect(told.getByRole("button", { name: "§ HB 7.1.1", exact: true })).toBeVisible();
});

test("packets of Niu Niu are for the device, and the Dealer is told so", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, "hoiana-niu-niu", NIU_NIU);
  const [guest, dealer] = [await enter("player"), await enter("dealer")];
  const player = await sits(floor, guest, table, 1);
  await dealer.goto(`/tables/${table}/deal`);
  await press(dealer, "Load the shoe");
  await press(dealer, "Record the shuffle");
  await press(dealer, "Open betting");
  const place = { player, bet: 0, amount: 500_000, area: 1, in_chips: true, untimed: false };
  await floor.command(guest, table, { place });
  await press(dealer, "No more bets");
  const told = dealer.getByRole("status").filter({ hasText: "The dealing device has to deal to: Box 1, Dealer." });
  await expect(told.getByRole("button", { name: "§ NN 4.3", exact: true })).toBeVisible();
});

test("what is found while play is on hold is reported and decided first", async ({ floor, enter }) => {
  const table = await openByHand(floor, enter, GAME, BACCARAT);
  const dealer = await enter("dealer");
  await dealer.goto(`/tables/${table}/deal`);
  await openBetting(dealer);
  await press(dealer, "No more bets");
  await keys(dealer, "9s", "2h");
  const hold = (name: string) => dealer.getByRole("heading", { name, exact: true });
  await reports(dealer, "Cards in the wrong order");
  await expect(hold("Cards in the wrong order")).toBeVisible();
  await reports(dealer, "Power failure");
  await expect(hold("Power failure")).toBeVisible();
  await expect(hold("Cards in the wrong order")).toHaveCount(0);
  // Once it was a mistake, the first one waits again.
  await floor.command(await enter("shift-manager"), table, "retract");
  await expect(hold("Cards in the wrong order")).toBeVisible();
});
