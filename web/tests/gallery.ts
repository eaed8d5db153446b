// Pictures of the felt for whoever changes it: every game in every moment of a round, at five sizes and in three
// languages, from a real table. They go to test-results/gallery, or where CROUPIER_GALLERY says; GALLERY_SIZES
// (`360x740,1280x800`) and GALLERY_LANGUAGES (`en,vi`) take fewer, and `--grep` one game.
import { mkdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Action, ChosenSetting } from "../src/api/schema";
import { deviceAt, packet } from "./device";
import { type Floor, test } from "./floor";
import { BACCARAT, count, dealtByHand, draw, LIMITS, money, openBets, word } from "./player";

const FOLDER = process.env["CROUPIER_GALLERY"] ?? new URL("../test-results/gallery/", import.meta.url).pathname;
const SIZES = (process.env["GALLERY_SIZES"] ?? "360x740,740x360,820x1180,1280x800,1920x1080").split(",");
const LANGUAGES = (process.env["GALLERY_LANGUAGES"] ?? "en,vi,zh").split(",");
const LOCALES: Record<string, string> = { en: "en-GB", vi: "vi-VN", zh: "zh-CN" };

type Give = (action: Action) => Promise<unknown>;
type Enter = Parameters<typeof dealtByHand>[1];

/** One player at one table, seen in every language. */
class Watcher {
  private constructor(
    private readonly game: string,
    private readonly pages: readonly (readonly [language: string, page: Page])[],
  ) {}

  static async start(game: string, enter: Enter, table: number | undefined): Promise<[Watcher, Page]> {
    const first = await enter("player", { locale: "en-GB" });
    const storageState = await first.context().storageState();
    const pages: [string, Page][] = [];
    for (const language of LANGUAGES) {
      const page = await enter("nobody", { locale: LOCALES[language] ?? language, storageState });
      await page.addInitScript(() => localStorage.setItem("croupier.first-hand", "true"));
      await page.goto(table === undefined ? "/" : `/tables/${table}`);
      pages.push([language, page]);
    }
    mkdirSync(FOLDER, { recursive: true });
    return [new Watcher(game, pages), first];
  }

  async look(moment: string): Promise<void> {
    for (const [language, page] of this.pages) {
      await page.waitForTimeout(language === LANGUAGES[0] ? 2_600 : 100);
      for (const size of SIZES) {
        const [width = 0, height = 0] = size.split("x").map(Number);
        await page.setViewportSize({ width, height });
        await page.mouse.move(1, 1);
        await page.waitForTimeout(/result|lost/.test(moment) ? 900 : 350);
        await page.screenshot({ path: `${FOLDER}/${this.game}-${moment}-${size}-${language}.png` });
      }
    }
  }
}

interface Seat {
  page: Page;
  player: number;
  lay: (bet: string, amount: number, area?: number) => Promise<unknown>;
}

/** Somebody sits down with chips. */
async function sits(floor: Floor, page: Page, table: number, seat: number): Promise<Seat> {
  const player = await floor.idOf(page);
  await floor.command(page, table, { sit: { player, seat } });
  await floor.command(page, table, { "buy-in": { player, amount: 50_000_000, cash: false } });
  const { bets } = await floor.ask<{ bets: { id: string; bet: number }[] }>(page, "GET", `/api/tables/${table}`);
  const lay = (id: string, amount: number, area?: number): Promise<unknown> => {
    const bet = bets.find((one) => one.id === id)?.bet ?? 0;
    return floor.command(page, table, { place: { player, bet, amount, in_chips: true, untimed: false, ...(area === undefined ? {} : { area }) } });
  };
  return { page, player, lay };
}

/** Hands that end on four cards, by their ranks as they are drawn: Player, Banker, Player, Banker. */
const HANDS = {
  player: ["4K55", "A275", "3266", "9KQ7"],
  banker: ["24K5", "K929", "A3T5", "J8QT"],
  tie: ["4554", "A276"],
} as const;
const COURSE = "BBPBTPPPPBPBBPPTBBBBBBPBPPBPTPPBBBPPBPB";

