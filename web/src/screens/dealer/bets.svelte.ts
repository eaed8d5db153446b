// Wagers on a felt, taken as they lie: what is keyed or touched becomes a line, and Enter lays all of it.
import type { Action, Problem, WagerShown } from "../../api/schema";
import type { AtTable } from "./at.svelte";
import { type Area, areasOf, read, type Reading, type Step, unitOf } from "./quick";

/** A wager of the round before. */
type Before = Pick<WagerShown, "player" | "bet" | "area" | "stake">;

export class Bets {
  line = $state("");
  seat = $state<number | undefined>();
  bet = $state<number | undefined>();
  busy = $state(false);
  problem = $state.raw<Problem | undefined>();
  /** The wagers of the last round, to be laid again. */
  before = $state.raw<Before[]>([]);
  readonly areas: Area[];
  readonly unit: number;
  readonly seats: number;

  constructor(readonly at: AtTable) {
    const { summary, bets } = at.info;
    this.areas = areasOf(bets);
    this.unit = unitOf(summary.minimum ?? 1, summary);
    this.seats = summary.seats;
  }

  get reading(): Reading {
    const { areas, seats, unit } = this;
    return read(this.line, { areas, seats, unit, currency: this.at.currency });
  }
  /** Who bets at a seat: who has the box, or sits there. */
  playerAt(seat: number): number | undefined {
    const felt = this.at.felt;
    const boxed = this.at.boxes ? felt?.wagers.find((laid) => laid.area === seat && !laid.ended) : undefined;
    return boxed?.player ?? felt?.seats.find((one) => one.seat === seat)?.player;
  }
  /** What lies at a seat on a bet. */
  laid(seat: number, bet: number): number {
    const player = this.playerAt(seat);
    return (this.at.felt?.wagers ?? [])
      .filter((laid) => laid.bet === bet && !laid.ended && (this.at.boxes ? laid.area === seat : laid.player === player))
      .reduce((sum, laid) => sum + laid.stake, 0);
  }
  /** Whether what lies there is outside the limits of the bet: told before the deal. */
  flag(bet: number, amount: number): "under" | "over" | undefined {
    const info = this.at.info.bets.find((known) => known.bet === bet);
    if (amount === 0 || info === undefined) return undefined;
    if (info.minimum != null && amount < info.minimum) return "under";
    return info.maximum != null && amount > info.maximum ? "over" : undefined;
  }
  /** What somebody has chips for is for the server to say. Keeps the wagers of a round, to lay them again. */
  keep(): void {
    const laid = this.at.felt?.wagers ?? [];
    if (laid.length > 0) this.before = laid.map(({ player, bet, area, stake }) => ({ player, bet, area, stake }));
  }
  choose(seat: number, bet: number): void {
    this.seat = seat;
    this.bet = bet;
    const key = this.areas.find((area) => area.bet === bet)?.key ?? "";
    this.line = `${seat} ${key} `;
    this.problem = undefined;
  }
  /** A chip is laid at once where a seat and an area are chosen. */
  chip(value: number): Promise<boolean> {
    const { seat, bet } = this;
    if (seat === undefined || bet === undefined) return Promise.resolve(false);
    return this.#send([{ kind: "lay", seat, bet, amount: value }]);
  }
  do(step: Step): Promise<boolean> {
    return this.#send([step]);
  }
  async enter(): Promise<void> {
    const { steps, wrong, open } = this.reading;
    if (wrong !== undefined || open || steps.length === 0) return;
    if (await this.#send(steps)) this.line = "";
  }

  #actions(step: Step): Action[] {
    const place = (player: number, bet: number, amount: number, area?: number | null): Action => ({
      place: { player, bet, amount, in_chips: true, untimed: false, ...(this.at.boxes && area != null && { area }) },
    });
    const back = (player: number, bet: number, seat: number): Action => ({
      "take-back": { player, bet, ...(this.at.boxes && { box_number: seat }) },
    });
    if (step.kind === "same") {
      const of = this.before.filter((laid) => step.seat === undefined || this.playerAt(step.seat) === laid.player);
      return of.map((laid) => place(laid.player, laid.bet, laid.stake, laid.area));
    }
    const player = this.playerAt(step.seat);
    if (player === undefined) return [];
    const there = this.areas.map(({ bet }) => ({ bet, amount: this.laid(step.seat, bet) })).filter(({ amount }) => amount > 0);
    switch (step.kind) {
      case "lay":
        return [place(player, step.bet, step.amount, step.seat)];
      case "double":
        return there.map(({ bet, amount }) => place(player, bet, amount, step.seat));
      case "clear":
        return there.map(({ bet }) => back(player, bet, step.seat));
      case "move": {
        const amount = this.laid(step.seat, step.from);
        return amount === 0 ? [] : [back(player, step.from, step.seat), place(player, step.to, amount, step.seat)];
      }
    }
  }
  /** One after the other; what is refused is told, and the rest is not sent. */
  async #send(steps: Step[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = undefined;
    for (const step of steps) {
      for (const action of this.#actions(step)) {
        this.problem = await this.at.ask(action);
        if (this.problem !== undefined) break;
      }
      if (this.problem !== undefined) break;
    }
    this.busy = false;
    return this.problem === undefined;
  }
}
