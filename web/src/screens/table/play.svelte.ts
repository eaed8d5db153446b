// What a player does at a table: wagers on their way, what can be undone, what was bet the round before. What may be
// done comes from the view alone; a wager is sent at once and shown as a ghost until it is acknowledged.
import type { Live } from "../../api/live.svelte";
import type {
  Action, Felt, InsuranceShown, MarkShown, Own, PlaceOffer, PlayerAccount, TableInfo, TakeBackOffer, WagerShown, Winner,
} from "../../api/schema";
import { attempt } from "../../lib/notices.svelte";
import { type Chip, rack } from "../../ui/chips";
import { added, within } from "./amounts";
import { winnerOf } from "./felt/result";

/** What the line tells whoever sits down or only looks: the own part is missing as long as one is not at the table. */
export interface Seen {
  felt: Felt;
  account?: PlayerAccount;
  own?: Own;
}

/** The same as it comes over the line. */
interface Shown {
  felt: Felt;
  account?: PlayerAccount | null;
  own?: Own | null;
}

/** Before the end of betting: time for two answers over a slow line. */
const LATE_MILLISECONDS = 2_000;

interface Ghost {
  id: number;
  bet: number;
  box: number | undefined;
  amount: number;
  /** The line from which on the view has it; not known before it is acknowledged. */
  shown: number | undefined;
}

interface Wager {
  bet: number;
  box: number | undefined;
  stake: number;
}

/** A step that can be undone: what lay there before it. */
interface Step extends Wager {
  before: number;
}

/** A finished round, kept until the next one ends. */
export interface Finished {
  round: number;
  mark: MarkShown | undefined;
  winner: Winner | undefined;
  wagers: WagerShown[];
  insurances: InsuranceShown[];
  net: number;
}

export class Play {
  /** Whoever has left the table has no own part any more; then it is null in the view, which means the same. */
  readonly seen = $derived.by<Seen | undefined>(() => {
    const view: Shown | undefined = this.live.view;
    return view && { felt: view.felt, ...(view.account && { account: view.account }), ...(view.own && { own: view.own }) };
  });
  /** The value of the chip in hand. */
  chip = $state(0);
  /** The box that is bet on, where there are boxes. */
  chosenBox = $state<number | undefined>();
  /** The last round that had own wagers. */
  finished = $state.raw<Finished | undefined>();
  /** Something longer is on its way: several wagers after each other. */
  busy = $state(false);
  #ghosts = $state.raw<Ghost[]>([]);
  #steps = $state.raw<Step[]>([]);
  /** Whether something was laid in this round. */
  #isBegun = $state(false);
  /** The kinds of acts that have no answer yet: a second press of a button is none. */
  #asked = new Set<string>();
  #last = $state.raw<Wager[]>([]);
  #round = 0;
  #next = 1;
  readonly chips: Chip[];

  constructor(
    readonly live: Live<"player"> | Live<"public">,
    readonly info: TableInfo,
    readonly me: number | undefined,
  ) {
    const { minimum, maximum } = info.summary;
    this.chips = rack(info.chip, maximum ?? info.chip * 10_000);
    const first = this.chips.find((chip) => chip.value >= (minimum ?? 0)) ?? this.chips[0];
    this.chip = first?.value ?? info.chip;
  }

