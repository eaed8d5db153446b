// The first hand that somebody plays narrates itself, once: what to do, what happens, what counts.
import { keep, kept } from "../../lib/kept";

const KEY = "croupier.first-hand";

export class FirstHand {
  /** It is told still. */
  isTold = $state(kept<boolean>("local", KEY) !== true);
  #round: number | undefined;

  /** A round with own wagers has ended: the story is over when the next one begins. */
  ended(round: number): void {
    if (!this.isTold) return;
    this.#round ??= round;
    keep("local", KEY, true);
  }

  /** This round is played. */
  began(round: number): void {
    if (this.#round !== undefined && round > this.#round) this.isTold = false;
  }
}
