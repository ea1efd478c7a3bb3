/** The gateway's bookkeeping: rows before calls, cancellation, the semaphore, providers by role. */
import { PROMPT_VERSION } from '../../../engine/extraction/model/prompt.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { AttemptReservation } from '../../../domain/models/ledger.ts';
import { vectorSpaceKey } from '../../../domain/models/vector-space.ts';
import type { StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { eventually } from '../../support/patience.ts';
import { ANCHOR_ID, NO_ROLES, REQUEST, callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());

const extractor = () => ({ ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) });
const embedder = () => ({
  ...NO_ROLES,
  embedder: remoteRole(stub.baseUrl, { dimensions: 8 }),
});
const BUILT_IN = {
  ...NO_ROLES,
  ingest_extractor: {
    provider: 'deterministic',
    model: 'rules',
    modelVersion: '1',
    dimensions: null,
  },
  embedder: {
    provider: 'deterministic',
    model: 'hashed-ngrams',
    modelVersion: '1',
    dimensions: 384,
  },
} as const;

describe('extraction through an endpoint', () => {
  test('an answer becomes graded candidates, with identity, usage and a metered row', async () => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({ ledger, roles: extractor(), priceMicros: () => 17 });
    const origin = { runId: 'run-1', batchId: 'batch-1', traceId: 'trace-1' };
    const result = await gateway.extract(REQUEST, callContext(origin));

    expect(result.candidates.map((candidate) => candidate.supportingSpan)).toEqual([
      'I live in Lisbon.',
      'I own a red kayak.',
    ]);
    expect(result.candidates[0]).toMatchObject({
      confidence: 1,
      evidenceLevel: 'direct',
      sourceMessageIds: [ANCHOR_ID],
    });
    expect(result.identity).toEqual({
      provider: 'openai-compatible',
      model: 'tiny:1b',
      modelVersion: '7',
      promptVersion: PROMPT_VERSION,
      pipelineVersion: 'f5-1',
    });
    expect(result).toMatchObject({ attempts: 1, rejected: 0, usage: { inputTokens: 100 } });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.attempt).toMatchObject({
      ...origin,
      role: 'ingest_extractor',
      identity: { provider: 'openai-compatible', model: 'tiny:1b', modelVersion: '7' },
      anchorMessageIds: [ANCHOR_ID],
      repairIndex: 0,
      dispatch: true,
    });
    expect(rows[0]?.attempt.worstCase.outputTokens).toBe(8_192);
    expect(rows[0]?.attempt.worstCase.inputTokens).toBeGreaterThan(1_000);
    expect(rows[0]?.outcome).toMatchObject({
      status: 'success',
      errorClass: null,
      metered: true,
      inputTokens: 100,
      outputTokens: 20,
      embeddingTokens: null,
      usdMicros: 17,
    });
  });

  test('the row exists before the request is sent', async () => {
    const { ledger } = recordingLedger();
    const before = stub.requests.length;
    const seen: number[] = [];
    const gateway = gatewayOf({
      ledger: {
        ...ledger,
        reserve: async (attempt: AttemptReservation) => {
          seen.push(stub.requests.length - before);
          return ledger.reserve(attempt);
        },
      },
      roles: extractor(),
    });
    await gateway.extract(REQUEST, callContext());
    expect(seen).toEqual([0]);
    expect(stub.requests.length - before).toBe(1);
  });

  test('the request carries the key, a strict schema and the content as JSON strings', async () => {
    const { ledger } = recordingLedger();
    await gatewayOf({ ledger, roles: extractor() }).extract(REQUEST, callContext());
    const request = stub.requests.at(-1);
    expect(request?.authorization).toBe('Bearer sk-canary-key');
    expect(request?.body).toMatchObject({
      model: 'tiny:1b',
      max_tokens: 8_192,
      response_format: { type: 'json_schema', json_schema: { name: 'answers', strict: true } },
    });
    expect(Object.keys(request?.body ?? {})).not.toContain('temperature');
  });

  test('a role that reserves first is dispatched in a second step', async () => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({ ledger, roles: extractor(), reservesFirst: () => true });
    await gateway.extract(REQUEST, callContext());
    expect(rows.map((row) => row.states)).toEqual([['reserved', 'dispatched', 'success']]);
  });

  test('a refused reservation makes no request', async () => {
    const before = stub.requests.length;
    const { ledger, rows } = recordingLedger(() => {
      throw new ModelFailure('extraction_budget_exhausted');
    });
    const gateway = gatewayOf({ ledger, roles: extractor() });
    await expect(gateway.extract(REQUEST, callContext())).rejects.toMatchObject({
      errorClass: 'extraction_budget_exhausted',
    });
    expect(rows).toEqual([]);
    expect(stub.requests.length).toBe(before);
  });
});

