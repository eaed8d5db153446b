// The entrance: the roles of a demo, a name with a password, the first run, and the language that is kept.
import type { Page } from "@playwright/test";
import { complaints, expect, test } from "./floor";

/** Forgets the one complaint of the browser about an answer that this test asked for. */
function refused(page: Page, status: number): void {
  const said = complaints.get(page) ?? [];
  expect(said).toEqual([expect.stringContaining(String(status))]);
  said.length = 0;
}

test("one click signs in to each role of a demo, and leads where its work is", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/");
  await page.getByRole("link", { name: "Pick a role" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(9);
  await page.getByRole("button", { name: /^Cashier/ }).click();
  await expect(page).toHaveURL("/cage");
  await page.goto("/sign-in");
  await page.getByRole("button", { name: /^Player/ }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("link", { name: /^Guest/ })).toBeVisible();
});

test("whoever signs in at a table comes back to it, and never goes to another house", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/tables/3");
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toHaveCount(0);
  await page.getByRole("button", { name: /^Cashier/ }).click();
  await expect(page).toHaveURL("/tables/3");
  await page.goto("/sign-in?to=//else.where/");
  await page.getByRole("button", { name: /^Player/ }).click();
  await expect(page).toHaveURL("/");
});

test("a wrong password is refused in the form, and is gone from it", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/sign-in");
  await page.getByText("Or sign in with a name").click();
  await page.getByLabel("Name").fill("nobody-at-all");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveValue("");
  refused(page, 401);
});

test("the first run takes the token out of the address and wants the password twice", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/first-run#a-token-that-is-none");
  await expect(page.getByText("The token came with the link.")).toBeVisible();
  await expect(page).toHaveURL("/first-run");
  await page.getByLabel("Name").fill("first");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByLabel("Password again").fill("another long password");
  const make = page.getByRole("button", { name: "Make the account" });
  await expect(make).toBeDisabled();
  await expect(page.getByText("The two passwords differ.")).toBeVisible();
  await page.getByLabel("Password again").fill("a long enough password");
  await make.click();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(complaints.get(page)).toHaveLength(1);
  complaints.set(page, []);
});

test("a language that was chosen is kept", async ({ enter }) => {
  const page = await enter("nobody");
  await page.goto("/");
  await page.getByRole("combobox", { name: "Language" }).selectOption("vi");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sàn chơi");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sàn chơi");
  await expect(page.locator("html")).toHaveAttribute("lang", "vi");
});
