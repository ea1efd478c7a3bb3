/**
 * Where things stand in the picture of a lineage: what is asked about on the left, and each step of what it was made from
 * a column further to the right. What was reached first from something stands beside it, in the order of the answer, and
 * everything stands in the middle of what it was made from. Pure: the same lineage gives the same picture, in units of
 * the view box.
 */

/** Width and height of what stands for one thing, and of the room that it has. */
export const NODE = { width: 176, height: 44 } as const;
const COLUMN = 232;
const ROW = 56;
const MARGIN = 12;

export interface LineageThing {
  /** Tells it apart from everything else in the picture. */
  readonly key: string;
  /** How many steps it is away from what is asked about. */
  readonly depth: number;
  /** The keys of what it was made from, as far as the reader may know them; others than those in the picture do not count. */
  readonly madeFrom: readonly string[];
  /** Sources that are not in the picture; shown together as one mark. */
  readonly beyond: number;
}

export interface Box {
  /** The left upper corner. */
  readonly x: number;
  readonly y: number;
}

export interface LineagePicture {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
  /** The marks of things with sources beyond the picture, by the keys of these things. */
  readonly marks: ReadonlyMap<string, Box>;
  /** From what was made to what it was made from. */
  readonly lines: readonly { readonly from: string; readonly to: string }[];
}

/** From each thing to those that it was the first to reach: a tree of everything that can be reached. */
function treeOf(things: readonly LineageThing[]): ReadonlyMap<string, readonly string[]> {
  const depths = new Map(things.map(({ depth, key }) => [key, depth]));
  const reached = new Set(things.slice(0, 1).map(({ key }) => key));
  const tree = new Map<string, string[]>();
  for (const { depth, key, madeFrom } of things) {
    for (const source of madeFrom) {
      if (reached.has(source) || depths.get(source) !== depth + 1) continue;
      reached.add(source);
      tree.set(key, [...(tree.get(key) ?? []), source]);
    }
  }
  return tree;
}

/** Places everything. `things` come breadth first, what is asked about at the beginning. */
export function lineagePicture(things: readonly LineageThing[]): LineagePicture {
  const tree = treeOf(things);
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const boxes = new Map<string, Box>();
  const marks = new Map<string, Box>();
  let rows = 0;
  let columns = 1;
  const boxAt = (depth: number, row: number): Box => {
    columns = Math.max(columns, depth + 1);
    return { x: MARGIN + depth * COLUMN, y: MARGIN + row * ROW };
  };
  /** Places the thing and all that it reaches; answers its row. */
  const place = (thing: LineageThing): number => {
    const below = (tree.get(thing.key) ?? []).flatMap((key) => byKey.get(key) ?? []).map(place);
    if (thing.beyond > 0) {
      marks.set(thing.key, boxAt(thing.depth + 1, rows));
      below.push(rows);
      rows += 1;
    }
    const [first] = below;
    const last = below.at(-1);
    const row = first === undefined || last === undefined ? rows : (first + last) / 2;
    if (first === undefined) rows += 1;
    boxes.set(thing.key, boxAt(thing.depth, row));
    return row;
  };
  const [root] = things;
  if (root !== undefined) place(root);
  return {
    width: 2 * MARGIN + (columns - 1) * COLUMN + NODE.width,
    height: 2 * MARGIN + Math.max(0, rows - 1) * ROW + NODE.height,
    boxes,
    marks,
    lines: things.flatMap(({ key, madeFrom }) =>
      boxes.has(key)
        ? [...new Set(madeFrom)].filter((to) => boxes.has(to)).map((to) => ({ from: key, to }))
        : [],
    ),
  };
}
