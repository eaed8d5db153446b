// The cage and the gaming days: money over the counter, the wallet's history, closing a day.
import { complaints, expect, noViolations, test } from "./floor";

test("a deposit and a withdrawal", async ({ enter, floor }) => {
  const guest = await enter("player");
  const me = await floor.ask<{ id: number; nickname: string }>(guest, "GET", "/api/me");
  const before = (await floor.ask<{ balance: number }>(guest, "GET", `/api/players/${me.id}/wallet`)).balance;
  const page = await enter("cashier");
  await page.goto("/cage");
  await page.getByLabel("Find a player").fill(me.nickname);
  await page.getByRole("button", { name: new RegExp(`^${me.nickname} `) }).click();
  await page.getByRole("button", { name: "Deposit" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Deposit" })).toBeDisabled();
  await dialog.getByLabel(/^Amount/).fill("1.500.000");
  await expect(dialog.getByText("₫1,500,000")).toBeVisible();
  await dialog.getByLabel(/^Note/).fill("receipt 7");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await expect(dialog).toHaveCount(0);
  const full = (amount: number): string => `₫${amount.toLocaleString("en-GB")}`;
  await expect(page.getByRole("definition").filter({ hasText: full(before + 1_500_000) }).first()).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "+₫1,500,000" })).toBeVisible();

  await page.getByRole("button", { name: "Withdraw" }).click();
  await dialog.getByLabel(/^Amount/).fill("500000");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByRole("row").filter({ hasText: "−₫500,000" })).toBeVisible();
  expect((await floor.ask<{ balance: number }>(guest, "GET", `/api/players/${me.id}/wallet`)).balance).toBe(before + 1_000_000);
  await noViolations(page);
});

test("more than is there is refused in the form", async ({ enter, floor }) => {
  const guest = await enter("player");
  const me = await floor.ask<{ id: number }>(guest, "GET", "/api/me");
  const page = await enter("cashier");
  await page.goto(`/cage?player=${me.id}`);
  await page.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Amount/).fill("999999999999");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  expect(complaints.get(page)?.splice(0).every((said) => said.includes("422"))).toBe(true);
});

