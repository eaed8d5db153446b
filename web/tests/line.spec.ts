// A line that dies without a word: a proxy before the server that swallows whatever passes, both ways.
import { createServer, type Server, Socket } from "node:net";
import { complaints, expect, test as base } from "./floor";
import { area, BACCARAT, dealtByHand, laid, openBets, sitDown } from "./player";

/** A way to the server that can go dead: connections stay open, and nothing passes. */
class Way {
  isDead = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}
  static async to(url: string): Promise<Way> {
    const { hostname, port } = new URL(url);
    const server = createServer((near) => {
      const far = new Socket().connect(Number(port), hostname);
      for (const [from, to] of [[near, far], [far, near]] as const) {
        from.on("data", (bytes) => void (way.isDead || to.write(bytes)));
        from.on("close", () => to.destroy());
        from.on("error", () => to.destroy());
      }
    });
    await new Promise<void>((go) => server.listen(0, "127.0.0.1", go));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const way = new Way(server, `http://127.0.0.1:${address.port}`);
    return way;
  }
  end(): void {
    this.server.close();
  }
}

const test = base.extend<{ way: Way }>({
  way: async ({ floor }, use) => {
    const way = await Way.to(floor.url);
    await use(way);
    way.end();
  },
});

test("a dead line is noticed within three seconds without a tap, takes no bets, and comes back", async ({ floor, enter, way }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player", { baseURL: way.url });
  await sitDown(page, table, 3);
  await openBets(give);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");
  way.isDead = true;
  const began = Date.now();
  await expect(page.getByRole("alert")).toContainText("Connection lost", { timeout: 10_000 });
  expect(Date.now() - began).toBeLessThan(3_500);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText(/safe/)).toHaveCount(0);
  way.isDead = false;
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false", { timeout: 20_000 });
  await expect(page.getByRole("alert")).toHaveCount(0);
  complaints.set(page, []);
});

test("a bet on a dead line is not called safe, and never lands in another round", async ({ floor, enter, way }) => {
  const { table, give } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const page = await enter("player", { baseURL: way.url });
  await sitDown(page, table, 3);
  await openBets(give);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");
  way.isDead = true;
  await area(page, "Banker").click();
  await expect(page.getByRole("alert")).toContainText("₫500,000 has no answer yet");
  // The round goes by, and the next one opens.
  await give("close-bets");
  for (const card of ["9S", "4H", "KD", "2C"]) await give({ draw: { card, exposed: false } });
  for (const side of ["player", "banker"] as const) await give({ reveal: { side, told: [] } });
  await give({ call: "player" });
  await give("settle");
  await give("open-bets");
  way.isDead = false;
  await expect(page.getByText("500K on Banker came too late for its round. Nothing was laid.")).toBeVisible({ timeout: 20_000 });
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false");
  await expect(laid(page, "Banker")).toHaveCount(0);
  complaints.set(page, []);
});

test("areas close when the clock is at zero, whatever the server says later", async ({ floor, enter }) => {
  const how = { automatic: true, software_shoe: true };
  const rankAbsent = { setting: "rank-absent", value: { word: "first-ruling" } } as const;
  const settings = [...BACCARAT.filter(({ setting }) => setting !== "betting-seconds"), rankAbsent];
  const betting = { setting: "betting-seconds", value: { count: 6 } } as const;
  const { table } = await dealtByHand(floor, enter, "hoiana-baccarat/commission", [...settings, betting], how);
  const page = await enter("player");
  let isHeld = false;
  await page.routeWebSocket(/\/live/, (near) => {
    const far = near.connectToServer();
    far.onMessage((message) => void ((isHeld && !String(message).includes('"beat"')) || near.send(message)));
  });
  await sitDown(page, table, 3);
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "false", { timeout: 30_000 });
  isHeld = true;
  await expect(area(page, "Banker")).toHaveAttribute("aria-disabled", "true", { timeout: 12_000 });
  await expect(page.getByRole("alert")).toHaveCount(0);
});
