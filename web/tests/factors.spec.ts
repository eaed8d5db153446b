// Second factors: an administrator makes somebody, who sets up an authenticator app or a passkey, signs in in two steps,
// uses a recovery code, and gives the factor up; the administrator resets one.
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { complaints, expect, type Floor, noViolations, test } from "./floor";

const PASSWORD = "seven quiet violins";

/** An authenticator app, written from RFC 6238. */
function codeOf(key: string, step: number): string {
  const bits = [...key.replaceAll(" ", "")].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const tag = createHmac("sha1", secret).update(counter).digest();
  const at = (tag[19] ?? 0) & 15;
  return String((tag.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}
const stepNow = (): number => Math.floor(Date.now() / 30_000);

/** Forgets what the browser said about answers that this test asked for. */
function expected(page: Page): void {
  complaints.get(page)?.splice(0);
}

async function someone(floor: Floor, admin: Page): Promise<string> {
  const name = `mai-${crypto.randomUUID().slice(0, 8)}`;
  await floor.ask(admin, "POST", "/api/people", { name, password: PASSWORD, grants: ["player"] });
  return name;
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByText("Or sign in with a name").click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Sets up an app on one's own page; its key, the step of the code that was taken, and the recovery codes. */
async function setUp(page: Page): Promise<{ key: string; step: number; codes: string[] }> {
  await page.goto("/me");
  const panel = page.getByRole("region", { name: "Second factor" });
  await panel.getByLabel("Current password").fill(PASSWORD);
  await panel.getByRole("button", { name: "Set up an authenticator app" }).click();
  await expect(panel.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  const key = (await panel.locator("code").innerText()).trim();
  await noViolations(page);
  await panel.getByLabel("Code from the app").fill("000000");
  await panel.getByRole("button", { name: "Confirm" }).click();
  await expect(panel.getByRole("alert")).toBeVisible();
  expected(page);
  // The step before, so that this one's code is still to be used.
  const step = stepNow() - 1;
  await panel.getByLabel("Code from the app").fill(codeOf(key, step));
  await panel.getByRole("button", { name: "Confirm" }).click();
  await expect(panel.getByRole("heading", { name: "Recovery codes" })).toBeFocused();
  const codes = await panel.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await noViolations(page);
  await panel.getByRole("button", { name: "I have kept them" }).click();
  await expect(panel.getByText("10 recovery codes are left.")).toBeVisible();
  return { key, step, codes };
}

test("with an authenticator app signing in takes two steps", async ({ floor, enter }) => {
  const admin = await enter("admin");
  const name = await someone(floor, admin);
  const page = await enter("nobody");
  await signIn(page, name);
  await expect(page).toHaveURL("/");
  await page.goto("/me");
  await expect(page.getByText("This is your first sign-in.")).toBeVisible();
  const { key, step, codes } = await setUp(page);
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();

  await signIn(page, name);
  await expect(page.getByRole("heading", { name: "Second step" })).toBeVisible();
  await expect(page.getByLabel("Code")).toBeFocused();
  await noViolations(page);
  await page.keyboard.type(codeOf(key, step));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("used before");
  expected(page);
  await page.keyboard.type(codeOf(key, step + 1));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(page.getByText(/You signed in last .*, from 127\.0\.0\.1\./)).toBeVisible();
  await page.goto("/me");
  await expect(page.getByText(/Your last sign-in before this one: .*, from 127\.0\.0\.1\./)).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();

  await signIn(page, name);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/me");
  const panel = page.getByRole("region", { name: "Second factor" });
  await expect(panel.getByText("9 recovery codes are left.")).toBeVisible();
  await panel.getByLabel("Current password").first().fill(PASSWORD);
  await panel.getByLabel("Code from the app, or a recovery code").fill(codes[1] ?? "");
  await panel.getByRole("button", { name: "Remove the second factor" }).click();
  await expect(panel.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
});

test("an administrator resets a factor that was lost", async ({ floor, enter }) => {
  const admin = await enter("admin");
  const name = await someone(floor, admin);
  const page = await enter("nobody");
  await signIn(page, name);
  await expect(page).toHaveURL("/");
  await setUp(page);
  await admin.goto("/admin");
  await admin.getByLabel("Find by name").fill(name);
  const row = admin.getByRole("row", { name });
  await expect(row).toContainText("Second factor");
  await row.getByRole("button", { name: /^Change / }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Reset the second factor" }).click();
  await expect(admin.getByRole("dialog")).toBeHidden();
  await expect(row).not.toContainText("Second factor");
  await signIn(page, name);
  await expect(page).toHaveURL("/");
});

test("a passkey is a second factor without an app", async ({ floor, enter }) => {
  const admin = await enter("admin");
  const name = await someone(floor, admin);
  // Passkeys are for names, and not for addresses.
  const page = await enter("nobody", { baseURL: floor.url.replace("127.0.0.1", "localhost") });
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "usb",
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, name);
  await expect(page).toHaveURL("/");
  await page.goto("/me");
  const panel = page.getByRole("region", { name: "Second factor" });
  await panel.getByLabel("Current password").fill(PASSWORD);
  await panel.getByLabel("Name of the passkey").fill("Blue key");
  await panel.getByRole("button", { name: "Add a passkey" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(10);
  await panel.getByRole("button", { name: "I have kept them" }).click();
  await expect(panel.getByText("Passkey “Blue key”")).toBeVisible();
  await noViolations(page);
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();

  await signIn(page, name);
  await noViolations(page);
  await page.getByRole("button", { name: "Sign in with the passkey" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/me");
  await panel.getByLabel("Current password").first().fill(PASSWORD);
  await panel.getByRole("button", { name: "Remove the passkey Blue key" }).click();
  await expect(panel.getByText("Passkey “Blue key”")).toBeHidden();
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await signIn(page, name);
  await expect(page).toHaveURL("/");

  // Another device does not have the key.
  await page.goto("/me");
  await panel.getByLabel("Current password").fill(PASSWORD);
  await panel.getByRole("button", { name: "Add a passkey" }).click();
  await panel.getByRole("button", { name: "I have kept them" }).click();
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await device.send("WebAuthn.clearCredentials", { authenticatorId });
  await signIn(page, name);
  await page.getByRole("button", { name: "Sign in with the passkey" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page).toHaveURL(/sign-in/);
  // The browser would like RS256 keys too; the server takes ES256, which every security key and phone makes.
  const said = complaints.get(page)?.splice(0) ?? [];
  expect(said.filter((text) => !text.includes("pubKeyCredParams"))).toEqual([]);
});