  /** Ghosts that the view does not have yet. */
  get #waiting(): Ghost[] {
    return this.#ghosts.filter((ghost) => ghost.shown === undefined || ghost.shown > this.live.sequence);
  }

  /** Chips before the player, without those on their way to the felt. */
  get purse(): number {
    const own = this.seen?.account?.chips ?? 0;
    return own - this.#waiting.reduce((sum, ghost) => sum + ghost.amount * (1 + this.#reserveTimes(ghost)), 0);
  }

  get wagers(): WagerShown[] {
    return this.seen?.felt.wagers.filter((wager) => wager.player === this.me) ?? [];
  }

  /** What was laid on the insurance that is on offer; an earlier one had odds of its own. */
  get insured(): number {
    const felt = this.seen?.felt;
    const mine = felt?.insurances.filter(({ player, line }) => player === this.me && line === felt.window?.line) ?? [];
    return mine.reduce((sum, insurance) => sum + insurance.stake, 0);
  }

  /** What lies on the felt and is not decided yet. */
  get inPlay(): number {
    const laid = this.wagers.filter((wager) => wager.ended == null);
    return laid.reduce((sum, wager) => sum + wager.stake + wager.reserve, 0);
  }

  get isOpen(): boolean {
    const own = this.seen?.own;
    return this.live.line === "open" && own !== undefined && (own.place.length > 0 || own.take_back.length > 0);
  }

  get canUndo(): boolean {
    return this.isOpen && this.#steps.length > 0;
  }

  get canClear(): boolean {
    return this.isOpen && (this.seen?.own?.take_back.length ?? 0) > 0;
  }

  /** What was bet before may come again, until the first chip of the round: after it, there is something to undo. */
  get isFresh(): boolean {
    return this.#last.length > 0 && !this.#isBegun && this.wagers.length === 0;
  }

  get canRebet(): boolean {
    return this.isOpen && this.isFresh;
  }

  get canDouble(): boolean {
    return this.isOpen && this.wagers.length > 0 && !(this.isByBox && this.#isLate);
  }

  /** Boxes that may be bet on, where there are boxes. */
  get boxes(): number[] {
    const own = this.seen?.own;
    const offered = [...(own?.place ?? []), ...(own?.take_back ?? [])].flatMap((offer) => offer.box_number ?? []);
    return [...new Set(offered)];
  }

  offer(bet: number, box: number | undefined): PlaceOffer | undefined {
    return this.seen?.own?.place.find((offer) => offer.bet === bet && (offer.box_number ?? undefined) === box);
  }

  waiting(bet: number, box: number | undefined): number {
    return this.#waiting.reduce((sum, ghost) => (ghost.bet === bet && ghost.box === box ? sum + ghost.amount : sum), 0);
  }

  /** What a tap on an area adds now. */
  adds(bet: number, box: number | undefined): number | undefined {
    if (this.live.line !== "open" || this.busy) return undefined;
    // A wager in a box is not raised: it is taken back and laid anew, once it lies there.
    if (box !== undefined && this.waiting(bet, box) > 0) return undefined;
    if (box !== undefined && this.#laid(bet, box) > 0 && this.#isLate) return undefined;
    const offer = this.offer(bet, box);
    if (offer !== undefined) return added(this.chip, offer.add, this.waiting(bet, box));
    const back = this.#takeBack(bet, box);
    return box !== undefined && back?.all != null && this.purse > 0 ? Math.min(this.chip, this.purse) : undefined;
  }

  async place(bet: number, box: number | undefined): Promise<void> {
    const amount = this.adds(bet, box);
    if (amount === undefined) return;
    const before = this.#laid(bet, box) + this.waiting(bet, box);
    const isLaid = this.offer(bet, box) === undefined;
    const done = isLaid ? await this.#lay(bet, box, before, before + amount) : await this.#add(bet, box, amount);
    if (done) this.#steps = [...this.#steps, { bet, box, stake: before + amount, before }];
  }

  /** Takes back the last step. */
  async undo(): Promise<void> {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#steps = this.#steps.slice(0, -1);
    await this.#together(async () => {
      await this.#landed();
      const now = this.#laid(step.bet, step.box);
      const part = this.#takeBack(step.bet, step.box)?.part;
      const amount = now - step.before;
      const fits = part != null && amount >= part.from && amount <= part.to;
      if (step.before > 0 && !fits) return this.#lay(step.bet, step.box, now, step.before);
      return this.#send({ "take-back": { ...this.#which(step), ...(step.before > 0 ? { amount } : {}) } });
    });
  }

  /** Takes back everything. */
  async clear(): Promise<void> {
    await this.#together(async () => {
      await this.#landed();
      await this.#takeAllBack();
    });
  }

  /** The wagers of the round before, once more. */
  async rebet(): Promise<void> {
    const again = this.#last;
    await this.#together(async () => {
      for (const { bet, box, stake } of again) {
        const offer = this.offer(bet, box);
        if (offer === undefined) continue;
        const amount = within(stake, offer.add);
        if (!(await this.#add(bet, box, amount))) return;
        this.#steps = [...this.#steps, { bet, box, stake: amount, before: 0 }];
      }
    });
  }

  /** Every wager once more on top. */
  async double(): Promise<void> {
    if (!this.canDouble) return;
    const laid = this.wagers.map((wager) => ({ bet: wager.bet, box: this.#boxOf(wager), stake: wager.stake }));
    await this.#together(async () => {
      // Wagers in boxes are not raised: they are taken back and laid anew.
      if (this.isByBox && !(await this.#takeAllBack())) return;
      for (const { bet, box, stake } of laid) {
        const offer = this.offer(bet, box);
        if (offer === undefined) continue;
        const amount = within(this.isByBox ? stake * 2 : stake, offer.add);
        const done = await this.#add(bet, box, amount);
        if (!done && this.isByBox) await this.#add(bet, box, stake);
        else if (!done) return;
        if (!this.isByBox) this.#steps = [...this.#steps, { bet, box, stake: stake + amount, before: stake }];
      }
    });
  }

  /** Asks anything else of the table; whether it went well. */
  async send(action: Action): Promise<boolean> {
    const kind = typeof action === "string" ? action : Object.keys(action).join();
    if (this.#asked.has(kind)) return false;
    this.#asked.add(kind);
    try {
      return await this.#send(action);
    } finally {
      this.#asked.delete(kind);
    }
  }

  /** Keeps what the next round needs from the view that has just come. */
  look(felt: Felt): void {
    if (felt.round !== this.#round) {
      this.#round = felt.round;
      this.#steps = [];
      this.#ghosts = [];
      this.#isBegun = false;
    }
    const mine = felt.wagers.filter((wager) => wager.player === this.me);
    if (mine.length === 0) return;
    if (felt.phase !== "bets-open" && felt.phase !== "reopened") {
      this.#last = mine.map((wager) => ({ bet: wager.bet, box: this.#boxOf(wager), stake: wager.stake }));
    }
    if (felt.closed == null) return;
    const insurances = felt.insurances.filter((insurance) => insurance.player === this.me);
    const ends = [...mine, ...insurances].flatMap(({ ended }) => ended ?? []);
    this.finished = {
      round: felt.round,
      mark: felt.closed,
      winner: winnerOf(felt),
      wagers: mine,
      insurances,
      net: ends.reduce((sum, ended) => sum + ended.winnings - ended.collected, 0),
    };
  }

  get #player(): number {
    return this.me ?? 0;
  }

  /** Areas are seats, except where bets are laid by box. */
  #boxOf(wager: WagerShown): number | undefined {
    return this.isByBox ? (wager.area ?? undefined) : undefined;
  }

  /** Too near the end to take a wager back and lay it anew: the close could come between the two. */
  get #isLate(): boolean {
    return (this.live.deadline ?? Infinity) - Date.now() < LATE_MILLISECONDS;
  }

  /** Wagers are laid in boxes, and not raised there: they are taken back and laid anew. */
  get isByBox(): boolean {
    return this.info.summary.family === "niu-niu";
  }

  #laid(bet: number, box: number | undefined): number {
    return this.wagers.find((wager) => wager.bet === bet && this.#boxOf(wager) === box)?.stake ?? 0;
  }

  #takeBack(bet: number, box: number | undefined): TakeBackOffer | undefined {
    return this.seen?.own?.take_back.find((offer) => offer.bet === bet && (offer.box_number ?? undefined) === box);
  }

  #reserveTimes({ bet, box }: { bet: number; box: number | undefined }): number {
    return this.offer(bet, box)?.reserve_times ?? 0;
  }

  #which({ bet, box }: { bet: number; box: number | undefined }): { player: number; bet: number; box_number?: number } {
    return { player: this.#player, bet, ...(box === undefined ? {} : { box_number: box }) };
  }

  async #add(bet: number, box: number | undefined, amount: number): Promise<boolean> {
    const ghost: Ghost = { id: this.#next++, bet, box, amount, shown: undefined };
    this.#ghosts = [...this.#waiting, ghost];
    this.#isBegun = true;
    const area = box === undefined ? {} : { area: box };
    const place = { player: this.#player, bet, amount, in_chips: true, untimed: false, ...area };
    const done = await attempt(async () => {
      const { sequence } = await this.live.command({ place });
      this.#ghosts = this.#ghosts.map((one) => (one.id === ghost.id ? { ...one, shown: sequence } : one));
    }, this.info.summary);
    if (!done) this.#ghosts = this.#ghosts.filter((one) => one.id !== ghost.id);
    else if (this.busy) await this.#shows(this.#ghosts.find((one) => one.id === ghost.id)?.shown ?? 0);
    return done;
  }

  /** Lays a wager anew with another stake; what lay there comes back if the new one is refused. */
  async #lay(bet: number, box: number | undefined, before: number, stake: number): Promise<boolean> {
    if (before > 0 && !(await this.#send({ "take-back": this.#which({ bet, box }) }))) return false;
    if (await this.#add(bet, box, stake)) return true;
    if (before > 0) await this.#add(bet, box, before);
    return false;
  }

  /** Takes back everything that may be, the last first: some wagers may not lie without an earlier one. */
  async #takeAllBack(): Promise<boolean> {
    this.#steps = [];
    for (const wager of this.wagers.toReversed()) {
      const which = { bet: wager.bet, box: this.#boxOf(wager) };
      if (this.#takeBack(which.bet, which.box)?.all == null) continue;
      if (!(await this.#send({ "take-back": this.#which(which) }))) return false;
    }
    return true;
  }

  async #send(action: Action): Promise<boolean> {
    let sequence = 0;
    const done = await attempt(async () => {
      ({ sequence } = await this.live.command(action));
    }, this.info.summary);
    if (done) await this.#shows(sequence);
    return done;
  }

  /** Waits until the view has a line: what comes next is decided from it. */
  async #shows(sequence: number): Promise<void> {
    for (let tries = 0; this.live.sequence < sequence && tries < 80; tries += 1) {
      await new Promise((go) => setTimeout(go, 25));
    }
  }

  /** Waits until the chips on their way lie on the felt. */
  async #landed(): Promise<void> {
    for (let tries = 0; this.#waiting.length > 0 && tries < 80; tries += 1) {
      await new Promise((go) => setTimeout(go, 25));
    }
  }

  async #together(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } finally {
      this.busy = false;
    }
  }
}
