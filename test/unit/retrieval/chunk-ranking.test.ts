/** Chunks in the lists of strategies: which of them are ranked, by what, and beside which statements. */
import { describe, expect, test } from '@jest/globals';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import type { Strategy } from '../../../domain/retrieval/strategies.ts';
import { eligibleChunks, scoredChunks } from '../../../engine/retrieval/chunks.ts';
import { NONE_FOUND, scoreText, type Found } from '../../../engine/retrieval/lexical.ts';
import { documentOf } from '../../../engine/retrieval/rerank-document.ts';
import { planQuery, weighWords } from '../../../engine/text/query-plan.ts';
import { eligibleRows, rankedList } from '../../../engine/retrieval/rank.ts';
import type { RankInput } from '../../../engine/retrieval/rank-input.ts';
import type { StrategyRun } from '../../../engine/retrieval/strategies.ts';
import type { ChunkRow } from '../../../stores/postgres/documents/chunk-query.ts';
import type { CandidateRow } from '../../../stores/postgres/retrieval/candidates.store.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const NOW = '2026-05-01T00:00:00.000Z';

function inputOf(query: string, changed: Partial<RankInput> = {}): RankInput {
  const plan = planQuery(query, query);
  const words = weighWords(plan, ACCOUNT, { units: 0, byTerm: new Map() });
  const sourceFilters = NO_SOURCE_FILTERS;
  const base = {
    accountId: ACCOUNT,
    plan,
    words,
    sourceFilters,
    minScore: null,
    at: NOW,
    pool: 2,
  };
  return { ...base, ...changed };
}

const chunk = (id: string, text: string | null, recordedAt = NOW): ChunkRow => ({
  id,
  scope_id: 's1',
  scope_path: '/poc',
  document_id: 'd1',
  document_version_id: 'v1',
  position: 0,
  recorded_at: recordedAt,
  text,
});

function statement(id: string): CandidateRow {
  const read: Partial<CandidateRow> = {
    id,
    confidence: 1,
    corroboration_count: 1,
    updated_at: NOW,
    relevant_from: '2026-01-01T00:00:00.000Z',
    relevant_until: null,
    extracting_provider: 'deterministic',
    extracting_model: null,
    pipeline_version: 'f5-1',
    statement: null,
    has_source_message: false,
    ended_by_id: null,
  };
  return read as CandidateRow;
}

function run(strategy: Strategy, found: Found, chunks: Found, rows: CandidateRow[] = []) {
  const outcome = {
    component: strategy,
    status: 'completed',
    reasonClass: null,
    elapsedMs: 1,
    budgetRemainingMs: null,
  } as const;
  const ran: StrategyRun = { strategy, outcome, found: { ...found, chunks, reason: null, rows } };
  return ran;
}

const scored = (scores: Readonly<Record<string, number>>): Found => ({
  scored: new Map(Object.entries(scores)),
  unscored: [],
});
const unscored = (...ids: string[]): Found => ({ ...NONE_FOUND, unscored: ids });

async function listOf(
  ran: StrategyRun,
  rows: CandidateRow[],
  chunks: ChunkRow[],
  input: RankInput,
) {
  const waiting = new Set(ran.found?.chunks.unscored);
  const eligible = await eligibleChunks(chunks, waiting, input);
  return rankedList(ran, eligibleRows(rows, input), input, eligible).entries;
}

describe('the list of a strategy', () => {
  test('holds statements and chunks in one order, by their scores', async () => {
    const ran = run('lexical', scored({ s: 0.5, t: 0.1 }), scored({ c: 0.7, d: 0.3 }));
    const rows = [statement('s'), statement('t')];
    const entries = await listOf(ran, rows, [chunk('c', null), chunk('d', null)], inputOf('lamp'));
    expect(entries.map(({ id }) => id)).toEqual(['c', 's', 'd', 't']);
  });

  test('loses no statement to any number of chunks', async () => {
    const names = Array.from({ length: 9 }, (_, n) => `c${n}`);
    const ran = run(
      'semantic',
      scored({ s: 0.2, t: 0.1 }),
      scored(Object.fromEntries(names.map((id) => [id, 0.9]))),
    );
    const chunks = names.map((id) => chunk(id, null));
    const entries = await listOf(ran, [statement('s'), statement('t')], chunks, inputOf('lamp'));
    expect(entries.map(({ id }) => id)).toEqual(['c0', 'c1', 's', 't']);
  });

  test('holds no chunk that the database did not show, and none below the minimum', async () => {
    const ran = run('lexical', NONE_FOUND, scored({ hidden: 0.9, weak: 0.2, strong: 0.6 }));
    const shown = [chunk('weak', null), chunk('strong', null)];
    const entries = await listOf(ran, [], shown, inputOf('lamp', { minScore: 0.5 }));
    expect(entries).toEqual([{ id: 'strong', score: 0.6 }]);
  });

  test.each(['temporal', 'salience_recency', 'entity_match', 'relation_expand'] as const)(
    'of %s holds no chunk',
    async (strategy) => {
      const ran = run(strategy, scored({ s: 0.5 }), scored({ c: 0.7 }), [statement('s')]);
      const entries = await listOf(ran, [statement('s')], [chunk('c', null)], inputOf('lamp'));
      expect(entries.map(({ id }) => id)).toEqual(['s']);
    },
  );

  test('of a strategy that failed holds no chunk', async () => {
    const failed: StrategyRun = { ...run('lexical', NONE_FOUND, NONE_FOUND), found: null };
    expect(scoredChunks(failed, new Map())).toEqual([]);
  });
});

describe('operators', () => {
  test('bind the text of a chunk, whatever an index said', async () => {
    const ran = run('lexical', NONE_FOUND, scored({ c: 0.7, d: 0.6, e: 0.5 }));
    const chunks = [
      chunk('c', 'A lamp, and a window.'),
      chunk('d', 'The lamp room has no light.'),
      chunk('e', null),
    ];
    const entries = await listOf(ran, [], chunks, inputOf('light "lamp room"'));
    expect(entries.map(({ id }) => id)).toEqual(['d']);
  });
});

describe('a chunk that no index scored', () => {
  test('is scored by its best passage, as an index scores it', async () => {
    const filler = 'Nothing of interest happens here at all. '.repeat(30);
    const text = `${filler}The lamp burns.`;
    const input = inputOf('lamp');
    const [entry] = await listOf(
      run('lexical', NONE_FOUND, unscored('c')),
      [],
      [chunk('c', text)],
      input,
    );
    expect(entry?.score).toBeGreaterThan(scoreText(ACCOUNT, input.words, text));
  });

  test('is left out where it shares no word with the query', async () => {
    const ran = run('lexical', NONE_FOUND, unscored('c'));
    expect(await listOf(ran, [], [chunk('c', 'A window.')], inputOf('lamp'))).toEqual([]);
  });

  test('counts by how new it is where the query has no word to rank by', async () => {
    const ran = run('lexical', NONE_FOUND, unscored('old', 'new'));
    const chunks = [
      chunk('old', 'It was one of them.', '2026-04-01T00:00:00.000Z'),
      chunk('new', 'It was one of us.', '2026-04-30T00:00:00.000Z'),
    ];
    const entries = await listOf(ran, [], chunks, inputOf('"it was one"'));
    expect(entries.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(entries.every(({ score }) => score > 0 && score <= 1)).toBe(true);
  });
});

test('a chunk is judged by its text', () => {
  const row = chunk('c', 'A lamp.');
  const candidate = { type: 'document_chunk', row, fusionScore: 1, strategies: [] } as const;
  expect(documentOf(candidate)).toBe('A lamp.');
});
