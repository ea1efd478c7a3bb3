/** Which passages an embedder is asked about, and what becomes of them when it fails. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { expect, test } from '@jest/globals';
import { ModelFailure, type ErrorClass } from '../../../domain/error-class.ts';
import { analyseMessage, textHash } from '../../../engine/analysis/message.ts';
import {
  denseMessages,
  denseStatements,
  type DenseDependencies,
} from '../../../engine/indexes/dense.ts';
import {
  analyseStatement,
  type AnalysedMessage,
  type IndexedStatement,
} from '../../../engine/indexes/units.ts';
import type { KeptPassage } from '../../../stores/qdrant/kept-passages.ts';

const accountId = '0198c8c8-0000-7000-8000-00000000000a';
const signal = new AbortController().signal;
const space = { provider: 'deterministic', model: 'm', version: '1', dimensions: 2 } as const;
const usage = NOTHING_USED;

function said(id: string, content: string): AnalysedMessage {
  return {
    unit: {
      id,
      session_id: 's',
      scope_id: 'c',
      speaker_peer_id: 'p',
      speaker_name: 'Ann',
      role: 'user',
      content,
      occurred_at: '2024-01-01T00:00:00.000Z',
      occurred_offset_minutes: 0,
      is_chunk: false,
      recorded_at: '2026-01-01T00:00:00.000Z',
      has_audience: false,
      readers: ['p'],
      read_at: 1,
    },
    analysis: analyseMessage({ accountId, content, surroundings: null }, content),
  };
}

function statementOf(text: string): IndexedStatement {
  const at = '2024-01-01T00:00:00.000Z';
  return {
    id: text,
    scope_id: 'c',
    statement: text,
    kind: 'fact',
    state: 'active',
    sensitivity: 'public',
    target_level: 'peer',
    subject_peer_id: 'p',
    expires_at: null,
    text_occurred_at: at,
    extracting_provider: 'deterministic',
    extracting_model: 'rules',
    pipeline_version: 'f5-1',
    corroboration_count: 1,
    row_version: 1,
    audience: null,
    submitting_peer_ids: ['p'],
    ever_scopes: ['c'],
    ever_states: ['active'],
    ever_sensitivities: ['public'],
    ever_levels: ['peer'],
    believed_from: at,
    believed_until: null,
  };
}

type Kept = Readonly<Record<string, KeptPassage>>;

/** An embedder that answers, or throws, for a list of texts; and points with what they keep, by message. */
function withEmbedder(answer: (texts: readonly string[]) => readonly number[][], kept: Kept = {}) {
  const asked: (readonly string[])[] = [];
  const reported: unknown[] = [];
  const dependencies: DenseDependencies = {
    embed: async (texts) => {
      asked.push(texts);
      return { vectors: answer(texts), space, usage };
    },
    embedStatements: null,
    points: {
      keptPassages: async (_, places) => places.map(({ messageId }) => kept[messageId] ?? null),
      keptVectors: async () => new Map(),
    },
    report: (event, fields) => void reported.push([event, fields]),
  };
  const run = (...messages: AnalysedMessage[]) =>
    denseMessages(dependencies, accountId, messages, signal);
  return { asked, reported, run };
}

const one = (texts: readonly string[]): number[][] => texts.map(() => [1, 0]);
const fails = (errorClass: ErrorClass) => (): never => {
  throw new ModelFailure(errorClass);
};
const away = fails('provider_upstream_error');
/** Refuses every list with one of the texts in it. */
const refusing = (errorClass: ErrorClass, refuses: (text: string) => boolean) => {
  return (texts: readonly string[]): number[][] =>
    texts.some(refuses) ? fails(errorClass)() : one(texts);
};
const many = (count: number): AnalysedMessage[] =>
  Array.from({ length: count }, (_, n) => said(`m${n}`, `text ${n}`));
const KEPT: Kept = { a: { textHash: textHash('red canoe'), vector: [0, 1] } };

test('a text that did not change keeps its vector, and the embedder is asked about the others only', async () => {
  const { asked, run } = withEmbedder(one, KEPT);
  expect(await run(said('a', 'red canoe'), said('b', 'bread'))).toEqual({
    passages: [[[0, 1]], [[1, 0]]],
    missing: new Set(),
  });
  expect(asked).toEqual([['bread']]);
});

test('a text that changed gets a vector of its own', async () => {
  const { run } = withEmbedder(one, KEPT);
  expect(await run(said('a', 'blue canoe'))).toMatchObject({ passages: [[[1, 0]]] });
});

