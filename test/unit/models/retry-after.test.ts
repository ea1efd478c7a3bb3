/** When a provider asks to be tried again, in each form that the header has. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { NO_ROLES, REQUEST, callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stub.close());

test.each<[string | null, number | null]>([
  ['7', 7_000],
  ['0', 0],
  ['0.25', 250],
  ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  [null, null],
  ['', null],
  ['soon', null],
  ['-1', null],
  ['1e9', null],
  ['99999999999999', null],
  ['Fri, the next', null],
])('Retry-After %j is %j milliseconds', async (value, expected) => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  const headers = value === null ? {} : { 'retry-after': value };
  stub.script({ kind: 'status', status: 429, headers });
  const { ledger } = recordingLedger();
  const roles = { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) };
  const failure = await gatewayOf({ ledger, roles })
    .extract(REQUEST, callContext())
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModelFailure);
  expect(failure).toMatchObject({ errorClass: 'provider_rate_limited', retryAfterMs: expected });
});
