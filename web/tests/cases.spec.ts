// Disputes: from the guest who raises one to the answer to the formal complaint, each step by somebody who may.
import type { Locator, Page } from "@playwright/test";
import type { CaseListed, RoundList } from "../src/api/schema";
import { BACCARAT } from "./by-hand";
import { complaints, expect, type Floor, noViolations, test } from "./floor";

/** A dispute of a new guest about the newest finished round of the first table. */
async function raised(floor: Floor, guest: Page, words = "The third card was not due."): Promise<string> {
  let round: number | undefined;
  const newest = async () => (round = (await floor.ask<RoundList>(guest, "GET", "/api/tables/1/rounds")).rounds[0]?.round);
  // The first round of a floor that has just opened takes its time.
  await expect.poll(newest, { timeout: 45_000 }).toBeDefined();
  const body = { id: `test-${crypto.randomUUID()}`, table: 1, round, matter: "round", words };
  return `/cases/${(await floor.ask<CaseListed>(guest, "POST", "/api/cases", body)).id}`;
}

/** Opens the form of an act, fills it in and sends it. */
async function act(page: Page, at: string, name: string, fill?: (form: Locator) => Promise<unknown>): Promise<void> {
  await page.goto(at);
  await page.getByRole("region", { name: "What can be done now" }).getByRole("button", { name, exact: true }).click();
  const form = page.getByRole("dialog");
  await fill?.(form);
  await form.locator("footer").getByRole("button", { name, exact: true }).click();
  await expect(form).toBeHidden();
}
const say = (words: string) => (form: Locator) => form.getByRole("textbox").first().fill(words);

test("a guest raises a dispute and follows it", async ({ floor, enter }) => {
  const guest = await enter("player", { viewport: { width: 360, height: 740 } });
  await raised(floor, guest, "An earlier one");
  await guest.goto("/cases?raise=1&table=1");
  const form = guest.getByRole("dialog");
  await form.getByRole("combobox", { name: "Round" }).selectOption({ index: 1 });
  await form.getByRole("textbox").fill("My wager was not paid.");
  await noViolations(guest);
  await form.getByRole("button", { name: "Raise a dispute" }).click();
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(/Dispute \d+/);
  await expect(guest.getByText("My wager was not paid.").first()).toBeVisible();
  await noViolations(guest);
  await guest.goto("/cases");
  await expect(guest.getByRole("link", { name: /My wager was not paid/ })).toBeVisible();

  // Another guest knows nothing of it.
  const other = await enter("player");
  await other.goto("/cases");
  await expect(other.getByText("No disputes.")).toBeVisible();
});