test('where all is kept no embedder is asked', async () => {
  const { asked, run } = withEmbedder(away, KEPT);
  expect(await run(said('a', 'red canoe'))).toMatchObject({ passages: [[[0, 1]]] });
  expect(asked).toEqual([]);
});

test('while the embedder fails kept vectors stay, and the others are awaited', async () => {
  const { reported, run } = withEmbedder(away, KEPT);
  expect(await run(said('a', 'red canoe'), said('b', 'bread'))).toEqual({
    passages: [[[0, 1]], ['awaited']],
    missing: new Set(['b']),
  });
  expect(reported).toEqual([
    ['projection.embedding_failed', { units: 1, error_class: 'provider_upstream_error' }],
  ]);
});

test('a text known to have no vector is asked about last, and awaits none when the embedder fails', async () => {
  const none: Kept = { a: { textHash: textHash('!!!'), vector: null } };
  const failing = withEmbedder(away, none);
  expect(await failing.run(said('a', '!!!'))).toEqual({ passages: [['none']], missing: new Set() });
  const { asked, run } = withEmbedder(one, none);
  expect(await run(said('a', '!!!'), said('b', 'bread'))).toMatchObject({
    passages: [[[1, 0]], [[1, 0]]],
  });
  expect(asked).toEqual([['bread', '!!!']]);
});

test.each(['provider_content_filtered', 'source_too_large'] as const)(
  'a text refused as %s keeps no other from its vector, and waits for none',
  async (errorClass) => {
    const { asked, reported, run } = withEmbedder(
      refusing(errorClass, (text) => text === 'text 40'),
    );
    const { missing, passages } = await run(...many(70));
    expect(missing).toEqual(new Set());
    expect(passages.flatMap(([dense], n) => (dense === 'none' ? [n] : []))).toEqual([40]);
    expect(passages.filter(([dense]) => Array.isArray(dense))).toHaveLength(69);
    // Three calls for 70 texts, one of them refused, and two for each of five halvings.
    expect(asked).toHaveLength(13);
    expect(reported).toEqual([['projection.texts_refused', { units: 1 }]]);
  },
);

test('where the embedder refuses every text a batch ends after 24 refused calls, and the next one goes on from there', async () => {
  const refusesAll = refusing('provider_content_filtered', () => true);
  const messages = many(40);
  const kept: Record<string, KeptPassage> = {};
  const counts: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { asked, run } = withEmbedder(refusesAll, kept);
    const { missing, passages } = await run(...messages);
    expect(asked.length).toBeLessThanOrEqual(25);
    counts.push(missing.size);
    messages.forEach(({ unit, analysis }, n) => {
      const textHashOf = analysis.passages[0]?.textHash ?? '';
      if (passages[n]?.[0] === 'none') kept[unit.id] = { textHash: textHashOf, vector: null };
    });
  }
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  expect(counts.at(-1)).toBe(0);
});

test.each(['credentials_rejected', 'embedding_width_mismatch', 'provider_rate_limited'] as const)(
  'after %s no further call is made, and what was embedded before stays',
  async (errorClass) => {
    const { asked, reported, run } = withEmbedder(
      refusing(errorClass, (text) => text === 'text 40'),
    );
    const { missing, passages } = await run(...many(70));
    expect(asked).toHaveLength(2);
    expect(passages.filter(([dense]) => Array.isArray(dense))).toHaveLength(32);
    expect(missing.size).toBe(38);
    expect(reported).toEqual([
      ['projection.embedding_failed', { units: 38, error_class: errorClass }],
    ]);
  },
);

test('a statement that the embedder refuses waits for no vector, and the others get theirs', async () => {
  const reported: unknown[] = [];
  const embed = refusing('provider_content_filtered', (text) => text === 'b');
  const statements = ['a', 'b', 'c'].map((text) => analyseStatement(accountId, statementOf(text)));
  const dense = await denseStatements(
    {
      embed: null,
      embedStatements: async (texts) => ({ vectors: embed(texts), space, usage }),
      points: { keptPassages: async () => [], keptVectors: async () => new Map() },
      report: (event) => void reported.push(event),
    },
    accountId,
    statements,
    signal,
  );
  expect([...dense.vectors.keys()]).toEqual(['a', 'c']);
  expect(dense.missing).toEqual(new Set());
  expect(reported).toEqual(['projection.texts_refused']);
});
