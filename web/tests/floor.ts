// What browser tests stand on: a demo floor of their own (`croupier demo` with SQLite in a throw-away folder), people
// in every role, and tables that are opened for one test.
//
//   import { expect, test } from "./floor";
//   test("…", async ({ floor, enter }) => {
//     const table = await floor.openTable({ game: "hoiana-baccarat/commission" });   // dealt by hand, cards by feed
//     const dealer = await enter("dealer");          // a page in a context of its own, signed in
//     await dealer.goto(`/tables/${table}/deal`);
//     const guest = await enter("player");           // another guest each time
//     await floor.command(dealer, table, { … });     // a command over HTTP as whoever the page is
//   });
//
// Every page fails the test on a console error, an uncaught error or an answer of 5xx, and `noViolations(page)` fails
// it on serious findings of axe. CROUPIER_BIN names the server; CROUPIER_WEB a folder with a UI instead of the one
// that is built in.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, expect, type Page, test as base } from "@playwright/test";
import type { Action, As, ChosenSetting, DemoRole, NewTable, Proof, TableSummary } from "../src/api/schema";

const BINARY = process.env["CROUPIER_BIN"] ?? join(import.meta.dirname, "../../target/debug/croupier");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A server that runs, and what can be done on its floor. */
export class Floor {
  private constructor(
    readonly url: string,
    private process: ChildProcess,
    private readonly folder: string,
    private readonly manager: () => Promise<Page>,
  ) {}

  static async start(manager: (url: string) => Promise<Page>, options: string[] = []): Promise<Floor> {
    const folder = mkdtempSync(join(tmpdir(), "croupier-browser-"));
    const [process, url] = await Floor.run(folder, "127.0.0.1:0", options);
    return new Floor(url, process, folder, () => manager(url));
  }

  private static run(folder: string, listen: string, options: string[]): Promise<[ChildProcess, string]> {
    const web = process.env["CROUPIER_WEB"];
    const pace = options.includes("--pace") ? [] : ["--pace", "120"];
    const settings = ["--data", folder, "--listen", listen, ...pace, ...(web ? ["--web", web] : []), ...options];
    const child = spawn(BINARY, ["demo", ...settings], { stdio: ["ignore", "pipe", "pipe"] });
    return new Promise((resolve, reject) => {
      let said = "";
      child.stderr?.on("data", (bytes) => (said += String(bytes)));
      child.on("exit", (code) => reject(new Error(`croupier demo ended with ${code}: ${said}`)));
      child.stdout?.on("data", (bytes) => {
        said += String(bytes);
        const url = /on (http:\/\/\S+)/.exec(said)?.[1];
        if (url !== undefined && said.includes("Ready")) resolve([child, url]);
      });
    });
  }

  /** Stops the server as an operator would. */
  async stop(): Promise<void> {
    this.process.removeAllListeners("exit");
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGTERM");
    await ended;
  }

  /** Starts it again at the same address with the same data. */
  async startAgain(): Promise<void> {
    [this.process] = await Floor.run(this.folder, new URL(this.url).host, []);
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens a table, by default one dealt by hand whose cards are fed; its id. */
  async openTable(wanted: { game: string; settings?: ChosenSetting[] } & Partial<NewTable>): Promise<number> {
    const { game, settings = [], ...rest } = wanted;
    const body: NewTable = {
      name: "Main floor",
      pit: "Demo",
      currency: "VND",
      decimals: 0,
      automatic: false,
      software_shoe: false,
      opening: { game, settings },
      ...rest,
    };
    // A session of its own: a test that sets a PIN or a password ends the others of that person.
    const page = await this.manager();
    const { id } = await this.ask<TableSummary>(page, "POST", "/api/tables", body);
    await page.context().close();
    return id;
  }

  /** A request over HTTP as whoever the page is; fails the test unless it is answered well. */
  async ask<T>(page: Page, method: "GET" | "POST" | "PUT", path: string, data?: unknown): Promise<T> {
    const options = data === undefined ? { method } : { method, data };
    const answer = await page.request.fetch(this.url + path, { ...options, headers: { origin: this.url } });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }

  /** A command at a table, over HTTP. */
  command(page: Page, table: number, action: Action, given: { as?: As; given_by?: Proof; witness?: Proof } = {}) {
    const id = `test-${crypto.randomUUID()}`;
    return this.ask<{ sequence: number }>(page, "POST", `/api/tables/${table}/commands`, { id, action, ...given });
  }

  /** Who a page is signed in as. */
  async idOf(page: Page): Promise<number> {
    return (await this.ask<{ id: number }>(page, "GET", "/api/me")).id;
  }
}

type Enter = (role: DemoRole | "nobody", options?: BrowserContextOptions) => Promise<Page>;

export async function entered(browser: Browser, url: string, role: DemoRole | "nobody", options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: url, ...options });
  if (role !== "nobody") {
    const answer = await context.request.post(`${url}/api/demo/sign-in`, { data: { role }, headers: { origin: url } });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  return context.newPage();
}

/** What a page complained of; a test may expect complaints when it breaks the connection itself. */
export const complaints = new WeakMap<Page, string[]>();

export const test = base.extend<{ enter: Enter }, { floor: Floor }>({
  floor: [
    async ({ browser }, use) => {
      const floor = await Floor.start((url) => entered(browser, url, "shift-manager"));
      await use(floor);
      await floor.end();
    },
    { scope: "worker", timeout: 30_000 },
  ],
  enter: async ({ browser, floor }, use) => {
    const pages: Page[] = [];
    await use(async (role, options) => {
      const page = await entered(browser, floor.url, role, options);
      const said: string[] = [];
      complaints.set(page, said);
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") said.push(message.text());
      });
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("response", (answer) => {
        if (answer.status() >= 500) said.push(`${answer.status()} ${answer.url()}`);
      });
      pages.push(page);
      return page;
    });
    for (const page of pages) {
      expect(complaints.get(page), page.url()).toEqual([]);
      await page.context().close();
    }
  },
});

/** Fails unless axe finds nothing serious on the page. */
export async function noViolations(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`);
  });
  expect(found).toEqual([]);
}

export { expect };