/** Opens what lies closed; where the cards are open already there is nothing to do. */
async function opened(give: Give, ...sides: ("player" | "banker")[]): Promise<void> {
  for (const side of sides.length > 0 ? sides : (["player", "banker"] as const)) {
    await give({ reveal: { side, told: [] } }).catch(() => undefined);
  }
}

/** Rounds without wagers, so that the roads have something to tell. */
async function played(give: Give, lay: () => Promise<unknown>): Promise<void> {
  // No card comes more often than a shoe has it.
  const used: Record<string, number> = {};
  for (const [round, letter] of [...COURSE].entries()) {
    const winner = letter === "B" ? "banker" : letter === "P" ? "player" : "tie";
    const hands = HANDS[winner];
    await lay();
    await give("close-bets");
    for (const rank of hands[round % hands.length] ?? "") {
      used[rank] = (used[rank] ?? 0) + 1;
      await give(draw(rank + "SHDC"[(used[rank] ?? 0) % 4]));
    }
    await opened(give);
    await give({ call: winner });
    await give("settle");
    await give("open-bets");
  }
}

interface Game {
  name: string;
  game: string;
  settings: ChosenSetting[];
  seats: readonly [own: number, ...others: number[]];
  isSqueezed: boolean;
  own: readonly (readonly [bet: string, amount: number])[];
  others: readonly (readonly [bet: string, amount: number])[];
}

const [M, K] = [1_000_000, 1_000];
const PLAIN = [...LIMITS, count("betting-seconds", 600), count("option-seconds", 600)];
const GAMES: Game[] = [
  {
    name: "baccarat",
    game: "hoiana-baccarat/commission",
    settings: BACCARAT,
    seats: [4, 1, 2, 5, 7],
    isSqueezed: true,
    own: [["banker", 5 * M], ["lucky-6", 500 * K], ["banker-pair", 500 * K]],
    others: [["player", 2_500 * K], ["player-pair", 500 * K], ["tie", 700 * K], ["banker", 1_100 * K]],
  },
  {
    name: "dragon-tiger",
    game: "hoiana-dragon-tiger/commission",
    settings: [...PLAIN, word("layout", "A.4"), word("squeeze", "on")],
    seats: [3, 1, 2, 4],
    isSqueezed: true,
    own: [["banker", 5 * M], ["big-tiger", M], ["dragon-tiger", 500 * K]],
    others: [["player", 2_500 * K], ["small-dragon", 500 * K], ["tie", 700 * K]],
  },
  {
    name: "mbs",
    game: "mbs-dragon-tiger",
    settings: [...PLAIN, word("layout", "D"), word("method", "A")],
    seats: [5, 1, 3, 7, 9],
    isSqueezed: false,
    own: [["banker", 2_500 * K], ["big-tiger", M]],
    others: [["player", 2_500 * K], ["tie", 500 * K], ["banker", 700 * K], ["small-tiger", 500 * K]],
  },
  {
    name: "dragon-bonus",
    game: "horseshoe-dragon-bonus",
    settings: [...PLAIN.filter(({ setting }) => setting !== "differential"), word("schedule-posted", "yes"), word("residual-authority", "pit-manager")],
    seats: [4, 1, 3, 6],
    isSqueezed: false,
    own: [["banker", 2_500 * K], ["dragon-bonus-banker", M]],
    others: [["player", 2_500 * K], ["tie", 500 * K], ["dragon-bonus-player", 700 * K]],
  },
];

