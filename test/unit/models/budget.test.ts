/** What a budget means to one call: its price, and the deadline it is killed at. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { usdMicrosOf } from '../../../domain/models/budget.ts';
import { NO_USAGE } from '../../../domain/models/usage.ts';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import {
  CANDIDATE,
  NO_ROLES,
  REQUEST,
  callContext,
  gatewayOf,
  limitsByHand,
  remoteRole,
} from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

const RATES = { inputUsdMicrosPerMillion: 150_000, outputUsdMicrosPerMillion: 600_000 };

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());
afterEach(() => {
  jest.restoreAllMocks();
});

/** A gateway whose every call is governed by a budget with so much time left. */
function governed(leftMs: number, timeoutMs = HANGS_MS) {
  const recorded = recordingLedger(() => ({ ...RATES, leftMs }));
  const roles = { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl, { timeoutMs }) };
  return { rows: recorded.rows, gateway: gatewayOf({ ledger: recorded.ledger, roles }) };
}

describe('the price of a call', () => {
  const priceOf = (input: number, output: number, inputRate: number, outputRate: number) =>
    usdMicrosOf(
      { ...NO_USAGE, inputTokens: input, outputTokens: output },
      { inputUsdMicrosPerMillion: inputRate, outputUsdMicrosPerMillion: outputRate },
    );

  test('is in whole micro-USD, rounded up once for input and output together', () => {
    expect(priceOf(100, 20, 150_000, 600_000)).toBe(27);
    expect(priceOf(1, 0, 1, 0)).toBe(1);
    expect(priceOf(1, 1, 400_000, 400_000)).toBe(1);
    expect(priceOf(1_000_000, 0, 7, 0)).toBe(7);
    expect(priceOf(1_000_000, 500_000, 0, 0)).toBe(0);
    expect(usdMicrosOf(NO_USAGE, RATES)).toBe(0);
  });

  test('is never below the exact price, never a micro-USD above it, and exact past the safe range', () => {
    const tokens = fc.integer({ min: 0, max: 10_000_000 });
    const rate = fc.integer({ min: 0, max: 100_000_000 });
    fc.assert(
      fc.property(tokens, tokens, rate, rate, (input, output, inputRate, outputRate) => {
        const exact = BigInt(input) * BigInt(inputRate) + BigInt(output) * BigInt(outputRate);
        const price = BigInt(priceOf(input, output, inputRate, outputRate)) * 1_000_000n;
        expect(price >= exact && price - exact < 1_000_000n).toBe(true);
      }),
    );
  });

  test('of a call under a budget comes from its tokens and the rates it was reserved at', async () => {
    const { gateway, rows } = governed(HANGS_MS);
    await gateway.extract(REQUEST, callContext());
    expect(rows[0]?.outcome).toMatchObject({ inputTokens: 100, outputTokens: 20, usdMicros: 27 });
  });

  test('is unknown when the provider reported no tokens', async () => {
    const { gateway, rows } = governed(HANGS_MS);
    stub.script({ kind: 'unmetered' });
    await gateway.extract(REQUEST, callContext());
    expect(rows[0]?.outcome).toMatchObject({ metered: false, usdMicros: null });
  });
});

describe('a deadline', () => {
  test('kills the call: its row is a timeout of the exhausted budget, and its connection is closed', async () => {
    const limits = limitsByHand();
    const { gateway, rows } = governed(1_000);
    const [before, open] = [stub.abandoned(), stub.requests.length];
    stub.script({ kind: 'hang' });
    const call = gateway.extract(REQUEST, callContext());
    await eventually(() => stub.requests.length > open);
    limits.reach();
    await expect(call).rejects.toMatchObject({ errorClass: 'extraction_budget_exhausted' });
    expect(rows.map(({ outcome }) => outcome)).toMatchObject([
      {
        status: 'timeout',
        errorClass: 'extraction_budget_exhausted',
        metered: false,
        usdMicros: null,
      },
    ]);
    await eventually(() => stub.abandoned() > before);
  });

  test.each([
    ['the deadline', 500, 1_000, 'extraction_budget_exhausted'],
    ['the limit of the role', 1_000, 500, 'request_timeout'],
  ])('%s decides when it is the nearer one', async (_which, leftMs, timeoutMs, errorClass) => {
    const limits = limitsByHand();
    const { gateway, rows } = governed(leftMs, timeoutMs);
    const before = stub.requests.length;
    stub.script({ kind: 'hang' });
    const call = gateway.extract(REQUEST, callContext());
    await eventually(() => stub.requests.length > before);
    expect(limits.asked).toHaveLength(1);
    expect(limits.asked[0]).toBeLessThanOrEqual(500);
    limits.reach();
    await expect(call).rejects.toMatchObject({ errorClass });
    expect(rows[0]?.outcome).toMatchObject({ status: 'timeout', errorClass });
  });

  test('does not turn a cancellation into an exhausted budget', async () => {
    const { gateway, rows } = governed(HANGS_MS);
    const controller = new AbortController();
    const before = stub.requests.length;
    stub.script({ kind: 'hang' });
    const call = gateway.extract(REQUEST, callContext({ signal: controller.signal }));
    await eventually(() => stub.requests.length > before);
    controller.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
    expect(rows[0]?.outcome).toMatchObject({ status: 'cancelled', errorClass: null });
  });

  test('leaves the built-in provider its answer', async () => {
    const { ledger, rows } = recordingLedger(() => ({ ...RATES, leftMs: HANGS_MS }));
    const gateway = gatewayOf({
      ledger,
      roles: {
        ...NO_ROLES,
        ingest_extractor: {
          provider: 'deterministic',
          model: 'rules',
          modelVersion: '1',
          dimensions: null,
        },
      },
      deterministicExtract: () => [CANDIDATE],
    });
    expect((await gateway.extract(REQUEST, callContext())).candidates).toHaveLength(1);
    expect(rows[0]?.outcome).toMatchObject({ status: 'success', usdMicros: 0 });
  });
});
