// A round as one looks at it: the server says what is so at once, and the felt shows it one thing after the other. A
// card lands, then it turns, then it counts, then the round ends. Nothing waits long: who falls behind jumps ahead.
import type { CardShown, Felt } from "../../api/schema";
import { type Third, thirdOf } from "./thirds";
import { LAND_MILLISECONDS, spell, TURN_MILLISECONDS } from "../../ui/motion";

/** A felt, and how long it is looked at before the next. */
export interface Frame {
  felt: Felt;
  milliseconds: number;
  /** What is said meanwhile, until something else is. */
  said?: Third;
}

/** Before a third card, or the result without one: long enough to read why. */
const BREATH_MILLISECONDS = 600;
/** Between the last card's count and the result. */
const PAUSE_MILLISECONDS = 350;
/** How a round ended is seen so long at the least, also if the next one has begun. */
const HOLD_MILLISECONDS = 1_500;
/** The longest that anything else of it is looked at then: wagers wait for nobody. */
const HURRY_MILLISECONDS = 200;
/** More than so many frames behind, what lies between is left out. */
const MOST_BEHIND = 6;

const isOpen = ({ face }: CardShown): boolean => face !== "down";
const open = (felt: Felt): number => felt.draws.filter(isOpen).length;

/** How one view becomes the next. */
export function frames(before: Felt, now: Felt): Frame[] {
  if (now.round !== before.round || now.draws.length < before.draws.length) return [{ felt: now, milliseconds: 0 }];
  const drawn = now.draws.length - before.draws.length;
  const turned = open(now) - open(before);
  const film: Frame[] = [];
  let last = before;
  const show = (felt: Felt, milliseconds: number, said?: Third): void => {
    film.push({ felt, milliseconds, ...(said && { said }) });
    last = felt;
  };
  const said = thirdOf(before, now);
  // What a card does to the count and to the round is not known before it has turned.
  const unknown = { points: before.points, closed: before.closed, outcome: before.outcome, wagers: before.wagers, board: before.board };
  if (drawn > 0 && said !== undefined) show(before, BREATH_MILLISECONDS, said);
  if (drawn > 0 || turned > 0) {
    show({ ...now, ...unknown }, (drawn > 0 ? LAND_MILLISECONDS : 0) + (turned > 0 ? TURN_MILLISECONDS : 0));
  }
  const { points, closed, outcome, wagers, board } = now;
  const isEnding = closed !== before.closed;
  // Who stands is said before the result: once the last card counts.
  const stands = drawn > 0 ? thirdOf({ ...now, closed: null }, now) : said;
  if (isEnding && stands !== undefined) show({ ...last, points }, BREATH_MILLISECONDS, stands);
  else if (last !== before && isEnding) show({ ...last, points }, PAUSE_MILLISECONDS);
  const end = last === before ? now : { ...now, points, closed, outcome, wagers, board };
  film.push({ felt: end, milliseconds: isEnding && closed != null ? HOLD_MILLISECONDS : 0 });
  return film;
}

/** Calls back when what was just changed is on the screen; nobody looks at a page that is hidden. */
function painted(go: () => void): void {
  if (typeof document === "undefined" || document.hidden) go();
  else requestAnimationFrame(() => requestAnimationFrame(go));
}

/** The longest that cards are waited for. */
const LONGEST_MILLISECONDS = 1_500;

/** Calls back when the cards lie still, however late the browser is with them. */
function settled(go: () => void): void {
  const cards = typeof document === "undefined" ? null : document.querySelector("[data-felt] .hands");
  const moving = cards?.getAnimations({ subtree: true }).filter(({ playState }) => playState === "running") ?? [];
  if (moving.length === 0) return go();
  const late = new Promise((late) => setTimeout(late, LONGEST_MILLISECONDS));
  void Promise.race([Promise.allSettled(moving.map(({ finished }) => finished)), late]).then(go);
}

export class Film {
  /** What is on the felt now. */
  shown = $state.raw<Felt | undefined>();
  /** What is said about third cards: until the round ends, or something else is said. */
  said = $state.raw<Third | undefined>();
  /** More is known than is shown. */
  isBehind = $state(false);
  #newest: Felt | undefined;
  #queue: Frame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** `each` hears of every frame, also of those that are left out. */
  constructor(readonly each: (felt: Felt) => void = () => undefined) {}

  /** The server said so. */
  push(felt: Felt): void {
    if (felt === this.#newest) return;
    const before = this.#newest;
    this.#newest = felt;
    if (before === undefined) {
      this.#show(felt);
      return;
    }
    // Whoever is far behind sees the newest at once, but that one thing after the other too.
    const isFar = this.#queue.length > MOST_BEHIND;
    if (isFar) for (const { felt } of this.#queue.splice(0)) this.each(felt);
    // What was left out has not been seen: the newest follows what is on the felt.
    this.#queue.push(...frames(isFar ? (this.shown ?? before) : before, felt));
    this.isBehind = true;
    if (this.#timer === undefined) this.#next();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#isClosed = true;
  }

  #show(felt: Felt, said?: Third): void {
    this.said = said ?? (felt.closed == null && felt.round === this.shown?.round ? this.said : undefined);
    this.shown = felt;
    this.each(felt);
  }

  #next(): void {
    this.#timer = undefined;
    if (this.#isClosed) return;
    for (let frame = this.#queue.shift(); frame !== undefined; frame = this.#queue.shift()) {
      this.#show(frame.felt, frame.said);
      // A sentence takes its time also where nothing moves.
      const calm = frame.said === undefined ? spell(frame.milliseconds) : frame.milliseconds;
      const isPast = this.#newest !== undefined && this.#newest.round !== frame.felt.round;
      const isHeld = frame.milliseconds === HOLD_MILLISECONDS;
      const wait = isPast && !isHeld ? Math.min(calm, HURRY_MILLISECONDS) : calm;
      // Once the end is seen, all of the round is told.
      if (isHeld) this.isBehind = false;
      if (wait === 0) continue;
      // The time runs from when it is seen: a busy browser begins to move things late.
      this.#timer = setTimeout(() => painted(() => (this.#timer = setTimeout(() => settled(() => this.#next()), wait))), 0);
      return;
    }
    this.isBehind = false;
  }
}
