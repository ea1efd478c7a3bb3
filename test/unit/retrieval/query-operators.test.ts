/** What the operators of a query ask of the full-text index. Faked: the index. */
import { expect, test } from '@jest/globals';
import type { TextQuery } from '../../../stores/meilisearch/record-index.ts';
import { searchWords } from '../../../engine/retrieval/lexical.ts';
import { readQuestion } from '../../../engine/text/ranked-question.ts';
import { resolveQueryOperators } from '../../../engine/retrieval/query-operators.ts';
import { planQuery } from '../../../engine/text/query-plan.ts';
import { createIndexGate } from '../../../engine/indexes/index-gate.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';

const ACCESS = { accountId: 'a', visible: { all: [] }, asOf: null };

/** What is quoted is the id of what holds it. */
const listing = (asked: (readonly TextQuery[])[]) => async (queries: readonly TextQuery[]) => {
  asked.push(queries);
  return queries.map(({ q }) => ({ sourceIds: [q], truncated: false }));
};

test('every alternative is resolved by its own answers, in one call', async () => {
  const asked: (readonly TextQuery[])[] = [];
  const query = '"a b" -c or -d -"e f" or "g h" "i j"';
  const { alternatives, wide } = await resolveQueryOperators(
    planQuery(query, query),
    listing(asked),
    [],
  );
  expect(asked).toHaveLength(1);
  expect(alternatives).toEqual([
    { onlyIds: ['"a b"'], exceptIds: ['"c"'] },
    { onlyIds: null, exceptIds: ['"d"', '"e f"'] },
    { onlyIds: ['"g h" "i j"'], exceptIds: [] },
  ]);
  expect(wide).toBe(false);
});

test('a query with an alternative of free words asks the index nothing and restricts nothing', async () => {
  const asked: (readonly TextQuery[])[] = [];
  const query = '"a b" or c';
  expect(await resolveQueryOperators(planQuery(query, query), listing(asked), [])).toEqual({
    alternatives: null,
    wide: true,
  });
  expect(asked).toEqual([]);
});

test('an index that replaces another is asked only for the words of greatest weight', async () => {
  const gate = createIndexGate({ probe: async () => Promise.reject(new Error()), now: () => 0 });
  gate.close();
  const wanted: number[][] = [];
  const records = {
    statementsWithTerms: async (ids: readonly number[]) => {
      wanted.push([...ids]);
      return [];
    },
  };
  const indices = Array.from({ length: 256 }, (_, n) => n);
  await searchWords({ records, points: {} } as never, gate, {
    words: {
      own: { indices, values: indices },
      // Alternatives weigh more here, and are asked of Qdrant alone.
      asked: { indices: [900], values: [900] },
      total: 900,
      alternatives: new Set(['other']),
      reading: readQuestion(''),
    },
    search: { ...ACCESS, queryOperators: null, sourceFilters: NO_SOURCE_FILTERS },
    chunks: null,
    sourceReaders: [],
    limit: 10,
    overdueIds: [],
    patienceMs: 1,
    signal: new AbortController().signal,
  });
  expect(wanted).toEqual([indices.toReversed().slice(0, 32)]);
});

test('an embedder is shown no more of a query than could be sent', () => {
  // One character that becomes eighteen when it is folded.
  const query = '\uFDFA'.repeat(1_365);
  const { meaning } = planQuery(query, query);
  expect(meaning.length).toBeLessThanOrEqual(4_096);
  expect(meaning.isWellFormed()).toBe(true);
});