describe('cancellation', () => {
  test('a cancelled call closes its connection and its row, and rejects with the reason', async () => {
    const { ledger, rows } = recordingLedger();
    const controller = new AbortController();
    const before = stub.requests.length;
    const abandoned = stub.abandoned();
    stub.script({ kind: 'hang' });
    const work = gatewayOf({ ledger, roles: extractor() }).extract(
      REQUEST,
      callContext({ signal: controller.signal }),
    );
    const outcome = expect(work).rejects.toThrow('shutting down');
    await eventually(() => stub.requests.length > before);
    controller.abort(new Error('shutting down'));
    await outcome;
    expect(rows.map((row) => row.states)).toEqual([['dispatched', 'cancelled']]);
    expect(rows[0]?.outcome?.errorClass).toBeNull();
    await eventually(() => stub.abandoned() > abandoned);
  });

  test('a call cancelled before it starts leaves no row', async () => {
    const { ledger, rows } = recordingLedger();
    const signal = AbortSignal.abort(new Error('gone'));
    const gateway = gatewayOf({ ledger, roles: extractor() });
    await expect(gateway.extract(REQUEST, callContext({ signal }))).rejects.toThrow('gone');
    expect(rows).toEqual([]);
  });

  test('a call cancelled while it waits for a slot leaves no row and makes no request', async () => {
    const { ledger, rows } = recordingLedger();
    const controller = new AbortController();
    const before = stub.requests.length;
    stub.script({ kind: 'delay', ms: 150 });
    const gateway = gatewayOf({ ledger, roles: extractor(), concurrentCalls: 1 });
    const first = gateway.extract(REQUEST, callContext());
    await eventually(() => stub.requests.length > before);
    const waiting = gateway.extract(REQUEST, callContext({ signal: controller.signal }));
    const outcome = expect(waiting).rejects.toThrow('stopped');
    controller.abort(new Error('stopped'));
    await outcome;
    await first;
    await gateway.extract(REQUEST, callContext());
    expect(rows.map((row) => row.outcome?.status)).toEqual(['success', 'success']);
    expect(stub.requests.length - before).toBe(2);
  });
});

test('no more requests are open at a time than the semaphore has slots', async () => {
  const own = await startStubOpenAi();
  const full = Promise.withResolvers<void>();
  own.script(...Array.from({ length: 9 }, () => ({ kind: 'held', until: full.promise }) as const));
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(own.baseUrl) },
    concurrentCalls: 3,
  });
  const calls = Array.from({ length: 9 }, () => gateway.extract(REQUEST, callContext()));
  await eventually(() => own.open() === 3);
  full.resolve();
  await Promise.all(calls);
  expect(own.peak()).toBe(3);
  expect(rows).toHaveLength(9);
  await own.close();
});

