// What a player does at a table: wagers on their way, what can be undone, what was bet the round before. What may be
// done comes from the view alone; a wager is sent at once and shown as a ghost until it is acknowledged.
import type { Live } from "../../api/live.svelte";
import type {
  Action, Felt, InsuranceShown, MarkShown, NiuNiuCategory, Own, PlaceOffer, PlayerAccount, TableInfo, TakeBackOffer, WagerShown, Winner,
} from "../../api/schema";
import { problemOf } from "../../api/client";
import { table } from "../../i18n/table";
import { named, t } from "../../i18n/text.svelte";
import { short } from "../../lib/money";
import { sound } from "../../lib/sound.svelte";
import { attempt, notices } from "../../lib/notices.svelte";
import { type Chip, rack } from "../../ui/chips";
import { type Because, fits, type Tap, tapped } from "./amounts";
import { winnerOf } from "./felt/result";
import type { Told } from "./reasons";
import { keep, kept } from "../../lib/kept";

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
  /** It lies on the felt, or was refused. */
  landed: Promise<void>;
}

interface Wager {
  bet: number;
  box: number | undefined;
  stake: number;
}

/** What a step did to one wager: what lay there before it. */
interface Part extends Wager {
  before: number;
}

/** An amount that the table asks about: the chip in hand is not what fits. */
export interface Wish {
  bet: number;
  box: number | undefined;
  amount: number;
  because: Because;
}

/** A finished round, kept until the next one ends. */
export interface Finished {
  round: number;
  mark: MarkShown | undefined;
  winner: Winner | undefined;
  /** What the reasons are told from. */
  felt: Told;
  wagers: WagerShown[];
  insurances: InsuranceShown[];
  net: number;
}

/** An own hand of Niu Niu, and what it brought. */
export interface HandHeld {
  key: string;
  category: NiuNiuCategory;
  net: number;
}

export class Play {
  /** Whoever has left the table has no own part any more; then it is null in the view, which means the same. */
  readonly seen = $derived.by<Seen | undefined>(() => {
    const view: Shown | undefined = this.live.view;
    return view && { felt: view.felt, ...(view.account && { account: view.account }), ...(view.own && { own: view.own }) };
  });
  /** The value of the chip that was chosen last. */
  chosenChip = $state(0);
  /** The chip in hand: none if the chosen one is more than the player has. */
  readonly chip = $derived(this.chosenChip <= this.purse ? this.chosenChip : undefined);
  /** What the table asks about. */
  wish = $state.raw<Wish | undefined>();
  /** The box that is bet on, where there are boxes. */
  chosenBox = $state<number | undefined>();
  /** The last round that had own wagers. */
  finished = $state.raw<Finished | undefined>();
  /** The purse as far as the felt has told of it: a win is not seen there before its cards. */
  shownPurse = $state<number | undefined>();
  /** Rounds played in this visit, and what they brought: a page that is loaded again goes on counting. */
  rounds = $state(0);
  total = $state(0);
  /** The bets that were kept to be laid by one tap. */
  favourite = $state.raw<Wager[]>([]);
  /** One's own hands of Niu Niu since then, the newest first, with what each box brought. */
  hands = $state.raw<HandHeld[]>([]);
  /** Something longer is on its way: several wagers after each other. */
  busy = $state(false);
  #ghosts = $state.raw<Ghost[]>([]);
  /** What can be undone, step by step: a step may have changed several wagers. */
  #steps = $state.raw<Part[][]>([]);
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
    this.chosenChip = first?.value ?? info.chip;
    const visit = kept<{ rounds: number; total: number }>("session", this.#keyOf("visit"));
    this.rounds = visit?.rounds ?? 0;
    this.total = visit?.total ?? 0;
    this.favourite = kept<Wager[]>("local", this.#keyOf("favourite")) ?? [];
  }

  #keyOf(what: string): string {
    return `croupier.${what}.${this.info.summary.id}.${this.me ?? 0}`;
  }

  get canKeep(): boolean {
    return this.wagers.length > 0;
  }

  get canLayFavourite(): boolean {
    return this.isOpen && this.favourite.length > 0 && this.#waiting.length === 0 && this.wagers.length === 0;
  }

