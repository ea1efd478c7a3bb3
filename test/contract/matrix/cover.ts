/**
 * A pairwise cover: cells in which every two values of every two dimensions meet at least once, as far as they may. Greedy, with
 * a fixed order instead of chance, so that a run asks what the run before asked.
 */
import { combinations } from './statements/cells.ts';
import type { Cell } from './table.ts';

export type Dimensions = Readonly<Record<string, readonly string[]>>;

const EVERYTHING = (): boolean => true;
/** Products up to this size are searched whole for the cell that covers most. */
const MOST_CELLS = 60_000;
/** Cells that are looked at for each one that is taken. */
const LOOKED_AT = 40;

/** The whole product, without the cells that may not be. */
export function product(dimensions: Dimensions, may: (cell: Cell) => boolean = EVERYTHING): Cell[] {
  return [...combinations<Record<string, string>>(dimensions)].filter(may);
}

function pairsOf(cell: Cell): string[] {
  const entries = Object.entries(cell);
  const pairs: string[] = [];
  for (const [index, [name, value]] of entries.entries()) {
    if (entries.length === 1) pairs.push(`${name}=${value}`);
    for (const [other, its] of entries.slice(index + 1))
      pairs.push(`${name}=${value}&${other}=${its}`);
  }
  return pairs;
}

/**
 * Cells of the product that cover all its pairs. Each step takes, of the cells that cover the first pair still open, one that
 * covers most of the others. Throws for a product that is too large to be enumerated.
 */
export function pairwise(dimensions: Dimensions, may?: (cell: Cell) => boolean): Cell[] {
  const size = Object.values(dimensions).reduce((all, values) => all * values.length, 1);
  if (size > MOST_CELLS) throw new Error(`a product of ${size} cells is too large`);
  const byPair = new Map<string, number[]>();
  const all = product(dimensions, may).map((cell) => ({ cell, pairs: pairsOf(cell) }));
  for (const [index, { pairs }] of all.entries()) {
    for (const pair of pairs) {
      const cells = byPair.get(pair) ?? [];
      cells.push(index);
      byPair.set(pair, cells);
    }
  }
  const open = new Set(byPair.keys());
  const taken: Cell[] = [];
  for (const pair of byPair.keys()) {
    if (!open.has(pair)) continue;
    const candidates = byPair.get(pair) ?? [];
    const step = Math.max(1, Math.floor(candidates.length / LOOKED_AT));
    let best = { gain: -1, at: candidates[0] ?? 0 };
    for (let nth = taken.length % step; nth < candidates.length; nth += step) {
      const at = candidates[nth] ?? 0;
      const gain = (all[at]?.pairs ?? []).filter((each) => open.has(each)).length;
      if (gain > best.gain) best = { gain, at };
    }
    const chosen = all[best.at];
    if (chosen === undefined) throw new Error('a pair without a cell');
    for (const each of chosen.pairs) open.delete(each);
    taken.push(chosen.cell);
  }
  return taken;
}