test("disputes are listed by table and by player", async ({ floor, enter }) => {
  const [guest, inspector] = [await enter("player"), await enter("inspector")];
  const id = await floor.idOf(guest);
  const at = await raised(floor, guest);
  const one = inspector.locator(`a[href="${at}"]`);
  await inspector.goto("/cases?table=1");
  await expect(one).toBeVisible();
  await expect(inspector.getByRole("dialog")).toHaveCount(0);
  await inspector.getByRole("combobox", { name: "Table" }).selectOption({ index: 2 });
  await expect(one).toHaveCount(0);
  await inspector.getByRole("combobox", { name: "Table" }).selectOption({ label: "All" });
  await inspector.getByLabel("Player's number").fill(String(id));
  await expect(inspector.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await expect(one).toBeVisible();
  await noViolations(inspector);
  await inspector.getByLabel("Player's number").blur();
  await one.click();
  await inspector.goBack();
  await expect(inspector.getByLabel("Player's number")).toHaveValue(String(id));
});

test("the form forgets the round of another table, and knows who is signed on", async ({ floor, enter }) => {
  const guest = await enter("player");
  await raised(floor, guest);
  await guest.goto("/cases?raise=1&table=1&round=1");
  const form = guest.getByRole("dialog");
  const round = form.getByRole("combobox", { name: "Round" });
  await expect(round.locator("option:checked")).toContainText("Round 1");
  await form.getByRole("combobox", { name: "Table" }).selectOption({ index: 1 });
  await expect(round.locator("option:checked")).toHaveText("No certain round");

  const table = await floor.openTable({ game: "hoiana-baccarat/commission", settings: BACCARAT });
  const dealer = await enter("dealer");
  const person = await floor.idOf(dealer);
  await floor.command(dealer, table, { "sign-on": { person, rank: 0 } });
  const inspector = await enter("inspector");
  await inspector.goto(`/cases?raise=1&table=${table}`);
  const raise = inspector.getByRole("dialog");
  await raise.getByRole("combobox", { name: "What is disputed" }).selectOption("ruling");
  await expect(raise.getByRole("combobox", { name: "Who gave the ruling" })).toContainText(
    `Dealer (no. ${person})`,
  );
});

test("a dispute goes from the first line to the answered complaint", async ({ floor, enter }) => {
  test.setTimeout(120_000);
  const [guest, inspector, manager, senior] = [
    await enter("player"), await enter("inspector"), await enter("pit-manager"), await enter("shift-manager"),
  ];
  const at = await raised(floor, guest);
  await act(inspector, at, "Give to the first line");
  await act(inspector, at, "Hand up", say("The guest does not accept it."));
  await act(manager, at, "Take over");
  await act(manager, at, "Put down a fact", say("The Banker had seven."));
  await act(manager, at, "Attach evidence", async (form) => {
    await form.getByRole("combobox", { name: "Kind" }).selectOption("surveillance");
    await form.getByLabel("Reference").fill("camera 12");
  });
  await act(manager, at, "Inform Surveillance");
  await act(manager, at, "Tell by when", async (form) => {
    await form.getByRole("radio", { name: "Cannot be said, because" }).check();
    await form.getByRole("textbox").fill("A witness is away.");
  });
  await act(inspector, at, "Staff's account", say("I saw a seven."));
  await act(guest, at, "Player's account", say("It was a six."));
  await act(manager, at, "Everything is gathered");
  await act(manager, at, "Decide", async (form) => {
    await form.getByLabel("Reasoning").fill("The card was not due; the wager is made good.");
    await form.getByLabel("Clause").fill("7.6");
    await form.getByRole("button", { name: "Add a correction" }).click();
    await form.getByLabel(/Amount/).fill("500,000");
    await noViolations(manager);
  });

  await guest.goto(at);
  await expect(guest.getByText("₫500,000")).toBeVisible();
  // What the house gathered stays with the house.
  await expect(guest.getByText("I saw a seven.")).toHaveCount(0);
  await expect(guest.getByText("camera 12")).toHaveCount(0);
  await act(guest, at, "Disagree");
  await act(manager, at, "Tell of the right to complain");
  await act(guest, at, "Wish to complain");
  await act(inspector, at, "Name a helper");
  await act(guest, at, "Hand in the complaint", say("COMPLAINT-7"));
  await act(senior, at, "Answer the complaint", say("The decision stands."));
  await senior.goto(at);
  await expect(senior.getByText("This dispute is closed.")).toBeVisible();
  await expect(senior.getByRole("region", { name: "What happened" }).getByRole("listitem")).not.toHaveCount(0);
  await noViolations(senior);
});

test("an agreed decision is posted through the cage", async ({ floor, enter }) => {
  test.setTimeout(90_000);
  const [guest, inspector, manager] = [await enter("player"), await enter("inspector"), await enter("pit-manager")];
  const wallet = `/api/players/${await floor.idOf(guest)}/wallet`;
  const before = (await floor.ask<{ balance: number }>(guest, "GET", wallet)).balance;
  const at = await raised(floor, guest);
  await act(inspector, at, "Give to the first line");
  await act(inspector, at, "Hand up", say("Not settled."));
  await act(manager, at, "Take over");
  await act(manager, at, "Put down a fact", say("It is so."));
  await act(manager, at, "Inform Surveillance");
  await act(manager, at, "Tell by when", (form) => form.getByLabel("By this time").last().fill("2099-01-02T10:00"));
  await act(manager, at, "Everything is gathered");
  await act(manager, at, "Decide", async (form) => {
    await form.getByLabel("Reasoning").fill("It is made good.");
    await form.getByLabel("Clause").fill("7.6");
    await form.getByRole("button", { name: "Add a correction" }).click();
    await form.getByLabel(/Amount/).fill("500,000");
  });
  await act(guest, at, "Agree");
  await act(manager, at, "Post the corrections");
  await guest.goto(at);
  await expect(guest.getByText("This dispute is closed.")).toBeVisible();
  const after = (await floor.ask<{ balance: number }>(guest, "GET", wallet)).balance;
  expect(after - before).toBe(500_000);
});

test("the first line settles a dispute, and the guest reads how", async ({ floor, enter }) => {
  const [guest, inspector] = [await enter("player"), await enter("inspector")];
  const at = await raised(floor, guest);
  await act(inspector, at, "Give to the first line");
  // HB 8.1
  await act(inspector, at, "Settle", say("The cards were shown to the guest again."));
  await expect(inspector.getByText("This dispute is closed.")).toBeVisible();
  await guest.goto(at);
  await expect(guest.getByText("Settled: The cards were shown to the guest again.")).toBeVisible();
  await expect(guest.getByText("Nothing is for you to do now.")).toHaveCount(0);
  await expect(guest.getByRole("region", { name: "What happened" })).toContainText("Settled");
  await inspector.goto("/cases");
  await inspector.getByRole("combobox", { name: "State" }).selectOption({ label: "Closed" });
  await expect(inspector.locator(`a[href="${at}"]`)).toContainText("Closed");
  await inspector.getByRole("combobox", { name: "State" }).selectOption({ label: "Raised" });
  await expect(inspector.locator(`a[href="${at}"]`)).toHaveCount(0);
});

test("more evidence is asked for and added, and the guest makes no complaint", async ({ floor, enter }) => {
  test.setTimeout(120_000);
  const [guest, inspector, manager] = [await enter("player"), await enter("inspector"), await enter("pit-manager")];
  const at = await raised(floor, guest);
  await act(inspector, at, "Give to the first line");
  await act(inspector, at, "Hand up", say("Not settled."));
  await act(manager, at, "Take over");
  const now = manager.getByRole("region", { name: "What can be done now" });
  const form = manager.getByRole("dialog");
  await act(manager, at, "Put down a fact", say("It is so."));
  // Before that Surveillance knows of it, and the guest by when to expect an answer.
  await expect(now.getByRole("button", { name: "Everything is gathered" })).toHaveCount(0);
  await act(manager, at, "Inform Surveillance");
  await expect(now.getByRole("button", { name: "Inform Surveillance" })).toHaveCount(0);

  await now.getByRole("button", { name: "Tell by when" }).click();
  await form.getByLabel("By this time").last().fill("2020-01-02T10:00");
  await form.locator("footer").getByRole("button", { name: "Tell by when" }).click();
  await expect(form.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  // A browser tells of every answer that refuses.
  complaints.get(manager)?.splice(0);
  await form.getByLabel("By this time").last().fill("2099-01-02T10:00");
  await form.locator("footer").getByRole("button", { name: "Tell by when" }).click();
  await expect(form).toBeHidden();
  await guest.goto(at);
  await expect(guest.getByText(/^Answer due by: .*2099/)).toBeVisible();

  await act(manager, at, "Everything is gathered");
  await act(manager, at, "Ask for more evidence", say("The log of the shoe."));
  const evidence = manager.getByRole("region", { name: "Evidence" });
  await act(manager, at, "Attach evidence", async (attach) => {
    await attach.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Another document" });
    await attach.getByLabel("What it is").fill("Log of the shoe");
    await attach.getByLabel("Reference").fill("LOG-12");
  });
  await expect(evidence).toContainText("LOG-12");
  await expect(manager.getByRole("region", { name: "What happened" })).toContainText("The log of the shoe.");
  await act(manager, at, "Everything is gathered");

  // HB 8.1 leaves the decision to the Pit Manager.
  await inspector.goto(at);
  await expect(inspector.getByRole("region", { name: "What can be done now" })).toBeVisible();
  await expect(inspector.getByRole("button", { name: "Decide", exact: true })).toHaveCount(0);

  await act(manager, at, "Decide", async (decision) => {
    await decision.getByLabel("Reasoning").fill("The cards fell as they were paid.");
    await decision.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Other attached evidence" });
    await decision.getByRole("combobox", { name: "Which" }).selectOption({ label: "Another document: Log of the shoe: LOG-12" });
  });
  await act(guest, at, "Disagree");
  await act(manager, at, "Tell of the right to complain");
  await guest.goto(at);
  await expect(guest.getByText("You have the right to make a formal complaint.")).toBeVisible();
  await act(guest, at, "No complaint");
  await expect(guest.getByText("The player made no complaint.")).toBeVisible();
  await expect(guest.getByText("No money changes hands.")).toBeVisible();
});

test("a refusal is told in the form, with its clause", async ({ floor, enter }) => {
  const [guest, inspector, manager] = [await enter("player"), await enter("inspector"), await enter("pit-manager")];
  const at = await raised(floor, guest);
  await act(inspector, at, "Give to the first line");
  await act(inspector, at, "Hand up", say("Not settled."));
  await act(manager, at, "Take over");
  await manager.goto(at);
  await manager.getByRole("button", { name: "Attach evidence" }).click();
  const form = manager.getByRole("dialog");
  // The file of the round is in the case from the beginning.
  await form.getByRole("combobox", { name: "Kind" }).selectOption("round-file");
  await form.locator("footer").getByRole("button", { name: "Attach evidence" }).click();
  await expect(form.getByText("The evidence is attached already.")).toBeVisible();
  await expect(form.getByRole("button", { name: /§ HB/ }).first()).toBeVisible();
  // A browser tells of every answer that refuses.
  complaints.get(manager)?.splice(0);
});
