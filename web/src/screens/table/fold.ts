// The geometry of squeezing: a card that lies face down is bent up at a point, and the part that is bent over shows
// its face. Everything in pixels of the card's box.

export interface Spot {
  x: number;
  y: number;
}

export interface Fold {
  /** The part of the back that still lies: a polygon. */
  lying: Spot[];
  /** The part of the face that shows: a polygon on the face. */
  bent: Spot[];
  /** Moves the face so that the bent part lies where the fold puts it: the six numbers of a CSS matrix. */
  matrix: readonly [number, number, number, number, number, number];
  /** The direction of the bend, in degrees, for the shade along it. */
  angle: number;
  /** How much of the card is bent over, from 0 to 1. */
  share: number;
}

/** The part of a polygon where `side` is not negative. */
function cut(polygon: readonly Spot[], side: (spot: Spot) => number): Spot[] {
  const kept: Spot[] = [];
  for (const [at, spot] of polygon.entries()) {
    const next = polygon[(at + 1) % polygon.length] ?? spot;
    const [here, there] = [side(spot), side(next)];
    if (here >= 0) kept.push(spot);
    if (here * there < 0) {
      const share = here / (here - there);
      kept.push({ x: spot.x + (next.x - spot.x) * share, y: spot.y + (next.y - spot.y) * share });
    }
  }
  return kept;
}

function area(polygon: readonly Spot[]): number {
  const twice = polygon.reduce((sum, spot, at) => {
    const next = polygon[(at + 1) % polygon.length] ?? spot;
    return sum + spot.x * next.y - next.x * spot.y;
  }, 0);
  return Math.abs(twice) / 2;
}

const clamped = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), to);

/** Where a point of the edge lets itself be pulled to: never outwards, and from a side more inwards than along it. */
function reached(width: number, height: number, held: Spot, wanted: Spot): Spot {
  const inwards = (at: number, from: number, to: number): number =>
    from === 0 ? Math.max(at, 0) : from === to ? Math.min(at, to) : at;
  const [x, y] = [inwards(wanted.x, held.x, width), inwards(wanted.y, held.y, height)];
  const [isAtSide, isAtEnd] = [held.x === 0 || held.x === width, held.y === 0 || held.y === height];
  if (isAtSide === isAtEnd) return { x, y };
  const depth = Math.abs(isAtSide ? x - held.x : y - held.y);
  return isAtSide
    ? { x, y: clamped(y, held.y - depth, held.y + depth) }
    : { x: clamped(x, held.x - depth, held.x + depth), y };
}

/** The card is held at `held` and pulled towards `wanted`: it bends along the line half way between. */
export function folded(width: number, height: number, held: Spot, wanted: Spot): Fold | undefined {
  const pulled = reached(width, height, held, wanted);
  const [dx, dy] = [pulled.x - held.x, pulled.y - held.y];
  const distance = Math.hypot(dx, dy);
  if (distance < 1) return undefined;
  const [nx, ny] = [dx / distance, dy / distance];
  const middle = ((held.x + pulled.x) / 2) * nx + ((held.y + pulled.y) / 2) * ny;
  const beyond = (spot: Spot): number => spot.x * nx + spot.y * ny - middle;
  const card = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  const bent = cut(card, (spot) => -beyond(spot));
  return {
    lying: cut(card, beyond),
    // The face looks down: seen from above it is mirrored, and the bend mirrors it back.
    bent: bent.map(({ x, y }) => ({ x: width - x, y })),
    matrix: [
      -(1 - 2 * nx * nx),
      2 * nx * ny,
      -2 * nx * ny,
      1 - 2 * ny * ny,
      (1 - 2 * nx * nx) * width + 2 * middle * nx,
      -2 * nx * ny * width + 2 * middle * ny,
    ],
    angle: (Math.atan2(ny, nx) * 180) / Math.PI,
    share: area(bent) / (width * height),
  };
}

/** The point of the card's edge nearest to where it was touched: that is where it is held. */
export function heldAt(width: number, height: number, { x, y }: Spot): Spot {
  const corner = { x: x < width / 2 ? 0 : width, y: y < height / 2 ? 0 : height };
  const near = Math.min(width, height) * 0.3;
  if (Math.hypot(x - corner.x, y - corner.y) < near) return corner;
  const toSide = Math.abs(x - corner.x);
  const toEnd = Math.abs(y - corner.y);
  return toSide < toEnd ? { x: corner.x, y } : { x, y: corner.y };
}

/** A polygon for `clip-path`. */
export function clip(polygon: readonly Spot[]): string {
  return `polygon(${polygon.map(({ x, y }) => `${x.toFixed(1)}px ${y.toFixed(1)}px`).join(", ")})`;
}