describe('the built-in provider', () => {
  test('extraction goes through the ledger, metered at nothing', async () => {
    const { ledger, rows } = recordingLedger();
    const result = await gatewayOf({ ledger, roles: BUILT_IN }).extract(REQUEST, callContext());
    expect(result.candidates).toHaveLength(1);
    expect(result.candidates[0]).toMatchObject({ evidenceLevel: 'direct', confidence: 1 });
    expect(result.identity).toMatchObject({ provider: 'deterministic', promptVersion: 'none' });
    expect(rows[0]?.attempt.identity.provider).toBe('deterministic');
    expect(rows[0]?.outcome).toMatchObject({
      status: 'success',
      metered: true,
      inputTokens: 0,
      outputTokens: 0,
    });
  });

  test('embedding has no row in the ledger', async () => {
    const { ledger, rows } = recordingLedger();
    const result = await gatewayOf({ ledger, roles: BUILT_IN }).embed(['a', 'bc'], callContext());
    expect(result.vectors.map((vector) => vector[0])).toEqual([1, 2]);
    expect(vectorSpaceKey(result.space)).toMatch(/^hashed-ngrams_384_[0-9a-f]{16}$/);
    expect(rows).toEqual([]);
  });

  test('a defect in it is an internal_error row and keeps its cause in process', async () => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({
      ledger,
      roles: BUILT_IN,
      deterministicExtract: () => {
        throw new RangeError('broken');
      },
    });
    await expect(gateway.extract(REQUEST, callContext())).rejects.toMatchObject({
      errorClass: 'internal_error',
      cause: { message: 'broken' },
    });
    expect(rows[0]?.outcome).toMatchObject({ status: 'error', errorClass: 'internal_error' });
  });
});

describe('embedding through an endpoint', () => {
  test('many texts are sent in bounded requests, a row each, and keep their order', async () => {
    const { ledger, rows } = recordingLedger();
    const texts = Array.from({ length: 70 }, (_, index) => `text number ${index}`);
    const gateway = gatewayOf({ ledger, roles: embedder() });
    const all = await gateway.embed(texts, callContext());
    expect(rows.map((row) => row.outcome?.embeddingTokens)).toEqual([96, 96, 18]);
    expect(all.usage.embeddingTokens).toBe(210);
    const [last] = (await gateway.embed(texts.slice(-1), callContext())).vectors;
    expect(all.vectors.at(-1)).toEqual(last);
  });

  test('no texts make no row', async () => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({ ledger, roles: embedder() });
    expect((await gateway.embed([], callContext())).vectors).toEqual([]);
    expect(rows).toEqual([]);
  });
});

describe('a role set to none', () => {
  test('fails as model_not_configured without a row', async () => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({ ledger });
    const expected = { errorClass: 'model_not_configured' };
    await expect(gateway.extract(REQUEST, callContext())).rejects.toMatchObject(expected);
    await expect(gateway.embed(['a'], callContext())).rejects.toMatchObject(expected);
    expect(() => gateway.generation('dialectic_agent', callContext())).toThrow(
      'model_not_configured',
    );
    expect(rows).toEqual([]);
  });
});

test('another role is asked for plain text under its own row', async () => {
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, dialectic_agent: remoteRole(stub.baseUrl) },
  });
  stub.script({ kind: 'text', text: 'Lisbon, it seems.' });
  const answer = await gateway.generation('dialectic_agent', callContext()).ask(
    {
      instructions: 'Answer.',
      messages: [{ role: 'user', content: 'Where?' }],
      object: null,
      promptVersion: 'p-1',
      repairIndex: 0,
    },
    (text) => ({ value: text, errorClass: text === '' ? 'missing_text_response' : null }),
  );
  expect(answer.value).toBe('Lisbon, it seems.');
  expect(rows[0]?.attempt).toMatchObject({ role: 'dialectic_agent', promptVersion: 'p-1' });
  expect(stub.requests.at(-1)?.body).not.toHaveProperty('response_format');
});

test('the description names provider, model and version and nothing secret', () => {
  const { ledger } = recordingLedger();
  const description = gatewayOf({ ledger, roles: extractor() }).describe();
  expect(description.ingest_extractor).toEqual({
    provider: 'openai-compatible',
    model: 'tiny:1b',
    version: '7',
    dimensions: null,
  });
  expect(description.embedder).toMatchObject({ provider: 'none', model: null });
  expect(JSON.stringify(description)).not.toContain('canary');
});
