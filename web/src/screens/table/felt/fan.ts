// The betting areas of a layout: rows of a fan about the Dealer, as they are printed on a cloth. One computation for
// every size: where there is little height the rows are nearly straight. All in pixels of the room that there is.

export interface Spot {
  x: number;
  y: number;
}

/** Where an area lies. */
export interface Sector {
  /** Its outline. */
  outline: Spot[];
  /** The box around it. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Its middle, how wide and how deep it is there, and how much what is printed there is turned, in degrees. */
  middle: Spot;
  wide: number;
  deep: number;
  turn: number;
}

/** A row: how high it is compared with the others, and how wide its areas are compared with each other. */
export interface Row {
  height: number;
  widths: readonly number[];
  /** Its width as a share of what the fan has there. */
  share?: number;
}

interface Room {
  width: number;
  height: number;
  /** Between two areas. */
  gap: number;
}

/** Points on an arc. */
const STEPS = 8;
/** How much the fan sinks in its middle, as a share of its width; where there is little height, of that. */
const SAG = 0.055;
const SAG_OF_HEIGHT = 0.14;

/** The sectors of each row, from left to right. */
export function fan(rows: readonly Row[], { width, height, gap }: Room): Sector[][] {
  const sag = Math.max(Math.min(width * SAG, height * SAG_OF_HEIGHT), 1);
  const half = width / 2;
  // The circle through the lower corners and the lowest point.
  const radius = (half * half + sag * sag) / (2 * sag);
  const widest = Math.asin(Math.min(half / radius, 1));
  const centre = { x: half, y: height - radius };
  const usable = height - sag - gap * (rows.length - 1);
  const whole = rows.reduce((sum, row) => sum + row.height, 0);
  // From the lowest point upwards.
  let outer = radius;
  const sectors: Sector[][] = [];
  for (const row of rows.toReversed()) {
    const deep = (usable * row.height) / whole;
    sectors.unshift(sectorsOf(row, centre, outer - deep, outer, widest * (row.share ?? 1), gap));
    outer -= deep + gap;
  }
  return sectors;
}

function sectorsOf(row: Row, centre: Spot, inner: number, outer: number, widest: number, gap: number): Sector[] {
  const between = gap / outer;
  const whole = row.widths.reduce((sum, width) => sum + width, 0);
  const room = 2 * widest - between * (row.widths.length - 1);
  let from = -widest;
  return row.widths.map((width) => {
    const to = from + (room * width) / whole;
    const sector = sectorOf(centre, inner, outer, from, to);
    from = to + between;
    return sector;
  });
}

function sectorOf(centre: Spot, inner: number, outer: number, from: number, to: number): Sector {
  const at = (radius: number, angle: number): Spot => ({
    x: centre.x + radius * Math.sin(angle),
    y: centre.y + radius * Math.cos(angle),
  });
  const angles = Array.from({ length: STEPS + 1 }, (_, step) => from + ((to - from) * step) / STEPS);
  const outline = [...angles.map((angle) => at(inner, angle)), ...angles.toReversed().map((angle) => at(outer, angle))];
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const angle = (from + to) / 2;
  return {
    outline,
    left,
    top,
    width: Math.max(...xs) - left,
    height: Math.max(...ys) - top,
    middle: at((inner + outer) / 2, angle),
    wide: 2 * inner * Math.sin((to - from) / 2),
    deep: outer - inner,
    turn: (-angle * 180) / Math.PI,
  };
}

/** An outline about a point, for `clip-path`. */
export function polygon(outline: readonly Spot[], left: number, top: number): string {
  return `polygon(${outline.map(({ x, y }) => `${(x - left).toFixed(1)}px ${(y - top).toFixed(1)}px`).join(",")})`;
}

/** An outline for an SVG, drawn in a little. */
export function path(outline: readonly Spot[], inset = 0): string {
  const middle = {
    x: outline.reduce((sum, { x }) => sum + x, 0) / outline.length,
    y: outline.reduce((sum, { y }) => sum + y, 0) / outline.length,
  };
  const points = outline.map(({ x, y }) => {
    const [dx, dy] = [middle.x - x, middle.y - y];
    return `${(x + Math.sign(dx) * Math.min(Math.abs(dx), inset)).toFixed(1)} ${(y + Math.sign(dy) * Math.min(Math.abs(dy), inset)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}