for (const { name, game, settings, seats, isSqueezed, own, others } of GAMES) {
  test(name, async ({ floor, enter }) => {
    const { table, give } = await dealtByHand(floor, enter, game, settings, { name: game.includes("bonus") ? "Dragon Bonus" : "Main floor 1" });
    const hand = async (cards: readonly string[]): Promise<void> => {
      for (const card of cards) await give(draw(card));
    };
    await openBets(give);
    const early = await sits(floor, await enter("player"), table, seats[1] ?? 1);
    await played(give, () => early.lay("tie", 500 * K));
    const [watcher, first] = await Watcher.start(name, enter, table);
    await watcher.look("1-join");
    const me = await sits(floor, first, table, seats[0]);
    for (const [at, [bet, amount]] of others.entries()) {
      const other = at === 0 ? early : await sits(floor, await enter("player"), table, seats[at + 1] ?? 0);
      await other.lay(bet, amount);
    }
    for (const [bet, amount] of own) await me.lay(bet, amount);
    if (isSqueezed) await floor.command(first, table, { "ask-squeeze": { player: me.player } });
    await watcher.look("2-betting");
    await give("close-bets");
    // One against five; the Banker draws to six on three cards.
    await hand(["KC", "KS", "AD", "5H"]);
    await watcher.look(isSqueezed ? "4-squeeze" : "4-dealt");
    await opened(give);
    if (name === "baccarat") {
      await give("offer-insurance");
      await watcher.look("5-insurance");
      await give("close-insurance");
    }
    await hand(["4C"]);
    await opened(give, "player");
    await hand(["AH"]);
    if (isSqueezed) await watcher.look("5-third");
    await opened(give, "banker");
    await give({ call: "banker" });
    await give("settle");
    await watcher.look("6-result");
    await give("open-bets");
    for (const [bet, amount] of own) await me.lay(bet, amount);
    await give("close-bets");
    await hand(["9S", "KD", "KS", "3H"]);
    await opened(give);
    await give({ call: "player" });
    await give("settle");
    await watcher.look("7-lost");
    await give("open-bets");
    for (const [bet, amount] of own) await me.lay(bet, amount);
    await give("close-bets");
    await hand(["3S", "4H"]);
    await give({ report: "wrong-order" }).catch(() => undefined);
    await watcher.look("8-hold");
  });
}

test("niu-niu", async ({ floor, enter }) => {
  const settings = [money("chip", 100_000), money("minimum", 500_000), money("maximum", 200_000_000), word("layout", "A")];
  const { table, give } = await dealtByHand(floor, enter, "hoiana-niu-niu", settings, { name: "Niu Niu 1" });
  const device = await deviceAt(floor, await enter("admin"), table);
  const [watcher, first] = await Watcher.start("niu-niu", enter, table);
  const me = await sits(floor, first, table, 4);
  const others = [];
  for (const seat of [1, 2, 6]) others.push([seat, await sits(floor, await enter("player"), table, seat)] as const);
  for (const action of [{ "load-shoe": {} }, "record-shuffle", "open-bets"] as const) await give(action);
  await watcher.look("1-empty");
  for (const [seat, other] of others) await other.lay("even", seat * M);
  await me.lay("even", 2 * M);
  await me.lay("double", M);
  await me.lay("super-niu", 500 * K);
  await watcher.look("2-betting");
  await give("close-bets");
  const packets = { box1: "KS QH JD 5C 6D", box2: "KC QD JS 2C 6H", box4: "KD 7H 3C 4D 5S", box6: "AS 2D 4H 8C 9C", dealer: "2S 3H 5D TC 7S" };
  for (const [to, cards] of Object.entries(packets)) await device(packet(to, cards));
  await watcher.look("3-packets");
  await floor.command(first, table, { "handle-cards": { player: me.player, box_number: 4 } });
  await give("check-count");
  await watcher.look("4-set");
  await floor.command(first, table, { "set-hand": { holder: "box4", set_as: "niu-9" } });
  for (const [holder, set_as] of [["box1", "niu-1"], ["box2", "niu-8"], ["box6", "no-hand"]] as const) await give({ "set-hand": { holder, set_as } });
  await give("open-dealer");
  await give({ "set-hand": { holder: "dealer", set_as: "niu-7" } });
  await give("settle");
  await watcher.look("5-result");
});

test("lobby", async ({ floor, enter }) => {
  const [watcher, first] = await Watcher.start("lobby", enter, undefined);
  await floor.ask(first, "GET", "/api/tables");
  await sits(floor, first, 3, 2).catch(() => sits(floor, first, 3, 5));
  await first.waitForTimeout(25_000);
  await watcher.look("1-floor");
});
