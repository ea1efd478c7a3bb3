/** Statements about the person whom a query names, in the list of the strategy by words. */
import { describe, expect, test } from '@jest/globals';
import { RESCORE_WEIGHTS } from '../../../domain/ranking/rescore.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import type { Strategy } from '../../../domain/retrieval/strategies.ts';
import { NONE_FOUND } from '../../../engine/retrieval/lexical.ts';
import { planQuery, weighWords } from '../../../engine/text/query-plan.ts';
import { rankedList } from '../../../engine/retrieval/rank.ts';
import type { CandidateRow } from '../../../stores/postgres/retrieval/candidates.store.ts';

const AT = '2026-05-01T00:00:00.000Z';

interface Found {
  readonly score: number;
  /** Whose statement it is; null is about a scope. */
  readonly about: string | null;
}

const row = (id: string, about: string | null): CandidateRow =>
  ({
    id,
    subject_peer_id: about,
    subject_name: about,
    statement: null,
    confidence: 1,
    corroboration_count: 1,
    updated_at: AT,
    relevant_from: '2026-01-01T00:00:00.000Z',
    relevant_until: null,
  }) as Partial<CandidateRow> as CandidateRow;

/** Ids with their scores, best first. `hidden` were found as well, and have no row. */
function listOf(
  query: string,
  found: Readonly<Record<string, Found>>,
  more: { readonly hidden?: readonly string[]; minScore?: number; strategy?: Strategy } = {},
): [string, number][] {
  const { hidden = [], minScore = null, strategy = 'lexical' } = more;
  const plan = planQuery(query, query);
  const scores = Object.entries(found).map(([id, { score }]) => [id, score] as const);
  const scored = new Map([...hidden.map((id) => [id, 1.9] as const), ...scores]);
  const rows = new Map(Object.entries(found).map(([id, { about }]) => [id, row(id, about)]));
  const outcome = {
    component: strategy,
    status: 'completed',
    reasonClass: null,
    elapsedMs: 1,
    budgetRemainingMs: null,
  } as const;
  const run = {
    strategy,
    outcome,
    found: { ...NONE_FOUND, scored, chunks: NONE_FOUND, reason: null, rows: [] },
  };
  const words = weighWords(plan, 'account', { units: 0, byTerm: new Map() });
  const sourceFilters = NO_SOURCE_FILTERS;
  const input = { accountId: 'account', plan, words, sourceFilters, minScore, at: AT, pool: 9 };
  return rankedList(run, rows, input).entries.map(({ id, score }) => [id, score]);
}

const TWO = { anna: { score: 0.4, about: 'anna' }, bob: { score: 0.5, about: 'bob' } };
const idsOf = (list: readonly (readonly [string, number])[]): string[] => list.map(([id]) => id);

describe('statements about the one person whom a query names', () => {
  test('stand higher', () => {
    expect(idsOf(listOf('a boat', TWO))).toEqual(['bob', 'anna']);
    const named = listOf("Anna's boat", TWO);
    expect(idsOf(named)).toEqual(['anna', 'bob']);
    expect(named[0]?.[1]).toBeCloseTo(0.4 * RESCORE_WEIGHTS.person, 9);
  });

  test('stand as before where two are named, nobody is, or a scope is meant', () => {
    expect(idsOf(listOf('Anna, Bob and a boat', TWO))).toEqual(['bob', 'anna']);
    expect(idsOf(listOf('Erwin and a boat', TWO))).toEqual(['bob', 'anna']);
    const scope = { bob: TWO.bob, scope: { score: 0.4, about: null } };
    expect(idsOf(listOf('the boat of the scope', scope))).toEqual(['bob', 'scope']);
  });

  test('keep their order above a full score: all are divided by the best', () => {
    const found = {
      first: { score: 0.9, about: 'anna' },
      second: { score: 0.8, about: 'anna' },
      third: { score: 1.2, about: 'bob' },
    };
    const list = listOf('Anna', found);
    expect(idsOf(list)).toEqual(['first', 'second', 'third']);
    expect(list[0]?.[1]).toBe(1);
    expect(list[1]?.[1]).toBeCloseTo(0.8 / 0.9, 9);
    expect(list[2]?.[1]).toBeCloseTo(1.2 / (0.9 * RESCORE_WEIGHTS.person), 9);
  });

  test('are not displaced and not scaled by what the reader may not read', () => {
    const full = listOf("Anna's boat", TWO, { hidden: ['hidden'] });
    expect(full).toEqual(listOf("Anna's boat", TWO));
  });

  test('meet a minimum by their share, whatever the best one has', () => {
    const found = { best: { score: 1.8, about: 'bob' }, fair: { score: 0.7, about: 'bob' } };
    expect(idsOf(listOf('boat', found, { minScore: 0.6 }))).toEqual(['best', 'fair']);
    expect(idsOf(listOf('boat', found, { minScore: 0.8 }))).toEqual(['best']);
    expect(idsOf(listOf("Bob's boat", found, { minScore: 0.8 }))).toEqual(['best']);
  });

  test('count no more in strategies that do not go by words', () => {
    expect(idsOf(listOf("Anna's boat", TWO, { strategy: 'semantic' }))).toEqual(['bob', 'anna']);
    const strong = { a: { score: 1.9, about: 'anna' }, b: { score: 0.6, about: 'bob' } };
    // More than half of a full score, not of the best one.
    expect(listOf('boat', strong, { strategy: 'temporal' })).toHaveLength(2);
  });
});
