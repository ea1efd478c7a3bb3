/**
 * Where things stand in the picture of a scope: the scope in the middle, names on a ring around it, statements on rings
 * around these. Pure: the same input gives the same picture, in units of the view box. Rings are circles that are
 * stretched in width, so what keeps its distance on the circle keeps it on the ring.
 */

export const WIDTH = 1_000;
export const HEIGHT = 720;
export const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 } as const;
/** Radius of what stands for a statement, and for a name. */
export const STATEMENT_RADIUS = 11;
export const HUB_RADIUS = 15;
/** How wide a ring is for its height. */
const STRETCH = 1.42;
/** Centres of statements of one ring are at least so far from each other. */
const LEAST_DISTANCE = 25;
/** Names of one ring; they are spread so that all of them would have their room. */
const MOST_ON_HUB_RING = 12;

/** Half the heights of rings: of that of names, and of those of statements. */
interface Rings {
  readonly upTo: number;
  readonly hubs: number;
  readonly statements: readonly number[];
}

/** Few statements have fewer and wider rings, so that the picture fills its box. */
const RINGS: readonly Rings[] = [
  { upTo: 30, hubs: 160, statements: [280] },
  { upTo: 75, hubs: 125, statements: [205, 305] },
  { upTo: Number.POSITIVE_INFINITY, hubs: 112, statements: [185, 250, 315] },
];

export interface Placed {
  readonly x: number;
  readonly y: number;
}

export interface LayoutInput {
  /** Ids of statements, the best first. */
  readonly statements: readonly string[];
  /** The statements of each name; names of most statements first. */
  readonly hubs: readonly (readonly string[])[];
}

export interface Layout {
  readonly statements: ReadonlyMap<string, Placed>;
  readonly hubs: readonly Placed[];
  /** Half the heights of the rings that hold anything. */
  readonly rings: readonly number[];
}

const TURN = 2 * Math.PI;
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Angles begin above the middle and go with the clock. */
function onRing(radius: number, angle: number): Placed {
  return {
    x: rounded(CENTRE.x + STRETCH * radius * Math.sin(angle)),
    y: rounded(CENTRE.y - radius * Math.cos(angle)),
  };
}

/** How wide a ring of that radius is to both sides. */
export const halfWidth = (radius: number): number => radius * STRETCH;

/** Statements that have room on a ring. */
function capacity(radius: number): number {
  return Math.floor(Math.PI / Math.asin(LEAST_DISTANCE / (2 * radius)));
}

/** How many statements stand on each ring: as many of each hundred as its room is of all room. */
function shares(count: number, radii: readonly number[]): readonly number[] {
  const room = radii.map(capacity);
  const all = room.reduce((sum, one) => sum + one, 0);
  let before = 0;
  let given = 0;
  return room.map((one) => {
    before += one;
    const upTo = Math.round((count * before) / all);
    const here = upTo - given;
    given = upTo;
    return here;
  });
}

/** The statements in the order in which they stand around the middle: those of one name beside each other. */
function around({ hubs, statements }: LayoutInput): readonly string[] {
  const sector = new Map<string, number>();
  // Names of few statements come last, and tell more.
  hubs.forEach((ids, at) => ids.forEach((id) => sector.set(id, at)));
  const of = (id: string): number => sector.get(id) ?? hubs.length;
  const rank = new Map(statements.map((id, at) => [id, at]));
  return statements.toSorted((a, b) => of(a) - of(b) || (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
}

/** The angles moved as little as needed, so that neighbours are `least` apart, all around. In the order of `ideal`. */
export function spread(ideal: readonly number[], least: number): readonly number[] {
  const order = ideal
    .map((angle, at) => ({ angle, at }))
    .toSorted((a, b) => a.angle - b.angle || a.at - b.at);
  const angles = order.map(({ angle }) => angle);
  for (let at = 1; at < angles.length; at += 1) {
    angles[at] = Math.max(angles[at] ?? 0, (angles[at - 1] ?? 0) + least);
  }
  // The last one may have come too near to the first one from behind: then it gives way, and those before it.
  let limit = (angles[0] ?? 0) + TURN - least;
  for (let at = angles.length - 1; at > 0; at -= 1) {
    angles[at] = Math.min(angles[at] ?? 0, limit);
    limit = (angles[at] ?? 0) - least;
  }
  const placed = new Map(order.map(({ at }, place) => [at, angles[place] ?? 0]));
  return ideal.map((_, at) => placed.get(at) ?? 0);
}

/** The direction in which the statements lie, from the middle: between 0 and a whole turn. */
function direction(ids: readonly string[], angles: ReadonlyMap<string, number>): number {
  const known = ids.flatMap((id) => angles.get(id) ?? []);
  const x = known.reduce((sum, angle) => sum + Math.sin(angle), 0);
  const y = known.reduce((sum, angle) => sum + Math.cos(angle), 0);
  // Statements all around have no direction.
  if (Math.abs(x) + Math.abs(y) < 1e-6) return 0;
  return (Math.atan2(x, y) + TURN) % TURN;
}

/** Places everything. Ids of names that are no statements of the list have no part in it. */
export function layoutOf(input: LayoutInput): Layout {
  const { hubs, statements } = input;
  const order = around(input);
  const angles = new Map(order.map((id, at) => [id, (TURN * (at + 0.5)) / order.length]));
  const rank = [...statements];
  const places = new Map<string, Placed>();
  const rings = RINGS.find(({ upTo }) => statements.length <= upTo);
  if (rings === undefined) throw new RangeError('there are rings for any number');
  const counts = shares(statements.length, rings.statements);
  counts.forEach((count, ring) => {
    // The best ones stand nearest to the middle.
    const here = new Set(rank.splice(0, count));
    const inOrder = order.filter((id) => here.has(id));
    const first = angles.get(inOrder[0] ?? '') ?? 0;
    inOrder.forEach((id, at) => {
      places.set(id, onRing(rings.statements[ring] ?? 0, first + (TURN * at) / inOrder.length));
    });
  });
  const ideal = hubs.map((ids) => direction(ids, angles));
  const hubAngles = spread(ideal, TURN / Math.max(MOST_ON_HUB_RING, hubs.length));
  return {
    statements: places,
    hubs: hubAngles.map((angle) => onRing(rings.hubs, angle)),
    rings: [
      ...(hubs.length === 0 ? [] : [rings.hubs]),
      ...rings.statements.filter((_, ring) => (counts[ring] ?? 0) > 0),
    ],
  };
}
