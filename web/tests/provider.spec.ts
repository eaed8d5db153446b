// Signing in by an identity provider, with the button of the sign-in screen and a real provider; and one's own sessions.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";

const ROOT = join(import.meta.dirname, "../..");
const BINARY = process.env["CROUPIER_BIN"] ?? join(ROOT, "target/debug/croupier");
const PASSWORD = "seven quiet violins";

/** Starts a program, and waits for what it prints. */
function started(command: string, args: string[], wanted: RegExp): Promise<[ChildProcess, string]> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (bytes: unknown): void => {
      said += String(bytes);
      const found = wanted.exec(said)?.[1];
      if (found !== undefined) resolve([child, found]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`${command} ended with ${code}: ${said}`)));
  });
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

let folder: string;
let running: ChildProcess[] = [];
let base: string;
let issuer: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "croupier-provider-"));
  base = `http://127.0.0.1:${await freePort()}`;
  const script = join(ROOT, "crates/croupier/tests/provider/provider.mjs");
  const tools = join(ROOT, "target/tools/oidc-provider");
  const [provider, at] = await started("node", [script, tools, base], /provider at (\S+)/);
  issuer = at;
  writeFileSync(join(folder, "secret"), "a secret between two\n");
  const oidc = `issuer = "${issuer}"\nclient_id = "floor"\nsecret_file = "${join(folder, "secret")}"\nname = "House account"`;
  writeFileSync(join(folder, "croupier.toml"), `[oidc]\n${oidc}\n`);
  const web = process.env["CROUPIER_WEB"];
  const place = ["--data", join(folder, "data"), "--config", join(folder, "croupier.toml"), "--listen", new URL(base).host];
  const [floor, token] = await started(BINARY, ["serve", ...place, ...(web ? ["--web", web] : [])], /first-run#(\w+)[^]*listening/);
  running = [provider, floor];
  const made = await fetch(`${base}/api/first-run`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: base },
    body: JSON.stringify({ token, name: "boss", password: PASSWORD }),
  });
  expect(made.ok).toBe(true);
});

test.afterAll(() => {
  for (const child of running) {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function byPassword(page: Page, name: string): Promise<void> {
  await page.goto(`${base}/sign-in`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${base}/`);
}

test("staff sign in by the provider, are told what is refused, and end sessions elsewhere", async ({ browser }) => {
  const admin = await (await browser.newContext()).newPage();
  await byPassword(admin, "boss");
  const person = { name: "anna", password: PASSWORD, grants: [{ staff: { rank: "dealer" } }] };
  const made = await admin.request.post(`${base}/api/people`, { data: person, headers: { origin: base } });
  expect(made.ok(), await made.text()).toBe(true);

  // Nobody is tied to whom the provider names: told on the sign-in screen, and the address has nothing of it left.
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${base}/sign-in?to=/me`);
  await page.getByRole("button", { name: "Sign in with House account" }).click();
  await expect(page.getByRole("alert")).toContainText("no account here is tied");
  await expect(page).toHaveURL(`${base}/sign-in`);

  // The administrator ties them, in the form of the account.
  await admin.goto(`${base}/admin`);
  await admin.getByRole("row", { name: /anna/ }).getByRole("button", { name: /Change/ }).click();
  await admin.getByLabel("Name at the identity provider House account").fill("anna-7");
  await admin.getByRole("button", { name: "Save" }).click();
  await expect(admin.getByText("Saved")).toBeVisible();

  await page.goto(`${base}/sign-in?to=/me`);
  await page.getByRole("button", { name: "Sign in with House account" }).click();
  await expect(page).toHaveURL(`${base}/me`);
  await expect(page.getByText("(this one)")).toBeVisible();

  // Signed in elsewhere too, which ends here.
  const other = await (await browser.newContext()).newPage();
  await byPassword(other, "anna");
  await page.reload();
  const sessions = page.getByRole("region", { name: "Where you are signed in" });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await sessions.getByLabel("Password").fill(PASSWORD);
  await sessions.getByRole("button", { name: "End all others" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
});
