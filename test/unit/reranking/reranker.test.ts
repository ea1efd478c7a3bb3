/** The reranker's part of a search, by a clock of the test's own and a provider that does as it is told. */
import { NO_USAGE } from '../../../domain/models/usage.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { Judgement } from '../../../domain/retrieval/reranking.ts';
import { RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import { WaitedLongEnough } from '../../../engine/models/attempt.ts';
import type { Rerank } from '../../../engine/models/reranking.ts';
import { startDeadline } from '../../../engine/retrieval/deadline.ts';
import type { RankedStatement } from '../../../engine/retrieval/candidates.ts';
import { planQuery } from '../../../engine/text/query-plan.ts';
import { createReranker, type Reranker } from '../../../engine/retrieval/reranker.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function candidate(name: string, dates: object = {}): RankedStatement {
  const row = {
    id: name,
    statement: `Statement ${name}.`,
    relevant_from: null,
    relevant_from_precision: null,
    relevant_until: null,
    relevant_until_precision: null,
    ...dates,
  };
  return {
    type: 'knowledge',
    row,
    fusionScore: 0.5,
    strategies: ['lexical'],
  } as unknown as RankedStatement;
}

const page = (count: number) => ({
  candidates: Array.from({ length: count }, (_, at) => candidate(`c${at}`)),
  endedBy: () => null,
});

interface Answering {
  readonly afterMs?: number;
  readonly judgements?: readonly Judgement[] | null;
  readonly failure?: Error;
}