test("a second person is named from the start", async ({ enter, floor }) => {
  const guest = await enter("player");
  const page = await enter("cashier");
  const sent: unknown[] = [];
  await page.route("**/api/cage/deposits", async (route) => {
    sent.push((route.request().postDataJSON() as { witness: unknown }).witness);
    await route.fulfill({ json: { sequence: 1, balance: 1 } });
  });
  await page.goto(`/cage?player=${await floor.idOf(guest)}`);
  await page.getByRole("button", { name: "Deposit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Amount/).fill("20.000.000");
  await dialog.getByLabel("With a second person").check();
  await dialog.getByLabel("Their name").fill("demo-shift-manager");
  await dialog.getByLabel("Their PIN").fill("123456");
  await noViolations(page);
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await expect(dialog).toHaveCount(0);
  expect(sent).toEqual([{ name: "demo-shift-manager", pin: "123456" }]);
});

test("where a second person is asked for, the form asks too", async ({ enter, floor }) => {
  const guest = await enter("player");
  const me = await floor.ask<{ id: number }>(guest, "GET", "/api/me");
  const page = await enter("cashier");
  const sent: { id: string; witness: { name: string } | null }[] = [];
  // A house may set such a limit; the demo has none, so its answer is given here.
  await page.route("**/api/cage/deposits", async (route) => {
    sent.push(route.request().postDataJSON() as (typeof sent)[number]);
    const problem = {
      type: "urn:croupier:problem:witness-needed", title: "Forbidden", status: 403, code: "witness-needed", detail: "",
      parameters: { from: 10_000_000 },
    };
    if (sent.length <= 2) await route.fulfill({ status: 403, contentType: "application/problem+json", json: problem });
    else await route.fulfill({ json: { sequence: 1, balance: 1 } });
  });
  await page.goto(`/cage?player=${me.id}`);
  await page.getByRole("button", { name: "Deposit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Amount/).fill("20.000.000");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await dialog.getByLabel("Their name").fill("demo-shift-manager");
  await dialog.getByLabel("Their PIN").fill("123456");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  // A PIN that was refused does not stay in the form.
  await expect(dialog.getByLabel("Their PIN")).toHaveValue("");
  await dialog.getByLabel("Their PIN").fill("654321");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await expect(dialog).toHaveCount(0);
  expect(sent.map((request) => request.witness?.name)).toEqual([undefined, "demo-shift-manager", "demo-shift-manager"]);
  expect(new Set(sent.map((request) => request.id)).size).toBe(1);
  // From which amount is known now: the next form asks before it sends.
  await page.getByRole("button", { name: "Deposit" }).click();
  await dialog.getByLabel(/^Amount/).fill("9.999.999");
  await expect(dialog.getByLabel("Their PIN")).toHaveCount(0);
  await dialog.getByLabel(/^Amount/).fill("10.000.000");
  await expect(dialog.getByLabel("Their PIN")).toBeVisible();
  expect(complaints.get(page)?.splice(0).every((said) => said.includes("403"))).toBe(true);
});

test("a new player gets an account", async ({ enter }) => {
  const page = await enter("cashier");
  await page.goto("/cage");
  await page.getByRole("button", { name: "New player" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name to sign in with").fill("lan.pham");
  await dialog.getByLabel("Name shown at tables").fill("Lan");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Lan has an account, but no password yet.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Lan" })).toBeVisible();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
});

test("an auditor sees a wallet by its number, and moves nothing", async ({ enter, floor }) => {
  const guest = await enter("player");
  const me = await floor.idOf(guest);
  const { balance } = await floor.ask<{ balance: number }>(guest, "GET", `/api/players/${me}/wallet`);
  const page = await enter("auditor");
  await page.goto("/");
  await page.getByRole("link", { name: "Cage" }).click();
  await page.getByLabel("Player's number").fill(String(me));
  await page.getByRole("button", { name: "Show the wallet" }).click();
  await expect(page.getByRole("heading", { name: `Player ${me}` })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: `₫${balance.toLocaleString("en-GB")}` }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Deposit" })).toHaveCount(0);
  await noViolations(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: `Player ${me}` })).toBeVisible();
});

test("a player who is not there is told of", async ({ enter }) => {
  const page = await enter("cashier");
  await page.goto("/cage?player=999999");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  // Whether somebody has the number is not for the cage to know.
  expect(complaints.get(page)?.splice(0).every((said) => said.includes("403"))).toBe(true);
});

test("the money of the floor is added up", async ({ enter }) => {
  const page = await enter("cashier");
  await page.goto("/cage");
  await expect(page.getByRole("row", { name: /^All tables/ })).toBeVisible();
});

test("the cage is not for players", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/cage");
  await expect(page.getByText("This page is for the cage")).toBeVisible();
});

test("a day is closed once, and its report adds up", async ({ enter }) => {
  const page = await enter("shift-manager");
  await page.goto("/days");
  const day = await page.evaluate(() => new Date().toLocaleDateString("sv-SE"));
  await page.getByRole("button", { name: "Close the day" }).click();
  const dialog = page.getByRole("dialog");
  // A slip of the fingers would block every day until then.
  await dialog.getByLabel("Day").fill(day.replace(/^\d+/, "2062"));
  await dialog.getByRole("button", { name: /^Close .*2062$/ }).click();
  const isRefused = () => dialog.getByLabel("Day").evaluate((field) => (field as HTMLInputElement).validity.rangeOverflow);
  expect(await isRefused()).toBe(true);
  await dialog.getByLabel("Day").fill(day);
  await dialog.getByRole("button", { name: new RegExp(`^Close .*${day.slice(0, 4)}$`) }).click();
  await page.waitForURL(`/days/${day}`);
  await expect(page.getByRole("row", { name: /^All in VND/ })).toBeVisible();
  await noViolations(page);
  const [printed] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Report to print" }).click(),
  ]);
  await expect(printed.getByRole("heading", { name: `Gaming day ${day}` })).toBeVisible();
  await printed.close();

  await page.goto("/days");
  await expect(page.getByRole("link", { name: new RegExp(day) })).toBeVisible();
  await page.getByRole("button", { name: "Close the day" }).click();
  await expect(dialog.getByText("is closed already.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Close the day" })).toBeDisabled();
});

test("a list that did not come does not keep a day open", async ({ enter }) => {
  const page = await enter("shift-manager");
  await page.route("**/api/days", (route) => route.abort());
  await page.goto("/days");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await page.getByRole("button", { name: "Close the day" }).click();
  await expect(page.getByRole("dialog").getByLabel("Day")).toBeVisible();
  complaints.get(page)?.splice(0);
});
