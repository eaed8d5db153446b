// The audit: the journal is verified, read line by line, and taken away whole.
import { readFileSync } from "node:fs";
import { expect, noViolations, test } from "./floor";

test("the journal is verified", async ({ enter }) => {
  const page = await enter("auditor");
  await page.goto("/audit");
  await page.getByRole("button", { name: "Verify the journal" }).click();
  await expect(page.getByText("Clean", { exact: true })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("cell", { name: /^1 · / })).toBeVisible();
  await noViolations(page);
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
  await expect(page.getByRole("cell", { name: "GET /api/audit/streams" }).first()).toBeVisible();
  await noViolations(page);
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