/** A provider that answers in that way from now on, and what it was asked. */
function provider() {
  const asked: Parameters<Rerank>[] = [];
  let next: Answering = {};
  const rerank: Rerank = async (...request) => {
    const { afterMs = 10, judgements, failure } = next;
    asked.push(request);
    const [, { signal }] = request;
    await new Promise((resolve, reject) => {
      setTimeout(resolve, afterMs);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    if (failure !== undefined) throw failure;
    const turned = request[0].documents.map((_, index) => ({ index, score: index }));
    const usage = NO_USAGE;
    return { judgements: judgements === undefined ? turned : judgements, usage };
  };
  return { rerank, asked, answers: (answering: Answering) => void (next = answering) };
}

interface Asking {
  readonly query?: string;
  readonly profile?: keyof typeof RETRIEVAL_PROFILES;
  readonly deadlineEnabled?: boolean;
  /** Replaces the deadline of the profile, as an operator may. */
  readonly deadlineMs?: number;
  readonly count?: number;
  /** Milliseconds of the deadline that are gone when the reranker's turn comes. */
  readonly spentMs?: number;
  readonly signal?: AbortSignal;
}

async function search(reranker: Reranker, asking: Asking = {}) {
  const { query = 'Where does Ana live?', profile: name = 'thorough', count = 25 } = asking;
  const { deadlineEnabled = true, spentMs = 0, signal = new AbortController().signal } = asking;
  const { deadlineMs = RETRIEVAL_PROFILES[name].deadlineMs } = asking;
  const profile = { ...RETRIEVAL_PROFILES[name], deadlineMs };
  const searching = { accountId: 'a', profile, deadlineEnabled, traceId: 't', signal };
  const turn = reranker(searching, planQuery(query, query), query);
  const budgetMs = deadlineEnabled ? profile.deadlineMs : null;
  const deadline = startDeadline(() => performance.now(), budgetMs);
  await jest.advanceTimersByTimeAsync(spentMs);
  const ordering = turn.order(page(count), deadline);
  ordering.catch(() => {});
  await jest.advanceTimersByTimeAsync(60_000);
  const { candidates, outcome, hasWaited } = await ordering;
  const { status, reasonClass, elapsedMs, budgetRemainingMs } = outcome;
  return {
    ids: candidates.map(({ row }) => row.id),
    reserveMs: turn.reserveMs,
    pool: turn.poolOf(12),
    outcome: [status, reasonClass],
    elapsedMs,
    budgetRemainingMs,
    hasWaited,
  };
}

const FUSED = page(25).candidates.map(({ row }) => row.id);
const TURNED = [...FUSED.slice(0, 20).toReversed(), ...FUSED.slice(20)];

describe('a search with a reranker', () => {
  test('has its first twenty candidates judged, and keeps the others behind them', async () => {
    const { rerank, asked } = provider();
    const found = await search(createReranker({ rerank }));
    expect(found).toMatchObject({
      ids: TURNED,
      outcome: ['completed', null],
      elapsedMs: 10,
      budgetRemainingMs: 1_490,
      reserveMs: 120,
      pool: 20,
      hasWaited: true,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[0]).toMatchObject({ query: 'Where does Ana live?' });
    expect(asked[0]?.[0].documents).toHaveLength(20);
    expect(asked[0]?.[0].documents[3]).toBe('Statement c3. (no dates known)');
    expect(asked[0]?.[1]).toMatchObject({ accountId: 'a', traceId: 't', anchorMessageIds: [] });
  });

  test('asks with the words of a query that has operators', async () => {
    const { rerank, asked } = provider();
    await search(createReranker({ rerank }), { query: '"red canoe" -lake' });
    expect(asked[0]?.[0].query).toBe('red canoe');
  });

  test.each<[string, Asking, boolean]>([
    ['the profile does not rerank', { profile: 'balanced' }, true],
    ['the query is blank', { query: '  ' }, true],
    ['there is one candidate', { count: 1 }, true],
    ['there is no candidate', { count: 0 }, true],
    ['there is no reranker', {}, false],
  ])('asks nothing when %s', async (_, asking, configured) => {
    const { rerank, asked } = provider();
    const found = await search(createReranker({ rerank: configured ? rerank : null }), asking);
    expect(found).toMatchObject({
      ids: FUSED.slice(0, asking.count ?? 25),
      outcome: ['not_applicable', 'applicability'],
      hasWaited: false,
    });
    expect(asked).toEqual([]);
    if (asking.count === undefined) expect([found.reserveMs, found.pool]).toEqual([0, 12]);
  });

  test('moves only what was judged', async () => {
    const { rerank, answers } = provider();
    answers({
      judgements: [
        { index: 1, score: -2 },
        { index: 4, score: 7 },
      ],
    });
    const found = await search(createReranker({ rerank }), { count: 6 });
    expect(found).toMatchObject({
      ids: ['c0', 'c4', 'c2', 'c3', 'c1', 'c5'],
      outcome: ['completed', 'partial_rankings'],
    });
  });

  test.each<[string, Answering, unknown]>([
    ['contradicts itself', { judgements: null }, ['completed', 'invalid_result']],
    ['judges nothing', { judgements: [] }, ['completed', 'partial_rankings']],
    ['is late', { afterMs: 2_000 }, ['dropped', 'timeout']],
    [
      'reaches the limit of its role',
      { failure: new ModelFailure('request_timeout') },
      ['dropped', 'timeout'],
    ],
    [
      'refuses the key',
      { failure: new ModelFailure('credentials_rejected') },
      ['dropped', 'provider_error'],
    ],
    [
      'is kept back by its circuit',
      { failure: new ModelFailure('circuit_open') },
      ['dropped', 'provider_error'],
    ],
  ])('keeps the fused order when the provider %s', async (_, answering, outcome) => {
    const { rerank, answers } = provider();
    answers(answering);
    const found = await search(createReranker({ rerank }));
    expect(found).toMatchObject({ ids: FUSED, outcome });
  });

  test('does not begin once the deadline is over', async () => {
    const { rerank, asked } = provider();
    const found = await search(createReranker({ rerank }), { spentMs: 1_500 });
    expect(found).toMatchObject({
      ids: FUSED,
      outcome: ['dropped', 'deadline_exhausted_before_start'],
      hasWaited: false,
    });
    expect(asked).toEqual([]);
  });

  test('throws what is no failure of a provider', async () => {
    const { rerank, answers } = provider();
    answers({ failure: new RangeError('a defect') });
    await expect(search(createReranker({ rerank }))).rejects.toThrow('a defect');
  });

  test('ends when its caller leaves, and tells the provider', async () => {
    const { rerank, answers, asked } = provider();
    answers({ afterMs: 500, failure: new ModelFailure('transport_error') });
    const caller = new AbortController();
    setTimeout(() => caller.abort(new Error('gone')), 100);
    const searched = search(createReranker({ rerank }), { signal: caller.signal });
    await expect(searched).rejects.toThrow('gone');
    expect(asked[0]?.[1].signal.reason).toEqual(new Error('gone'));
  });
});

describe('a call that is late', () => {
  test('is ended, and counts against a provider that had at least the reserve', async () => {
    const { rerank, answers, asked } = provider();
    answers({ afterMs: 5_000 });
    const found = await search(createReranker({ rerank }), { spentMs: 1_380 });
    expect(found).toMatchObject({ outcome: ['dropped', 'timeout'], elapsedMs: 120 });
    expect(asked[0]?.[1].signal.reason).toBeInstanceOf(WaitedLongEnough);
  });

  test('was merely cancelled when the search had less time left than its reserve', async () => {
    const { rerank, answers, asked } = provider();
    answers({ afterMs: 5_000 });
    const reranker = createReranker({ rerank });
    const found = await search(reranker, { spentMs: 1_450 });
    expect(found).toMatchObject({ outcome: ['dropped', 'timeout'], elapsedMs: 50 });
    expect(asked[0]?.[1].signal.aborted).toBe(true);
    expect(asked[0]?.[1].signal.reason).not.toBeInstanceOf(WaitedLongEnough);
    expect((await search(reranker)).reserveMs).toBe(120);
  });
});

test('a short deadline says nothing about a reranker that usually needs longer', async () => {
  const { rerank, answers, asked } = provider();
  const reranker = createReranker({ rerank });
  answers({ afterMs: 400 });
  await search(reranker);
  const short = await search(reranker, { deadlineMs: 300 });
  expect(short).toMatchObject({ outcome: ['dropped', 'timeout'], reserveMs: 150 });
  expect(asked[1]?.[1].signal.reason).not.toBeInstanceOf(WaitedLongEnough);
  expect((await search(reranker)).reserveMs).toBe(480);
});

describe('the reserve', () => {
  test('follows the calls of the last searches', async () => {
    const { rerank, answers } = provider();
    const reranker = createReranker({ rerank });
    const reserves: number[] = [];
    for (const afterMs of [200, 10, 10, 900, 5_000]) {
      answers({ afterMs });
      reserves.push((await search(reranker)).reserveMs);
    }
    expect(reserves).toEqual([120, 240, 240, 240, 750]);
    answers({ afterMs: 20 });
    for (let n = 0; n < 100; n += 1) await search(reranker);
    expect((await search(reranker)).reserveMs).toBe(50);
  });

  test('does not learn from calls that were refused or kept back', async () => {
    const { rerank, answers } = provider();
    const reranker = createReranker({ rerank });
    answers({ afterMs: 400, failure: new ModelFailure('provider_upstream_error') });
    await search(reranker);
    expect((await search(reranker)).reserveMs).toBe(120);
  });

  test('is nothing without a deadline, and the call then ends by itself', async () => {
    const { rerank, answers } = provider();
    answers({ afterMs: 30_000 });
    const found = await search(createReranker({ rerank }), { deadlineEnabled: false });
    expect(found).toMatchObject({
      ids: TURNED,
      reserveMs: 0,
      elapsedMs: 30_000,
      budgetRemainingMs: null,
      outcome: ['completed', null],
    });
  });
});