  /** Keeps what lies on the felt as the favourite bets. */
  keepFavourite(): void {
    if (!this.canKeep) return;
    this.favourite = this.wagers.map((wager) => ({ bet: wager.bet, box: this.#boxOf(wager), stake: wager.stake }));
    keep("local", this.#keyOf("favourite"), this.favourite);
    notices.say(t(table.favouriteKept));
  }

  /** Lays the favourite bets: each whole or not at all. */
  async layFavourite(): Promise<void> {
    if (this.canLayFavourite) await this.#layAgain(this.favourite);
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

  /** What lies on the felt and is not decided yet, insurances included. */
  get inPlay(): number {
    const laid = this.wagers.filter((wager) => wager.ended == null);
    const insured = this.seen?.felt.insurances.filter(({ player, ended }) => player === this.me && ended == null) ?? [];
    const stakes = laid.reduce((sum, wager) => sum + wager.stake + wager.reserve, 0);
    return insured.reduce((sum, insurance) => sum + insurance.stake, stakes);
  }

  /** What was sent and has no answer: nobody knows yet whether it lies on the felt. */
  get unanswered(): number {
    return this.#ghosts.reduce((sum, ghost) => (ghost.shown === undefined ? sum + ghost.amount : sum), 0);
  }

  /** Betting has not run out, as far as our clock knows. */
  get #isInTime(): boolean {
    return this.live.line === "open" && !this.live.isOver;
  }

  get isOpen(): boolean {
    const own = this.seen?.own;
    return this.#isInTime && own !== undefined && (own.place.length > 0 || own.take_back.length > 0);
  }

  get canUndo(): boolean {
    return this.isOpen && this.#steps.length > 0;
  }

  get canClear(): boolean {
    return this.isOpen && (this.seen?.own?.take_back.length ?? 0) > 0;
  }

  /** What was bet before may come again as long as nothing lies on the felt: after it, there is something to undo. */
  get isFresh(): boolean {
    return this.#last.length > 0 && this.#waiting.length === 0 && this.wagers.length === 0;
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

  /** What a tap on an area does now. */
  tap(bet: number, box: number | undefined): Tap | undefined {
    if (!this.#isInTime || this.busy) return undefined;
    // A wager in a box is not raised: it is taken back and laid anew, once it lies there.
    if (box !== undefined && this.waiting(bet, box) > 0) return undefined;
    if (box !== undefined && this.#laid(bet, box) > 0 && this.#isLate) return undefined;
    const offer = this.offer(bet, box);
    if (offer !== undefined) return tapped(this.chip, offer.add, this.waiting(bet, box));
    const back = this.#takeBack(bet, box);
    if (box === undefined || back?.all == null || this.chip === undefined) return undefined;
    return { amount: this.chip };
  }

  /** A tap on an area: lays the chip in hand, or asks where another amount is wanted. */
  async place(bet: number, box: number | undefined): Promise<void> {
    const tap = this.tap(bet, box);
    this.wish = undefined;
    if (tap === undefined) return;
    if (tap.because === undefined) {
      sound.play("chip");
      sound.touch();
      await this.#put(bet, box, tap.amount);
    }
    if (tap.because !== undefined) this.wish = { bet, box, amount: tap.amount, because: tap.because };
  }

  /** Lays what the table asked about. */
  async grant(): Promise<void> {
    const wish = this.wish;
    this.wish = undefined;
    if (wish === undefined) return;
    // Meanwhile chips may have come or gone.
    const tap = this.tap(wish.bet, wish.box);
    if (tap?.amount === wish.amount) await this.#put(wish.bet, wish.box, wish.amount);
    else if (tap !== undefined) await this.place(wish.bet, wish.box);
  }

  async #put(bet: number, box: number | undefined, amount: number): Promise<void> {
    const before = this.#laid(bet, box) + this.waiting(bet, box);
    const isLaid = this.offer(bet, box) === undefined;
    const done = isLaid ? await this.#lay(bet, box, before, before + amount) : await this.#add(bet, box, amount);
    if (done) this.#did([{ bet, box, stake: before + amount, before }]);
  }

  /** Takes back the last step, whatever it did. */
  async undo(): Promise<void> {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#steps = this.#steps.slice(0, -1);
    await this.#together(async () => {
      await this.#landed();
      // The last first: some wagers may not lie without an earlier one.
      for (const part of step.toReversed()) if (!(await this.#restore(part))) return;
    });
  }

  async #restore(part: Part): Promise<boolean> {
    const now = this.#laid(part.bet, part.box);
    const amount = now - part.before;
    if (amount <= 0) return true;
    const room = this.#takeBack(part.bet, part.box)?.part;
    const isPart = room != null && amount >= room.from && amount <= room.to;
    if (part.before > 0 && !isPart) return this.#lay(part.bet, part.box, now, part.before);
    return this.#send({ "take-back": { ...this.#which(part), ...(part.before > 0 ? { amount } : {}) } });
  }

  /** A step was done that can be undone. */
  #did(step: Part[]): void {
    if (step.length > 0) this.#steps = [...this.#steps, step];
  }

  /** Takes back everything. */
  async clear(): Promise<void> {
    await this.#together(async () => {
      await this.#landed();
      await this.#takeAllBack();
    });
  }

  /** The wagers of the round before, once more: each as it was or not at all. */
  async rebet(): Promise<void> {
    await this.#layAgain(this.#last);
  }

  async #layAgain(again: readonly Wager[]): Promise<void> {
    await this.#together(async () => {
      const step: Part[] = [];
      let isShort = false;
      for (const { bet, box, stake } of again) {
        const offer = this.offer(bet, box);
        if (offer === undefined || !fits(stake, offer.add)) isShort = true;
        else if (await this.#add(bet, box, stake)) step.push({ bet, box, stake, before: 0 });
        else break;
      }
      this.#did(step);
      if (isShort) notices.say(t(table.notAllAgain));
    });
  }

