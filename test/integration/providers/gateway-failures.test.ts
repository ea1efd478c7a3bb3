/** What each way an endpoint can behave means: the class that leaves, and the row that stays. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/models/error-class.ts';
import type { ErrorClass } from '../../../domain/models/error-class.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { eventually } from '../../support/patience.ts';
import {
  NO_ROLES,
  REQUEST,
  callContext,
  gatewayOf,
  limitsByHand,
  remoteRole,
} from '../../unit/models/fixtures.ts';
import { recordingLedger } from '../../unit/models/recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stub.close());

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const error = (code: string, message: string): unknown => ({ error: { code, message } });

const EXTRACTION_FAILURES: readonly [string, StubBehaviour, ErrorClass, 'error' | 'timeout'][] = [
  ['401', { kind: 'status', status: 401 }, 'credentials_rejected', 'error'],
  ['403', { kind: 'status', status: 403 }, 'credentials_rejected', 'error'],
  ['404', { kind: 'status', status: 404 }, 'model_not_found', 'error'],
  ['408', { kind: 'status', status: 408 }, 'request_timeout', 'timeout'],
  ['413', { kind: 'status', status: 413 }, 'source_too_large', 'error'],
  ['429', { kind: 'status', status: 429 }, 'provider_rate_limited', 'error'],
  ['500', { kind: 'status', status: 500 }, 'provider_upstream_error', 'error'],
  ['503', { kind: 'status', status: 503 }, 'provider_upstream_error', 'error'],
  ['529, overloaded', { kind: 'status', status: 529 }, 'provider_upstream_error', 'error'],
  [
    '400 about the response format',
    { kind: 'status', status: 400, body: error('bad', 'response_format is not supported') },
    'schema_not_enforced',
    'error',
  ],
  [
    '400 about the context length',
    { kind: 'status', status: 400, body: error('context_length_exceeded', 'too many') },
    'source_too_large',
    'error',
  ],
  [
    '400 about the model',
    { kind: 'status', status: 400, body: error('x', 'The model tiny:1b does not exist') },
    'model_not_found',
    'error',
  ],
  [
    '400 about a long prompt',
    { kind: 'status', status: 400, body: error('x', 'prompt is too long: 9 tokens > 8 maximum') },
    'source_too_large',
    'error',
  ],
  [
    '400 about an empty account',
    { kind: 'status', status: 400, body: error('x', 'Your credit balance is too low') },
    'credentials_rejected',
    'error',
  ],
  [
    '400 by a content filter',
    { kind: 'status', status: 400, body: error('content_filter', 'x') },
    'provider_content_filtered',
    'error',
  ],
  ['400 about anything else', { kind: 'status', status: 400 }, 'provider_upstream_error', 'error'],
  [
    'an upstream error inside a 200',
    { kind: 'status', status: 200, body: { error: { code: 429, message: 'slow down' } } },
    'provider_rate_limited',
    'error',
  ],
  [
    'a redirection',
    { kind: 'status', status: 307, headers: { location: '/v1/elsewhere' } },
    'provider_upstream_error',
    'error',
  ],
  ['a web page', { kind: 'html' }, 'provider_upstream_error', 'error'],
  ['a web page with 502', { kind: 'html', status: 502 }, 'provider_upstream_error', 'error'],
  ['JSON of another protocol', { kind: 'wrong_json' }, 'provider_upstream_error', 'error'],
  ['a body cut in the middle', { kind: 'cut' }, 'transport_error', 'error'],
  ['a reset connection', { kind: 'reset' }, 'transport_error', 'error'],
  ['a truncated answer', { kind: 'truncated' }, 'provider_output_truncated', 'error'],
  [
    'more bytes than the tokens of an answer can have',
    { kind: 'text', text: 'x'.repeat(1_048_576) },
    'provider_output_truncated',
    'error',
  ],
  ['a filtered answer', { kind: 'filtered' }, 'provider_content_filtered', 'error'],
  ['a refusal', { kind: 'refusal' }, 'provider_content_filtered', 'error'],
];

const PROVIDERS = ['openai-compatible', 'anthropic'] as const;

describe.each(PROVIDERS)('an extraction that an endpoint (%s) answers with', (provider) => {
  const LIMIT_MS = 45_000;

  async function expectFailure(
    behaviour: StubBehaviour,
    errorClass: ErrorClass,
    status: 'error' | 'timeout',
    meanwhile?: () => void,
  ): Promise<void> {
    const { ledger, rows } = recordingLedger();
    const before = stub.requests.length;
    stub.script(behaviour);
    const ingest_extractor = remoteRole(stub.baseUrl, { provider, timeoutMs: LIMIT_MS });
    const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, ingest_extractor } });
    const failing = failureOf(gateway.extract(REQUEST, callContext()));
    if (meanwhile !== undefined) {
      await eventually(() => stub.requests.length > before);
      meanwhile();
    }
    const failure = await failing;
    expect(failure).toBeInstanceOf(ModelFailure);
    expect(failure).toMatchObject({ errorClass, message: errorClass });
    expect(stub.requests.length - before).toBe(1);
    expect(rows.map((row) => row.states)).toEqual([['dispatched', status]]);
    expect(rows[0]?.outcome).toMatchObject({ status, errorClass, usdMicros: null });
    const printed = inspect(failure, { depth: 10 }) + JSON.stringify(rows);
    expect(printed).not.toContain('SECRET-PROVIDER-TEXT');
    expect(printed).not.toContain('Lisbon');
    expect(printed).not.toContain('sk-canary');
  }

  test.each(EXTRACTION_FAILURES)(
    '%s fails with its class after one request and one finished row',
    (_name, behaviour, errorClass, status) => expectFailure(behaviour, errorClass, status),
  );

  test.each<[string, StubBehaviour]>([
    ['silence', { kind: 'hang' }],
    ['an answer past the timeout', { kind: 'delay', ms: 200 }],
  ])('%s fails as request_timeout after one request and one finished row', async (_, behaviour) => {
    const limits = limitsByHand();
    await expectFailure(behaviour, 'request_timeout', 'timeout', () => limits.reach());
    expect(limits.asked).toEqual([LIMIT_MS]);
  });

  test('a refused connection fails as transport_error', async () => {
    const gone = await startStubOpenAi();
    await gone.close();
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({
      ledger,
      roles: { ...NO_ROLES, ingest_extractor: remoteRole(gone.baseUrl, { provider }) },
    });
    const failure = await failureOf(gateway.extract(REQUEST, callContext()));
    expect(failure).toMatchObject({ errorClass: 'transport_error' });
    expect(rows[0]?.outcome).toMatchObject({ status: 'error', metered: false });
  });

  test('a truncated answer is metered though it fails', async () => {
    const { ledger, rows } = recordingLedger();
    stub.script({ kind: 'truncated' });
    const gateway = gatewayOf({
      ledger,
      priceMicros: (_attempt, usage) => (usage.inputTokens ?? 0) * 2,
      roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl, { provider }) },
    });
    await failureOf(gateway.extract(REQUEST, callContext()));
    expect(rows[0]?.outcome).toMatchObject({
      metered: true,
      inputTokens: 100,
      outputTokens: 20,
      usdMicros: 200,
    });
  });
});

const EMBEDDING_FAILURES: readonly [string, StubBehaviour, ErrorClass][] = [
  [
    'vectors of another width',
    { kind: 'vectors', vectors: [[1, 2, 3]] },
    'embedding_width_mismatch',
  ],
  ['too few vectors', { kind: 'vectors', vectors: [] }, 'provider_upstream_error'],
  ['401', { kind: 'status', status: 401 }, 'credentials_rejected'],
  ['a web page', { kind: 'html' }, 'provider_upstream_error'],
];

describe('an embedding that the endpoint answers with', () => {
  test.each(EMBEDDING_FAILURES)('%s fails with its class', async (_name, behaviour, errorClass) => {
    const { ledger, rows } = recordingLedger();
    stub.script(behaviour);
    const embedder = remoteRole(stub.baseUrl, { dimensions: 8 });
    const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, embedder } });
    const failure = await failureOf(gateway.embed(['one text'], callContext()));
    expect(failure).toMatchObject({ name: 'ModelFailure', errorClass });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.outcome?.errorClass).toBe(errorClass);
  });

  test('silence fails when the real clock says that it is over', async () => {
    const { ledger, rows } = recordingLedger();
    const own = await startStubOpenAi();
    own.script({ kind: 'hang' });
    const embedder = remoteRole(own.baseUrl, { dimensions: 8, timeoutMs: 300 });
    const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, embedder } });
    const failure = await failureOf(gateway.embed(['one text'], callContext()));
    expect(failure).toMatchObject({ name: 'ModelFailure', errorClass: 'request_timeout' });
    expect(rows.map((row) => row.outcome?.errorClass)).toEqual(['request_timeout']);
    await own.close();
  });
});
