/** How far the strategies agree: a hint to callers, computed from lists that were already cut by access. */
import type { Strategy } from './strategies.ts';

/** One strategy's candidates, best first, with scores between 0 and 1 of that strategy only. */
export interface RankedList {
  readonly strategy: Strategy;
  readonly entries: readonly { readonly id: string; readonly score: number }[];
}

export interface Disagreement {
  /** Strategies that found anything. */
  readonly strategyCount: number;
  /** Two or more strategies found candidates and none of them in common. */
  readonly disjoint: boolean;
  /** No strategy is confident: every best local score is below 0.2. */
  readonly lowScore: boolean;
  /** No strategy that reads the query produced a candidate. */
  readonly queryDependentEmpty: boolean;
}

const LOW_SCORE = 0.2;

/** Compares the lists of the strategies that ran. */
export function disagreementOf(lists: readonly RankedList[]): Disagreement {
  const found = lists.filter((list) => list.entries.length > 0);
  const ids = found.flatMap((list) => list.entries.map((entry) => entry.id));
  return {
    strategyCount: found.length,
    disjoint: found.length > 1 && new Set(ids).size === ids.length,
    lowScore: found.every((list) => list.entries.every((entry) => entry.score < LOW_SCORE)),
    queryDependentEmpty: !found.some((list) => list.strategy !== 'salience_recency'),
  };
}

/** Strategies that ran and found nothing. */
export function emptyStrategies(lists: readonly RankedList[]): Strategy[] {
  return lists.filter((list) => list.entries.length === 0).map((list) => list.strategy);
}
