import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Action, Felt, Own, TableInfo, WagerShown } from "../../api/schema";

vi.stubGlobal("localStorage", { getItem: () => "en" });
vi.stubGlobal("navigator", { languages: ["en"] });
const { Refused, unreachable } = await import("../../api/client");
const { notices } = await import("../../lib/notices.svelte");
const { Play } = await import("./play.svelte");

const ME = 7;
const [BANKER, PLAYER] = [0, 1];
const CHIPS = 10_000;
const INFO = {
  chip: 100,
  bets: [{ names: { en: "Banker" } }, { names: { en: "Player" } }],
  summary: { minimum: 500, maximum: 50_000, family: "baccarat", currency: "VND", decimals: 0 },
} as unknown as TableInfo;

/** A table that takes wagers as the server would, and answers when it is told to. */
class Table {
  sequence = 1;
  line = "open";
  isOver = false;
  deadline: number | undefined;
  wagers: WagerShown[] = [];
  chips = CHIPS;
  round = 1;
  phase = "bets-open";
  insurances: unknown[] = [];
  asked: Action[] = [];
  view: { felt: Felt; account: unknown; own: Own } | undefined;
  isAnswering = true;
  refuses: string | undefined;
  #waiting: (() => void)[] = [];
  #shown: (() => void)[] = [];

