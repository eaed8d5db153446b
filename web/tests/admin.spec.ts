// The administration: people, tokens and tables.
import type { PeopleShown, TableSummary } from "../src/api/schema";
import { complaints, expect, noViolations, test } from "./floor";

const name = (of: string): string => `${of}-${crypto.randomUUID().slice(0, 8)}`;

test("an administrator makes somebody and changes what they may be", async ({ floor, enter }) => {
  const page = await enter("admin");
  const who = name("linh");
  await page.goto("/admin");
  await page.getByRole("button", { name: "New person" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name to sign in with").fill(who);
  await form.getByLabel("Password").fill("a long enough passphrase");
  await form.getByRole("button", { name: "Add a rank" }).click();
  await form.getByRole("combobox", { name: "Rank" }).selectOption("pit-manager");
  await form.getByRole("combobox", { name: "Rulebook" }).selectOption("hoiana-baccarat");
  await noViolations(page);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  await page.getByLabel("Find by name").fill(who);
  await page.getByRole("row", { name: who }).getByRole("button", { name: /^Change / }).click();
  await form.getByLabel("Name shown at tables").fill("Linh");
  await form.getByLabel("May not play").check();
  await form.getByLabel("On duty").check();
  await form.getByLabel("New PIN").fill("482913");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("row", { name: who })).toContainText("Excluded from play");

  const { people } = await floor.ask<PeopleShown>(page, "GET", `/api/people?find=${who}`);
  expect(people[0]).toMatchObject({
    nickname: "Linh",
    excluded: true,
    on_duty: true,
    has_pin: true,
    grants: ["player", { staff: { rank: "pit-manager", rulebook: "hoiana-baccarat" } }],
  });
});

test("a name that is taken is refused in the form", async ({ enter }) => {
  const page = await enter("admin");
  await page.goto("/admin");
  await page.getByRole("button", { name: "New person" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name to sign in with").fill("demo-admin");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Somebody else has this name.")).toBeVisible();
  // A browser tells of every answer that refuses.
  complaints.get(page)?.splice(0);
});

test("a floor manager opens a table with what the rulebook leaves open", async ({ floor, enter }) => {
  const page = await enter("shift-manager");
  const called = name("Table");
  await page.goto("/admin#tables");
  await page.getByRole("button", { name: "Open a table" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name of the table").fill(called);
  await form.getByRole("combobox", { name: "Dealing", exact: true }).selectOption({ label: "Staff deal" });
  await form.getByRole("combobox", { name: "Cards", exact: true }).selectOption({ index: 1 });
  await form.getByRole("combobox", { name: "Layout" }).selectOption("A.1");
  await form.getByLabel("Cards burned").fill("1");
  await form.getByLabel("Cut card, from the end").fill("14");
  await form.getByLabel("Smallest chip").fill("100,000");
  await form.getByRole("textbox", { name: "Minimum wager" }).fill("500,000");
  await form.getByRole("textbox", { name: "Maximum wager" }).fill("200,000,000");
  await form.getByLabel("Differential", { exact: true }).fill("600,000,000");
  await noViolations(page);
  await form.locator("footer").getByRole("button", { name: "Open a table" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("link", { name: called })).toBeVisible();
  const tables = await floor.ask<TableSummary[]>(page, "GET", "/api/tables");
  expect(tables.find((table) => table.name === called)).toMatchObject({
    dealer: "staff",
    cards: "feed",
    minimum: 500_000,
    maximum: 200_000_000,
  });
});

test("settings that do not fit are told at their fields", async ({ enter }) => {
  const page = await enter("shift-manager");
  await page.goto("/admin#tables");
  await page.getByRole("button", { name: "Open a table" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name of the table").fill(name("Table"));
  await form.getByRole("combobox", { name: "Layout" }).selectOption("A.1");
  await form.getByLabel("Smallest chip").fill("100,000");
  const minimum = form.getByRole("textbox", { name: "Minimum wager" });
  await minimum.fill("550,000");
  await form.locator("footer").getByRole("button", { name: "Open a table" }).click();
  await expect(form.getByText("Some settings do not fit; each is marked where it stands.")).toBeVisible();
  await expect(minimum).toHaveAttribute("aria-invalid", "true");
  await expect(minimum).toHaveAccessibleDescription("550,000 is no whole number of the smallest chip, 100,000");
  // What must be set and is not is marked too; what fits is not.
  await expect(form.getByLabel("Differential", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(form.getByLabel("Smallest chip")).toHaveAttribute("aria-invalid", "false");
  await noViolations(page);
  // A browser tells of every answer that refuses.
  complaints.get(page)?.splice(0);
});

test("an amount that is none is told at its field", async ({ enter }) => {
  const page = await enter("shift-manager");
  await page.goto("/admin#tables");
  await page.getByRole("button", { name: "Open a table" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name of the table").fill(name("Table"));
  const minimum = form.getByRole("textbox", { name: "Minimum wager" });
  await minimum.fill("much");
  await form.locator("footer").getByRole("button", { name: "Open a table" }).click();
  await expect(minimum).toHaveAttribute("aria-invalid", "true");
  await expect(minimum).toHaveAccessibleDescription("“Minimum wager” is not an amount.");
});

test("a rank that the rulebook does not have is not kept unseen", async ({ floor, enter }) => {
  const page = await enter("admin");
  const who = name("minh");
  await page.goto("/admin");
  await page.getByRole("button", { name: "New person" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name to sign in with").fill(who);
  await form.getByRole("button", { name: "Add a rank" }).click();
  const rank = form.getByRole("combobox", { name: "Rank" });
  await rank.selectOption("shift-manager");
  await form.getByRole("combobox", { name: "Rulebook" }).selectOption("mbs-dragon-tiger");
  await expect(rank).toHaveValue("dealer");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/has an account, but no password yet\./)).toBeVisible();
  const { people } = await floor.ask<PeopleShown>(page, "GET", `/api/people?find=${who}`);
  expect(people[0]?.grants).toEqual(["player", { staff: { rank: "dealer", rulebook: "mbs-dragon-tiger" } }]);
});

test("a token is shown once, and can be taken back", async ({ enter }) => {
  const page = await enter("admin");
  const label = name("shoe");
  await page.goto("/admin#tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Label").fill(label);
  await form.locator("footer").getByRole("button", { name: "New token" }).click();
  await expect(form.getByText(/^crp_/)).toBeVisible();
  await noViolations(page);
  await form.locator("footer").getByRole("button", { name: "Close" }).click();
  const row = page.getByRole("row", { name: label });
  await expect(row).toContainText("Valid");
  await row.getByRole("button", { name: "Revoke" }).click();
  await form.getByRole("button", { name: "Revoke" }).click();
  await expect(row).toContainText("Revoked");
});

test("others are told that it is not theirs", async ({ enter }) => {
  const page = await enter("player");
  await page.goto("/admin");
  await expect(page.getByText("This is for administrators and floor managers.")).toBeVisible();
});
