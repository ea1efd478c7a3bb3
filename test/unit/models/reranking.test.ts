/** The reranker's calls: what is sent, what is believed, what the ledger says of it. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ModelFailure, type ErrorClass } from '../../../domain/error-class.ts';
import { WaitedLongEnough } from '../../../engine/models/attempt.ts';
import { eventually } from '../../support/patience.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { NO_ROLES, callContext, gatewayOf, limitsByHand, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const ASKED = {
  query: 'where does Ana live',
  documents: ['Ana lives in Porto.', 'Ana has a cat.'],
};

let stub: StubOpenAi;
beforeEach(async () => {
  stub = await startStubOpenAi();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stub.close();
});

function reranking() {
  const { ledger, rows } = recordingLedger();
  const roles = { ...NO_ROLES, reranker: remoteRole(stub.baseUrl) };
  return { gateway: gatewayOf({ ledger, roles }), rows };
}

describe('a reranking', () => {
  test('is one request in the common form, with one metered row', async () => {
    const { gateway, rows } = reranking();
    const answer = await gateway.rerank(ASKED, callContext({ anchorMessageIds: [] }));
    expect(answer.judgements).toEqual([
      { index: 0, score: 0 },
      { index: 1, score: 1 },
    ]);
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]).toMatchObject({
      path: '/v1/rerank',
      authorization: 'Bearer sk-canary-key',
      body: { model: 'tiny:1b', ...ASKED, top_n: 2 },
    });
    expect(Object.keys(stub.requests[0]?.body ?? {})).toHaveLength(4);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.attempt).toMatchObject({
      role: 'reranker',
      identity: { provider: 'openai-compatible', model: 'tiny:1b', modelVersion: '7' },
      anchorMessageIds: [],
      promptVersion: null,
      pipelineVersion: null,
      worstCase: { inputTokens: 2 * 19 + 19 + 14, outputTokens: 0, embeddingTokens: 0 },
    });
    expect(rows[0]?.outcome).toMatchObject({
      status: 'success',
      metered: true,
      inputTokens: 0,
      outputTokens: 0,
      rerankerTokens: 10,
    });
  });

  test('keeps no word of what was asked or answered in its row', async () => {
    const { gateway, rows } = reranking();
    stub.script({ kind: 'rankings', answer: [{ index: 0, score: 1, document: 'SECRET-TEXT' }] });
    await gateway.rerank(ASKED, callContext());
    expect(JSON.stringify(rows)).not.toMatch(/Ana|Porto|SECRET/);
  });

  test('shows the provider masks', async () => {
    const { gateway } = reranking();
    const documents = [`Ana uses ${TOKEN}.`, 'Ana has a cat.'];
    await gateway.rerank({ query: `who uses ${TOKEN}`, documents }, callContext());
    expect(stub.requests[0]?.body).toMatchObject({
      query: 'who uses [secret]',
      documents: ['Ana uses [secret].', 'Ana has a cat.'],
    });
  });

  test('of nothing makes no call', async () => {
    const { gateway, rows } = reranking();
    const { judgements } = await gateway.rerank({ query: 'x', documents: [] }, callContext());
    expect(judgements).toEqual([]);
    expect([stub.requests, rows]).toEqual([[], []]);
  });

  test('without a provider fails, without a row', async () => {
    const { ledger, rows } = recordingLedger();
    const asked = gatewayOf({ ledger }).rerank(ASKED, callContext());
    await expect(asked).rejects.toEqual(new ModelFailure('model_not_configured'));
    expect(rows).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a list alone', [{ index: 1, score: 0.5 }]],
    ['results', { results: [{ index: 1, relevance_score: 0.5, document: { text: 'x' } }] }],
  ])('reads %s, and is not metered without a report', async (_, answer) => {
    const { gateway, rows } = reranking();
    stub.script({ kind: 'rankings', answer });
    expect((await gateway.rerank(ASKED, callContext())).judgements).toEqual([
      { index: 1, score: 0.5 },
    ]);
    expect(rows[0]?.outcome).toMatchObject({ status: 'success', metered: false });
  });

  test.each([[-1], [1e300], ['10'], [null], [{}]])(
    'takes %j for no report of tokens',
    async (total_tokens) => {
      const { gateway, rows } = reranking();
      const results = [{ index: 0, score: 1 }];
      stub.script({ kind: 'rankings', answer: { results, usage: { total_tokens } } });
      await gateway.rerank(ASKED, callContext());
      expect(rows[0]?.outcome).toMatchObject({ metered: false, rerankerTokens: null });
    },
  );

  test.each<[string, unknown]>([
    ['another protocol', { choices: [] }],
    ['a list of other things', [1, 2]],
    ['a document twice', [0, 0].map((index) => ({ index, score: 1 }))],
    ['a document that was not sent', [{ index: 2, score: 1 }]],
    ['a hundred thousand rankings', Array.from({ length: 100_000 }, (_, index) => index)],
    ['a text', 'no'],
  ])('that answers %s is judged by nobody, and its row says so', async (_, answer) => {
    const { gateway, rows } = reranking();
    stub.script({ kind: 'rankings', answer });
    expect((await gateway.rerank(ASKED, callContext())).judgements).toBeNull();
    expect(rows[0]?.outcome).toMatchObject({
      status: 'error',
      errorClass: 'structured_validation_failed',
    });
  });
});

const status = (code: number, body?: unknown): StubBehaviour => ({
  kind: 'status',
  status: code,
  ...(body === undefined ? {} : { body }),
});

test.each<[string, StubBehaviour, ErrorClass]>([
  ['401', status(401), 'credentials_rejected'],
  ['404', status(404), 'model_not_found'],
  ['429', status(429), 'provider_rate_limited'],
  ['429 inside a 200', status(200, { error: { code: 429 } }), 'provider_rate_limited'],
  ['500', status(500), 'provider_upstream_error'],
  [
    'a redirection',
    { ...status(307), headers: { location: '/v1/x' } } as StubBehaviour,
    'provider_upstream_error',
  ],
  ['a web page', { kind: 'html' }, 'provider_upstream_error'],
  ['a cut body', { kind: 'cut' }, 'transport_error'],
  ['a reset connection', { kind: 'reset' }, 'transport_error'],
  [
    'two mebibytes',
    { kind: 'rankings', answer: ['x'.repeat(2_097_152)] },
    'provider_output_truncated',
  ],
])('an endpoint that gives %s fails as %s says', async (_, behaviour, errorClass) => {
  const { gateway, rows } = reranking();
  stub.script(behaviour);
  const failure: unknown = await gateway.rerank(ASKED, callContext()).catch((error) => error);
  expect(failure).toEqual(new ModelFailure(errorClass));
  expect(Object(failure).cause).toBeUndefined();
  expect(stub.requests).toHaveLength(1);
  expect(rows[0]?.outcome).toMatchObject({ status: 'error', errorClass });
});

describe('a request that does not end', () => {
  test.each(['hang', 'drip'] as const)('is ended by the limit of its role (%s)', async (kind) => {
    const { gateway, rows } = reranking();
    const limits = limitsByHand();
    stub.script({ kind });
    const asked = gateway.rerank(ASKED, callContext()).catch((error: unknown) => error);
    await eventually(() => stub.open() === 1);
    limits.reach();
    expect(await asked).toEqual(new ModelFailure('request_timeout'));
    expect(rows[0]?.outcome).toMatchObject({ status: 'timeout', errorClass: 'request_timeout' });
    await eventually(() => stub.abandoned() === 1);
  });

  test.each([
    ['was too slow for a caller that waited long enough', new WaitedLongEnough(), 'timeout'],
    ['was cancelled by a caller that left', new Error('gone'), 'cancelled'],
  ])('%s', async (_, reason, state) => {
    const { gateway, rows } = reranking();
    stub.script({ kind: 'drip' });
    const caller = new AbortController();
    const call = callContext({ signal: caller.signal });
    const asked = gateway.rerank(ASKED, call).catch((error: unknown) => error);
    await eventually(() => stub.open() === 1);
    caller.abort(reason);
    const failure = await asked;
    expect(rows[0]?.outcome?.status).toBe(state);
    expect(failure).toEqual(state === 'timeout' ? new ModelFailure('request_timeout') : reason);
    await eventually(() => stub.abandoned() === 1);
  });

  test('was not begun for a caller that waited long enough for a row: no provider is to blame', async () => {
    const { ledger } = recordingLedger();
    const caller = new AbortController();
    const outcomes: unknown[] = [];
    const gateway = gatewayOf({
      roles: { ...NO_ROLES, reranker: remoteRole(stub.baseUrl) },
      ledger: {
        ...ledger,
        reserve: async (attempt) => {
          caller.abort(new WaitedLongEnough());
          return ledger.reserve(attempt);
        },
        finish: async (_, outcome) => void outcomes.push(outcome.status),
      },
    });
    const asked = gateway.rerank(ASKED, callContext({ signal: caller.signal }));
    await expect(asked).rejects.toBeInstanceOf(WaitedLongEnough);
    expect(outcomes).toEqual(['cancelled']);
    expect(stub.requests).toEqual([]);
  });
});