  constructor() {
    this.show();
  }
  /** What was done is seen. */
  show(): void {
    const open = this.phase === "bets-open";
    const add = { from: 500, to: this.chips, step: 100 };
    const place = [BANKER, PLAYER].map((bet) => ({
      bet, box_number: null, reserve_times: 0,
      add: { ...add, from: this.#stake(bet) > 0 ? 100 : 500 },
    }));
    const takeBack = this.wagers.map(({ bet, stake }) => ({
      bet, box_number: null, all: stake, part: stake > 500 ? { from: 100, to: stake - 500, step: 100 } : null,
    }));
    this.view = {
      felt: { round: this.round, phase: this.phase, wagers: this.wagers, insurances: this.insurances, hands: [], closed: null } as unknown as Felt,
      account: { chips: this.chips },
      own: { place: open && this.chips >= 100 ? place : [], take_back: open ? takeBack : [] } as unknown as Own,
    };
    for (const go of this.#shown.splice(0)) go();
  }
  #stake(bet: number): number {
    return this.wagers.find((wager) => wager.bet === bet)?.stake ?? 0;
  }
  #set(bet: number, stake: number): void {
    const wager = { bet, stake, player: ME, reserve: 0, area: 1, ended: null, cites: [] };
    this.wagers = [...this.wagers.filter((one) => one.bet !== bet), ...(stake > 0 ? [wager] : [])];
  }
  async command(action: Action): Promise<{ sequence: number; at: number }> {
    this.asked.push(action);
    if (!this.isAnswering) await new Promise<void>((go) => this.#waiting.push(go));
    if (this.refuses !== undefined) throw new Refused({ ...unreachable("too late"), code: this.refuses });
    if (typeof action === "object" && "place" in action) {
      this.chips -= action.place.amount;
      const bet = Number(action.place.bet);
      this.#set(bet, this.#stake(bet) + action.place.amount);
    }
    if (typeof action === "object" && "take-back" in action) {
      const { amount } = action["take-back"];
      const bet = Number(action["take-back"].bet);
      const back = amount ?? this.#stake(bet);
      this.chips += back;
      this.#set(bet, this.#stake(bet) - back);
    }
    this.sequence += 1;
    this.show();
    return { sequence: this.sequence, at: 0 };
  }
  answers(): void {
    this.isAnswering = true;
    for (const go of this.#waiting.splice(0)) go();
  }
  async shows(sequence: number): Promise<void> {
    if (this.sequence < sequence) await new Promise<void>((go) => this.#shown.push(go));
  }
  /** What lies on Banker and Player. */
  get laid(): [number, number] {
    return [this.#stake(BANKER), this.#stake(PLAYER)];
  }
  next(): void {
    this.phase = "dealing";
    this.show();
  }
}

function sat(): { table: Table; play: InstanceType<typeof Play>; look: () => void } {
  const table = new Table();
  const play = new Play(table as never, INFO, ME);
  const look = (): void => play.look(table.view?.felt as Felt);
  look();
  return { table, play, look };
}

/** A round that ended with wagers, and the next one. */
async function after(bets: [number, number][]): Promise<ReturnType<typeof sat>> {
  const { table, play, look } = sat();
  for (const [bet, chip] of bets) {
    play.chosenChip = chip;
    await play.place(bet, undefined);
  }
  table.next();
  look();
  table.round += 1;
  table.phase = "bets-open";
  table.wagers = [];
  table.chips = CHIPS;
  table.show();
  look();
  return { table, play, look };
}

const wish = (play: InstanceType<typeof Play>) => play.wish;
const said = (): string[] => notices.all.flatMap(({ words, problem }) => words ?? problem?.code ?? []);

describe("a player at a table", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    for (const { id } of notices.all) notices.dismiss(id);
    vi.useRealTimers();
  });

  it("lays the chip in hand and shows it until the table has it", async () => {
    const { table, play } = sat();
    table.isAnswering = false;
    const placed = play.place(BANKER, undefined);
    expect([play.waiting(BANKER, undefined), play.unanswered, play.purse]).toEqual([500, 500, 9_500]);
    table.answers();
    await placed;
    expect([play.waiting(BANKER, undefined), play.unanswered, play.purse, table.laid]).toEqual([0, 0, 9_500, [500, 0]]);
  });

  it("has no chip in hand that is more than the purse, and never lays another amount", async () => {
    const { table, play } = sat();
    play.chosenChip = 50_000;
    expect(play.chip).toBeUndefined();
    await play.place(BANKER, undefined);
    expect(table.asked).toEqual([]);
    expect(play.wish).toEqual({ bet: BANKER, box: undefined, amount: 10_000, because: "rest" });
    play.wish = undefined;
    play.chosenChip = 100;
    await play.place(BANKER, undefined);
    expect([table.laid, wish(play)]).toEqual([[0, 0], { bet: BANKER, box: undefined, amount: 500, because: "minimum" }]);
    await play.grant();
    expect([table.laid, play.wish]).toEqual([[500, 0], undefined]);
    await play.place(BANKER, undefined);
    expect(table.laid).toEqual([600, 0]);
  });

  it("closes the areas when the clock or the line has run out", async () => {
    const { table, play } = sat();
    table.isOver = true;
    await play.place(BANKER, undefined);
    expect([play.tap(BANKER, undefined), play.isOpen, table.asked]).toEqual([undefined, false, []]);
    table.isOver = false;
    table.line = "lost";
    await play.place(BANKER, undefined);
    expect([play.tap(BANKER, undefined), play.isOpen, table.asked]).toEqual([undefined, false, []]);
  });

  it("says which wager lapsed with its round", async () => {
    const { table, play } = sat();
    table.isAnswering = false;
    const placed = play.place(BANKER, undefined);
    table.refuses = "moment-over";
    table.answers();
    await placed;
    expect(said()).toEqual(["500 on Banker came too late for its round. Nothing was laid."]);
    expect([play.unanswered, play.purse, play.canUndo]).toEqual([0, CHIPS, false]);
  });

  it("undoes a tap, and a double of several wagers as one step", async () => {
    const { table, play } = sat();
    await play.place(BANKER, undefined);
    play.chosenChip = 1_000;
    await play.place(PLAYER, undefined);
    await play.double();
    expect(table.laid).toEqual([1_000, 2_000]);
    await play.undo();
    expect(table.laid).toEqual([500, 1_000]);
    await play.undo();
    expect(table.laid).toEqual([500, 0]);
    await play.undo();
    expect([table.laid, play.canUndo]).toEqual([[0, 0], false]);
  });

  it("lays the last round again as one step, and again after it was cleared", async () => {
    const { table, play } = await after([[BANKER, 500], [PLAYER, 1_000]]);
    expect(play.isFresh).toBe(true);
    await play.rebet();
    expect([table.laid, play.isFresh]).toEqual([[500, 1_000], false]);
    await play.undo();
    expect([table.laid, play.isFresh]).toEqual([[0, 0], true]);
    await play.rebet();
    await play.clear();
    expect([table.laid, play.isFresh, play.canUndo]).toEqual([[0, 0], true, false]);
    await play.rebet();
    expect(table.laid).toEqual([500, 1_000]);
  });

  it("leaves out what does not fit, and says so", async () => {
    const { table, play } = await after([[BANKER, 5_000], [PLAYER, 1_000]]);
    table.chips = 2_000;
    table.show();
    await play.rebet();
    expect([table.laid, said().length]).toEqual([[0, 1_000], 1]);
    await play.double();
    expect([table.laid, said().length]).toEqual([[0, 2_000], 1]);
    await play.double();
    expect([table.laid, said().length]).toEqual([[0, 2_000], 2]);
  });

  it("waits for chips on their way before it undoes", async () => {
    const { table, play } = sat();
    await play.place(BANKER, undefined);
    table.isAnswering = false;
    const placed = play.place(PLAYER, undefined);
    const undone = play.undo();
    table.answers();
    await Promise.all([placed, undone]);
    expect(table.laid).toEqual([0, 500]);
  });

  it("counts insurance among what lies on the felt", async () => {
    const { table, play } = sat();
    await play.place(BANKER, undefined);
    table.insurances = [
      { player: ME, stake: 300, ended: null }, { player: ME, stake: 50, ended: {} }, { player: 8, stake: 999, ended: null },
    ];
    table.show();
    expect(play.inPlay).toBe(800);
  });

  it("drops a question when betting closes or the round changes", async () => {
    const { table, play, look } = sat();
    play.chosenChip = 100;
    await play.place(BANKER, undefined);
    expect(play.wish).toBeDefined();
    table.next();
    look();
    expect(play.wish).toBeUndefined();
  });
});