  /** Every wager once more on top: each whole or not at all. */
  async double(): Promise<void> {
    if (!this.canDouble) return;
    const laid = this.wagers.map((wager) => ({ bet: wager.bet, box: this.#boxOf(wager), stake: wager.stake }));
    await this.#together(async () => {
      const step: Part[] = [];
      let isShort = false;
      // Wagers in boxes are not raised: they are taken back and laid anew.
      if (this.isByBox && !(await this.#takeAllBack())) return;
      for (const { bet, box, stake } of laid) {
        const more = this.isByBox ? stake * 2 : stake;
        const offer = this.offer(bet, box);
        const done = offer !== undefined && fits(more, offer.add) && (await this.#add(bet, box, more));
        if (done) step.push({ bet, box, stake: stake * 2, before: stake });
        else isShort = true;
        if (!done && this.isByBox) await this.#add(bet, box, stake);
      }
      this.#did(step);
      if (isShort) notices.say(t(table.notAllDoubled));
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
      this.wish = undefined;
    }
    if (felt.phase !== "bets-open" && felt.phase !== "reopened") this.wish = undefined;
    const mine = felt.wagers.filter((wager) => wager.player === this.me);
    if (mine.length === 0) return;
    if (felt.phase !== "bets-open" && felt.phase !== "reopened") {
      this.#last = mine.map((wager) => ({ bet: wager.bet, box: this.#boxOf(wager), stake: wager.stake }));
    }
  }

  /** Keeps how a round ended, once that is shown. */
  tell(felt: Felt): void {
    const mine = felt.wagers.filter((wager) => wager.player === this.me);
    if (felt.closed == null || this.finished?.round === felt.round) return;
    if (mine.length === 0) return;
    const insurances = felt.insurances.filter((insurance) => insurance.player === this.me);
    const ends = [...mine, ...insurances].flatMap(({ ended }) => ended ?? []);
    this.finished = {
      round: felt.round,
      mark: felt.closed,
      winner: winnerOf(felt),
      felt: { closed: felt.closed, draws: felt.draws, hands: felt.hands },
      wagers: mine,
      insurances,
      net: ends.reduce((sum, ended) => sum + ended.winnings - ended.collected, 0),
    };
    const held = felt.hands.flatMap(({ holder, set_as }) => {
      const box = Number(holder.replace(/^box/, ""));
      const here = mine.filter(({ area }) => this.isByBox && area === box);
      if (set_as == null || here.length === 0) return [];
      const net = here.reduce((sum, { ended }) => sum + (ended?.winnings ?? 0) - (ended?.collected ?? 0), 0);
      return { key: `${felt.round}-${box}`, category: set_as, net };
    });
    this.hands = [...held, ...this.hands].slice(0, 30);
    this.rounds += 1;
    this.total += this.finished.net;
    keep("session", this.#keyOf("visit"), { rounds: this.rounds, total: this.total });
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
    let land = (): void => undefined;
    const landed = new Promise<void>((go) => (land = go));
    const ghost: Ghost = { id: this.#next++, bet, box, amount, shown: undefined, landed };
    this.#ghosts = [...this.#waiting, ghost];
    const area = box === undefined ? {} : { area: box };
    const place = { player: this.#player, bet, amount, in_chips: true, untimed: false, ...area };
    try {
      const { sequence } = await this.live.command({ place });
      this.#ghosts = this.#ghosts.map((one) => (one.id === ghost.id ? { ...one, shown: sequence } : one));
      const shown = this.live.shows(sequence);
      void shown.then(land);
      if (this.busy) await shown;
      return true;
    } catch (thrown) {
      this.#ghosts = this.#ghosts.filter((one) => one.id !== ghost.id);
      land();
      this.#refused(thrown, bet, amount);
      return false;
    }
  }

  /** A wager that was not taken; one that came too late is told by its name. */
  #refused(thrown: unknown, bet: number, amount: number): void {
    const { code } = problemOf(thrown);
    if (code === "left") return;
    const lapsed = { amount: short(amount, this.info.summary), bet: named(this.info.bets[bet]?.names ?? {}) };
    if (code === "moment-over") notices.say(t(table.lapsed, lapsed));
    else notices.refuse(thrown, this.info.summary);
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
    if (done) await this.live.shows(sequence);
    return done;
  }

  /** Waits until the chips on their way lie on the felt. */
  async #landed(): Promise<void> {
    await Promise.all(this.#ghosts.map(({ landed }) => landed));
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
