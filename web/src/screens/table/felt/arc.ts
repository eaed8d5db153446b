// Where the seats of a table are: along its rounded edge, evenly, as seen from the players' side. All in percent of
// the felt.

export interface Point {
  x: number;
  y: number;
}

/** How square the curve is: 2 would be an ellipse. */
const SQUARENESS = 3.8;
const SAMPLES = 240;

/** A point of the edge; 0 is the far left and 1 the far right. */
function edge(at: number, wide: number, deep: number): Point {
  const angle = Math.PI * at;
  const power = 2 / SQUARENESS;
  const cos = Math.cos(angle);
  return {
    x: 50 - wide * Math.sign(cos) * Math.abs(cos) ** power,
    y: deep * Math.abs(Math.sin(angle)) ** power,
  };
}

function samples(wide: number, deep: number): Point[] {
  return Array.from({ length: SAMPLES + 1 }, (_, at) => edge(at / SAMPLES, wide, deep));
}

/** The edge as a path in a box of 100 by 100. */
export function edgePath(wide: number, deep: number): string {
  return `M${samples(wide, deep)
    .map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`)
    .join("L")}Z`;
}

/** The middle of each seat, seat 1 first. `ratio` is the width of the felt over its height. */
export function seatPoints(seats: number, { wide = 42.8, deep = 88, ratio = 1.8 } = {}): Point[] {
  const points = samples(wide, deep);
  const lengths = [0];
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    if (before === undefined) continue;
    lengths.push((lengths.at(-1) ?? 0) + Math.hypot((point.x - before.x) * ratio, point.y - before.y));
  }
  const whole = lengths.at(-1) ?? 0;
  // The ends of the edge are the dealer's.
  const first = whole * 0.13;
  const span = whole - 2 * first;
  return Array.from({ length: seats }, (_, seat) => {
    const wanted = seats === 1 ? whole / 2 : first + (span * seat) / (seats - 1);
    const at = lengths.findIndex((length) => length >= wanted);
    const [before, after] = [points[at - 1], points[at]];
    if (before === undefined || after === undefined) return { x: 50, y: deep };
    const [start = 0, end = 0] = [lengths[at - 1], lengths[at]];
    const share = (wanted - start) / (end - start || 1);
    return { x: before.x + (after.x - before.x) * share, y: before.y + (after.y - before.y) * share };
  });
}
