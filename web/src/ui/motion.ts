// How things come onto the felt: from the shoe, from the dealer or from the rack. Only transform and opacity move,
// each element is measured once, and nothing moves for those who asked for stillness.

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How long a card takes from the shoe to its place, and to turn over there. */
export const LAND_MILLISECONDS = 380;
export const TURN_MILLISECONDS = 340;

/** How long something may move: not at all for those who asked for stillness. */
export function spell(milliseconds: number): number {
  return still.matches ? 0 : milliseconds;
}

interface From {
  /** Where it comes from: an element of this attribute inside the same felt (`shoe`, `dealer`). */
  from: string;
  /** In milliseconds. */
  duration?: number;
  delay?: number;
  /** How far it is turned when it leaves, in degrees. */
  turned?: number;
  /** Nothing moves: it lay there already. */
  still?: boolean;
}

/** Lets an element slide to where it belongs when it appears. */
export function arrives(node: HTMLElement, { from, duration = LAND_MILLISECONDS, delay = 0, turned = 0, still: lies }: From): void {
  if (lies || still.matches) return;
  const origin = node.closest("[data-felt]")?.querySelector(`[data-from="${from}"]`);
  if (origin == null) return;
  const [start, end] = [origin.getBoundingClientRect(), node.getBoundingClientRect()];
  if (start.width === 0 || end.width === 0) return;
  const x = start.left + start.width / 2 - end.left - end.width / 2;
  const y = start.top + start.height / 2 - end.top - end.height / 2;
  const frames = [
    { transform: `translate(${x}px, ${y}px) rotate(${turned}deg) scale(0.82)`, opacity: 0 },
    { opacity: 1, offset: 0.15 },
    { transform: "none", opacity: 1 },
  ];
  const timing = { duration, delay, easing: "cubic-bezier(0.2, 0.75, 0.25, 1)", fill: "backwards" } as const;
  // After all that come with it are measured: one layout for sixty cards instead of sixty.
  queueMicrotask(() => node.animate(frames, timing));
}
