// The audit: the journal is verified, read line by line, and taken away whole.
import { readFileSync } from "node:fs";
import { complaints, expect, noViolations, test } from "./floor";

test("the journal is verified", async ({ enter }) => {
  const page = await enter("auditor");
  await page.goto("/audit");
  await page.getByRole("button", { name: "Verify the journal" }).click();
  await expect(page.getByText("Clean", { exact: true })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("cell", { name: /^1 · / })).toBeVisible();
  await noViolations(page);
});

test("a verification is followed although an answer is lost", async ({ enter }) => {
  const page = await enter("auditor");
  let asked = 0;
  await page.route("**/api/audit/verify", async (route) => {
    asked += 1;
    const state = asked <= 2 ? "running" : "clean";
    if (asked === 2) await route.abort();
    else await route.fulfill({ json: { state, done: 1, total: 2 } });
  });
  await page.goto("/audit");
  await expect(page.getByText("Clean", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  expect(asked).toBe(3);
  complaints.get(page)?.splice(0);
});

test("a journal that did not come is asked for again, and its end is where it is now", async ({ floor, enter }) => {
  const page = await enter("auditor");
  await page.route("**/api/audit/journal?*", (route) => route.abort(), { times: 1 });
  await page.goto("/audit?stream=house");
  await page.getByRole("button", { name: "Try again" }).click();
  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines.first()).toContainText(/^1\s/);
  complaints.get(page)?.splice(0);
  const cashier = await enter("cashier");
  await cashier.request.get(`${floor.url}/api/audit/streams`);
  await page.getByRole("button", { name: "Last", exact: true }).click();
  await expect(lines.last()).toContainText("denied");
});

test("lines of a stream are shown as they are stored", async ({ enter }) => {
  const page = await enter("auditor");
  await page.goto("/audit#streams");
  await page.getByRole("button", { name: "table/1", exact: true }).click();
  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines.first()).toContainText("table/1");
  await page.getByRole("spinbutton", { name: "From" }).fill("3");
  await expect(lines.first()).toContainText(/^3\s/);
  await lines.first().locator("summary").click();
  await expect(lines.first().locator("pre")).toContainText('"sequence": 3');
  await noViolations(page);
});

test("checkpoints are there with their key", async ({ enter }) => {
  const page = await enter("auditor");
  await page.goto("/audit#checkpoints");
  await expect(page.getByText(/signed checkpoints?$/)).toBeVisible();
  await noViolations(page);
});

test("who was refused is on record", async ({ floor, enter }) => {
  const cashier = await enter("cashier");
  const answer = await cashier.request.get(`${floor.url}/api/audit/streams`);
  expect(answer.status()).toBe(403);
  const page = await enter("auditor");
  await page.goto("/audit#denials");
  const denial = page.getByRole("row", { name: /GET \/api\/audit\/streams/ }).first();
  await expect(denial).toBeVisible();
  await noViolations(page);
  const line = denial.getByRole("button", { name: /^house \d+$/ });
  const number = (await line.innerText()).replace("house ", "");
  await line.click();
  const first = page.getByRole("main").getByRole("listitem").first();
  await expect(first).toContainText(new RegExp(`^${number}\\s.*house`));
  await first.locator("summary").click();
  await expect(first.locator("pre")).toContainText("GET /api/audit/streams");
});

test("the whole journal can be taken away", async ({ enter }) => {
  const page = await enter("auditor");
  await page.goto("/audit");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the journal" }).click();
  const path = await (await download).path();
  const first = readFileSync(path, "utf8").split("\n", 1)[0] ?? "";
  expect(JSON.parse(first)).toMatchObject({ stream: "house", sequence: 1 });
});

test("others are told that it is not theirs", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/audit");
  await expect(page.getByText("This is for auditors.")).toBeVisible();
});
