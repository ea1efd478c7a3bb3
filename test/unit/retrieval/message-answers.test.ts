/** What becomes of answers about messages that no index gives, and of requests that nobody waits for any more. */
import { describe, expect, test } from '@jest/globals';
import { Meilisearch } from 'meilisearch';
import { NO_TRAITS } from '../../../domain/ranking/traits.ts';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { MessageRecords } from '../../../stores/meilisearch/message-records.ts';
import { AbortableQdrantClient } from '../../../stores/qdrant/client.ts';
import { MessagePoints } from '../../../stores/qdrant/message-points.ts';

const ACCOUNT = '0190a0a0-0000-7000-8000-000000000001';
const MESSAGE = '0190a0a0-0000-7000-8000-000000000002';
const access = {
  accountId: ACCOUNT,
  readers: [{ peerId: '0190a0a0-0000-7000-8000-000000000003', scopeIds: [ACCOUNT] }],
};
const search = { ...access, queryOperators: null };
const vector = { indices: [7], values: [1] };
const never = new AbortController().signal;

/** Qdrant as far as its answers and the signals of its requests go. */
class AnsweringQdrant extends AbortableQdrantClient {
  readonly signals: (AbortSignal | undefined)[] = [];
  answer: (call: number) => Promise<unknown> = () => Promise.resolve(null);

  constructor() {
    super({ url: 'http://127.0.0.1:9', checkCompatibility: false }, 1_000);
  }

  #next(signal: AbortSignal | undefined): Promise<unknown> {
    this.signals.push(signal);
    return this.answer(this.signals.length);
  }

  override queryGroupsWithin(_collection: string, _query: unknown, signal?: AbortSignal) {
    return this.#next(signal);
  }

  override queryBatchWithin(_collection: string, _searches: unknown, signal?: AbortSignal) {
    return this.#next(signal);
  }

  override retrieveWithin(_collection: string, _asked: unknown, signal?: AbortSignal) {
    return this.#next(signal);
  }

  override scrollWithin(_collection: string, _asked: unknown, signal?: AbortSignal) {
    return this.#next(signal);
  }
}

function pointsOf(answer: (call: number) => unknown) {
  const client = new AnsweringQdrant();
  client.answer = async (call) => answer(call);
  return { client, points: new MessagePoints(client, 'points') };
}

const recordsOf = (answer: unknown): MessageRecords =>
  new MessageRecords(
    new Meilisearch({ host: 'http://127.0.0.1:9', httpClient: () => Promise.resolve(answer) }),
    'messages',
  );

const OF_POINTS: Readonly<
  Record<string, (points: MessagePoints, signal?: AbortSignal) => Promise<unknown>>
> = {
  'a search by words': (points, signal) => points.searchWords(vector, search, 5, signal),
  'a search by meaning': (points, signal) => points.searchMeaning([1, 0], search, 5, signal),
  'a look for vectors': (points, signal) => points.lookForVectors(search, 5, true, signal),
  'a look at messages': (points, signal) => points.indexed(ACCOUNT, [MESSAGE], signal),
};

describe('an answer that is none of Qdrant', () => {
  const wrong = [null, 'pong', { groups: null }, { groups: [{ hits: 3 }] }, [{ points: {} }], [7]];
  const asks = {
    ...OF_POINTS,
    'a walk': (points: MessagePoints) => points.awaitingVector(ACCOUNT, null, 5),
  };

  test.each(Object.entries(asks))('to %s is a failure of the index', async (_, ask) => {
    for (const answer of wrong) {
      await expect(ask(pointsOf(() => answer).points)).rejects.toBeInstanceOf(IndexFailure);
    }
  });

  test('to fewer searches than were asked is a failure of the index', async () => {
    const { points } = pointsOf(() => [{ points: [] }]);
    await expect(points.lookForVectors(search, 5, true)).rejects.toBeInstanceOf(IndexFailure);
  });
});

test('a point whose payload names no message is no hit, and one without traits has none', async () => {
  const said = { short_question: true, time_cue: true, says_something: true, with_assistant: true };
  const hits = [
    { score: 1, payload: { source_id: MESSAGE, order: 1, begins_at: 3 } },
    { score: 1, payload: { source_id: MESSAGE, order: 1, begins_at: 4, ...said } },
    { score: 1, payload: { source_id: 'x', order: 1 } },
    { score: 1, payload: { source_id: MESSAGE, order: 1, begins_at: 1.5 } },
    { score: 1, payload: { source_id: MESSAGE, order: 1, begins_at: 2 ** 40 } },
    { score: 1, payload: null },
  ];
  const { points } = pointsOf((call) => ({
    groups: call === 1 ? hits.map((one) => ({ hits: [one] })) : [],
  }));
  const all = {
    isShortQuestion: true,
    hasTimeCue: true,
    saysSomething: true,
    isWithAssistant: true,
  };
  expect(await points.searchWords(vector, search, 5)).toEqual([
    { messageId: MESSAGE, score: 1, order: 1, beginsAt: 3, traits: NO_TRAITS },
    { messageId: MESSAGE, score: 1, order: 1, beginsAt: 4, traits: all },
  ]);
});

describe('a request to Qdrant', () => {
  test.each(Object.entries(OF_POINTS))('of %s ends with its caller', async (_, ask) => {
    const left = new AbortController();
    const { client, points } = pointsOf(() => new Promise(() => {}));
    void ask(points, left.signal).catch(() => undefined);
    await Promise.resolve();
    left.abort();
    expect(client.signals.length).toBeGreaterThan(0);
    expect(client.signals.map((signal) => signal?.aborted)).toEqual(client.signals.map(() => true));
  });

  test('ends when the one beside it has failed', async () => {
    const { client, points } = pointsOf((call) =>
      call === 1 ? Promise.reject(new Error('away')) : new Promise(() => {}),
    );
    await expect(points.searchWords(vector, search, 5)).rejects.toBeInstanceOf(IndexFailure);
    expect(client.signals[1]?.aborted).toBe(true);
  });
});

describe('an answer that is none of Meilisearch', () => {
  test.each([
    [null],
    ['pong'],
    [{ results: 'none' }],
    [{ results: [] }],
    [{ results: [{ hits: [{ source_id: 7 }] }] }],
    [{ results: [{ hits: [{ source_id: 'no id' }] }] }],
    [{ results: [{ hits: null }] }],
  ])('%j is a failure of the index', async (answer) => {
    const records = recordsOf(answer);
    const asked = [{ q: 'canoe', field: 'text' as const }];
    await expect(records.match(asked, access, never)).rejects.toBeInstanceOf(IndexFailure);
    await expect(records.withTerms([[7]], access, 5, never)).rejects.toBeInstanceOf(IndexFailure);
  });

  test('is told from one that is', async () => {
    const records = recordsOf({
      results: [{ hits: [{ source_id: MESSAGE }], estimatedTotalHits: 2 }],
    });
    expect(await records.withTerms([[7]], access, 5, never)).toEqual([
      { sourceIds: [MESSAGE], truncated: true },
    ]);
  });
});
