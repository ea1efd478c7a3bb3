/** Which passages an embedder is asked about, and what becomes of them when it fails. */
import { expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/models/error-class.ts';
import { analyseMessage, textHash } from '../../../engine/indexes/analysis.ts';
import { denseMessages, type DenseDependencies } from '../../../engine/indexes/dense.ts';
import type { AnalysedMessage } from '../../../engine/indexes/units.ts';
import type { KeptPassage } from '../../../stores/qdrant/kept-passages.ts';

const accountId = '0198c8c8-0000-7000-8000-00000000000a';
const signal = new AbortController().signal;
const space = { provider: 'deterministic', model: 'm', version: '1', dimensions: 2 } as const;
const usage = { inputTokens: 0, outputTokens: 0, embeddingTokens: 0 };

function said(id: string, content: string): AnalysedMessage {
  return {
    unit: {
      id,
      session_id: 's',
      scope_id: 'c',
      speaker_peer_id: 'p',
      role: 'user',
      content,
      occurred_at: '2024-01-01T00:00:00.000Z',
      reader_peer_ids: ['p'],
      read_at: 1,
    },
    analysis: analyseMessage({ accountId, content }, content),
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
const away = (): never => {
  throw new ModelFailure('provider_upstream_error');
};
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
