/** Ranking by words: what a score says, and when Qdrant counts as away. */
import { describe, expect, test } from '@jest/globals';
import { createIndexGate } from '../../../engine/indexes/index-gate.ts';
import { searchWords, share } from '../../../engine/retrieval/lexical.ts';
import { readQuestion } from '../../../engine/text/ranked-question.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { parseInstant } from '../../../operations/fields/read.ts';

describe('a score as a share of the weight of a query', () => {
  test('is as exact for a query of common words as for one of rare words', () => {
    expect(share(3, 6)).toBe(0.5);
    expect(share(0.0003, 0.0006)).toBeCloseTo(0.5, 6);
    expect(share(0.0002, 0.0006)).toBeCloseTo(1 / 3, 3);
  });

  test('does not depend on what an index computes differently after a rebuild', () => {
    expect(share(3.000_01, 6)).toBe(share(3, 6));
    expect(share(0.000_300_000_1, 0.0006)).toBe(share(0.0003, 0.0006));
  });

  test('is 0 without a weight', () => {
    expect(share(1, 0)).toBe(0);
  });
});

describe('a Qdrant that does not answer', () => {
  const search = {
    accountId: 'a',
    visible: { any: [] },
    asOf: null,
    queryOperators: null,
    sourceFilters: NO_SOURCE_FILTERS,
  };

  async function openAfter(patienceMs: number): Promise<boolean> {
    const gate = createIndexGate({ probe: async () => undefined, now: () => 0 });
    const points = { candidatesByWords: () => new Promise(() => undefined) };
    const lists = [{ sourceIds: Array.from({ length: 9 }, (_, at) => `s${at}`), truncated: true }];
    const records = { statementsWithTerms: async () => lists };
    const found = await searchWords({ points, records } as never, gate, {
      words: {
        own: { indices: [1], values: [1] },
        asked: { indices: [1], values: [1] },
        total: 1,
        alternatives: new Set(),
        reading: readQuestion(''),
      },
      search,
      chunks: null,
      sourceReaders: [],
      limit: 5,
      overdueIds: [],
      patienceMs,
      signal: new AbortController().signal,
    });
    expect(found).toMatchObject({ reason: 'dependency_unavailable' });
    expect(found.unscored).toHaveLength(5);
    return gate.isOpen();
  }

  test('is left alone by other searches when it had the time in which it usually answers', async () => {
    expect(await openAfter(60)).toBe(false);
  });

  test('is still asked by other searches when this one had no time left for it', async () => {
    expect(await openAfter(2)).toBe(true);
  });
});

test('an instant that a database cannot hold is none', () => {
  for (const text of ['0000-01-01', '0001-01-01T00:00+14:00', '9999-12-31T23:59-14:00']) {
    expect(parseInstant(text)).toBeNull();
  }
  expect(parseInstant('0001-01-01')).toBe('0001-01-01T00:00:00.000Z');
  expect(parseInstant('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000Z');
});
