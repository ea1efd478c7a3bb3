/**
 * Covers: few of many cells in which all still occurs that has to, as every two values of every two dimensions. Greedy, with a
 * fixed order instead of chance, so that a run asks what the run before asked.
 */
import { combinations } from './statements/cells.ts';
import type { Cell } from './table.ts';

export type Dimensions = Readonly<Record<string, readonly string[]>>;

const EVERYTHING = (): boolean => true;
/** Larger products are not enumerated. */
const MOST_CELLS = 60_000;
/** Items that are looked at for each one that is taken. */
const LOOKED_AT = 40;

/** The whole product, without the cells that may not be. Throws for one that is too large to be enumerated. */
export function product(dimensions: Dimensions, may: (cell: Cell) => boolean = EVERYTHING): Cell[] {
  const size = Object.values(dimensions).reduce((all, values) => all * values.length, 1);
  if (size > MOST_CELLS) throw new Error(`a product of ${size} cells is too large`);
  return [...combinations<Record<string, string>>(dimensions)].filter(may);
}

/** Every two values of the cell; the value, where there is only one. */
export function pairsOf(cell: Cell): string[] {
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
 * Items that have between them every feature that any item has. Each step takes, of the items with the first feature still
 * missing, one that has most of the others.
 */
export function covering<T>(items: readonly T[], featuresOf: (item: T) => readonly string[]): T[] {
  const byFeature = new Map<string, number[]>();
  const all = items.map((item) => ({ item, features: featuresOf(item) }));
  for (const [index, { features }] of all.entries()) {
    for (const feature of features) {
      const having = byFeature.get(feature) ?? [];
      having.push(index);
      byFeature.set(feature, having);
    }
  }
  const open = new Set(byFeature.keys());
  const taken: T[] = [];
  for (const feature of byFeature.keys()) {
    if (!open.has(feature)) continue;
    const candidates = byFeature.get(feature) ?? [];
    const step = Math.max(1, Math.floor(candidates.length / LOOKED_AT));
    let best = { gain: -1, at: candidates[0] ?? 0 };
    for (let nth = taken.length % step; nth < candidates.length; nth += step) {
      const at = candidates[nth] ?? 0;
      const gain = (all[at]?.features ?? []).filter((each) => open.has(each)).length;
      if (gain > best.gain) best = { gain, at };
    }
    const chosen = all[best.at];
    if (chosen === undefined) throw new Error('a feature of nothing');
    for (const each of chosen.features) open.delete(each);
    taken.push(chosen.item);
  }
  return taken;
}

/** Cells of the product that cover all its pairs. Throws for a product that is too large to be enumerated. */
export function pairwise(dimensions: Dimensions, may?: (cell: Cell) => boolean): Cell[] {
  return covering(product(dimensions, may), pairsOf);
}
