/**
 * What leaves the process of a call that fails: its class, one finished row, and none of the endpoint's words. What
 * each behaviour means for an observation: `behaviours.ts`.
 */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { ErrorClass } from '../../../domain/error-class.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import {
  NO_ROLES,
  REQUEST,
  callContext,
  gatewayOf,
  remoteRole,
} from '../../unit/models/fixtures.ts';
import { recordingLedger } from '../../unit/models/recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
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

const FAILURES: readonly (readonly [string, StubBehaviour, ErrorClass])[] = [
  ['401', { kind: 'status', status: 401 }, 'credentials_rejected'],
  [
    '400 with a code about the context length',
    { kind: 'status', status: 400, body: error('context_length_exceeded', 'too many') },
    'source_too_large',
  ],
  [
    '400 with a code about a content filter',
    { kind: 'status', status: 400, body: error('content_filter', 'x') },
    'provider_content_filtered',
  ],
  ['a web page with 502', { kind: 'html', status: 502 }, 'provider_upstream_error'],
  ['JSON of another protocol', { kind: 'wrong_json' }, 'provider_upstream_error'],
  [
    'more bytes than the tokens of an answer can have',
    { kind: 'text', text: 'x'.repeat(1_048_576) },
    'provider_output_truncated',
  ],
  ['a refusal', { kind: 'refusal' }, 'provider_content_filtered'],
];

const PROVIDERS = ['openai-compatible', 'anthropic'] as const;

describe.each(PROVIDERS)('an extraction that an endpoint (%s) answers with', (provider) => {
  test.each(FAILURES)(
    '%s fails with its class after one request and one finished row',
    async (_name, behaviour, errorClass) => {
      const { ledger, rows } = recordingLedger();
      const before = stub.requests.length;
      stub.script(behaviour);
      const ingest_extractor = remoteRole(stub.baseUrl, { provider });
      const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, ingest_extractor } });
      const failure = await failureOf(gateway.extract(REQUEST, callContext()));
      expect(failure).toBeInstanceOf(ModelFailure);
      expect(failure).toMatchObject({ errorClass, message: errorClass });
      expect(stub.requests.length - before).toBe(1);
      expect(rows.map((row) => row.states)).toEqual([['dispatched', 'error']]);
      expect(rows[0]?.outcome).toMatchObject({ status: 'error', errorClass, usdMicros: null });
      const printed = inspect(failure, { depth: 10 }) + JSON.stringify(rows);
      expect(printed).not.toContain('SECRET-PROVIDER-TEXT');
      expect(printed).not.toContain('Lisbon');
      expect(printed).not.toContain('sk-canary');
    },
  );
});
