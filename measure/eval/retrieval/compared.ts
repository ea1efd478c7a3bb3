/** Compares rankings of the same question. Pure. */
import type { Ranking } from './asked.ts';

const COMPARED = 10;
/** Scores are rounded to 1e-3; a statement more or less in the frequencies moves them by one step. */
const CLOSE = 0.0025;
/** Higher scores are shown as this one. */
const BEST = 1;

function firstOf(ranking: Ranking): string {
  return JSON.stringify(ranking.slice(0, COMPARED));
}

/** Whether both begin with the same ten ids and scores. */
export function isSameRanking(one: Ranking, other: Ranking): boolean {
  return firstOf(one) === firstOf(other);
}

/** Whether both begin with the same ten ids, where messages of nearly the same score may change places. */
export function isSameOrder(one: Ranking, other: Ranking): boolean {
  const scores = new Map(one);
  return one.slice(0, COMPARED).every(([id, score], place) => {
    const there = other[place]?.[0];
    if (there === id) return true;
    const close = scores.get(there ?? '');
    return close !== undefined && score < BEST && Math.abs(close - score) < CLOSE;
  });
}
