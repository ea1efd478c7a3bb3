/**
 * Fusion of the lists that several strategies found. Scores of different strategies share no scale, so each
 * list is normalised by itself; the reciprocal rank adds a little so that equal norms keep their order.
 * Pure: the same lists give the same order, whatever order they arrive in.
 */

const RRF_K = 15;
const SCORE_SHARE = 0.95;

export interface ScoredItem {
  readonly id: string;
  readonly score: number;
}

/** One strategy that ran, with what it found (possibly nothing), in any order. */
export interface StrategyList {
  readonly strategy: string;
  readonly items: readonly ScoredItem[];
}

export interface Contribution {
  readonly strategy: string;
  /** The strategy's own score. */
  readonly score: number;
  /** Position in the strategy's list, from 1; ties by id. */
  readonly rank: number;
}

export interface FusedItem {
  readonly id: string;
  /** 0..1, the weighted mean over every strategy that ran. */
  readonly score: number;
  readonly contributions: readonly Contribution[];
}

function byScoreThenId(a: ScoredItem, b: ScoredItem): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Best first, one entry per id. */
function ranked(items: readonly ScoredItem[]): ScoredItem[] {
  const seen = new Set<string>();
  return items.toSorted(byScoreThenId).filter(({ id }) => !seen.has(id) && seen.add(id));
}

function weightOf(weights: Readonly<Record<string, number>>, strategy: string): number {
  const weight = weights[strategy];
  if (weight === undefined || !(weight >= 0)) {
    throw new RangeError(`no fusion weight for strategy ${strategy}`);
  }
  return weight;
}

interface Accumulated {
  sum: number;
  readonly contributions: Contribution[];
}

/**
 * Fuses the lists. Each contributes `weight x (.95 x norm + .05 x (k + 1) / (k + rank))`, norm being min-max
 * within the list (1 for a single hit or when all are tied); the sum is divided by the weights of all lists
 * given, those that found nothing included. Ties by id.
 * @throws RangeError when a strategy has no weight.
 */
export function fuse(
  lists: readonly StrategyList[],
  weights: Readonly<Record<string, number>>,
  k: number = RRF_K,
): FusedItem[] {
  const found = new Map<string, Accumulated>();
  let total = 0;
  for (const { strategy, items } of lists.toSorted((a, b) => (a.strategy < b.strategy ? -1 : 1))) {
    const weight = weightOf(weights, strategy);
    total += weight;
    const list = ranked(items);
    const best = list.at(0)?.score ?? 0;
    const worst = list.at(-1)?.score ?? 0;
    list.forEach(({ id, score }, i) => {
      const norm = best > worst ? (score - worst) / (best - worst) : 1;
      const rank = i + 1;
      const entry = found.get(id) ?? { sum: 0, contributions: [] };
      entry.sum += weight * (SCORE_SHARE * norm + ((1 - SCORE_SHARE) * (k + 1)) / (k + rank));
      entry.contributions.push({ strategy, score, rank });
      found.set(id, entry);
    });
  }
  return Array.from(found, ([id, { sum, contributions }]) => ({
    id,
    // Rounding may end a hair above 1.
    score: total > 0 ? Math.min(1, sum / total) : 0,
    contributions,
  })).toSorted(byScoreThenId);
}
