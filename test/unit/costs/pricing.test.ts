/** Prices, ratios and days of series. */
import { describe, expect, test } from '@jest/globals';
import { ingestEconomics, seriesRange, storageOf, usdOf } from '../../../domain/models/costs.ts';
import { priceOf, seriesOf, totalUsage, type DayUsage } from '../../../domain/models/pricing.ts';
import { parseCostRates } from '../../../domain/models/rates.ts';

const PROFILE = parseCostRates(
  JSON.stringify({
    id: 'ours',
    rates: { 'anthropic:*': { input: 1, output: 1, embedding: 1, reranker: 1 } },
  }),
);
const ROW: DayUsage = {
  day: '2026-11-01',
  role: 'ingest_extractor',
  provider: 'anthropic',
  model: 'm',
  calls: 1,
  errors: 0,
  unmetered: 0,
  input: 1,
  output: 0,
  embedding: 0,
  reranker: 0,
};

describe('a price', () => {
  test('is rounded up once for each key of a day', () => {
    const rows = [ROW, { ...ROW, day: '2026-11-02' }, { ...ROW, model: 'n', input: 2_000_000 }];
    expect(totalUsage(rows, PROFILE).usdMicros).toBe(4);
    const range = { from: '2026-11-01', to: '2026-11-30' };
    expect(seriesOf(rows, 'day', range, PROFILE).map(({ usd_micros: micros }) => micros)).toEqual([
      3, 1,
    ]);
    expect(seriesOf(rows, 'model', range, PROFILE).map(({ key }) => key)).toEqual([
      'anthropic:m',
      'anthropic:n',
    ]);
  });

  test('is exact where numbers with a fraction are not', () => {
    const tokens = { input: 9_007_199_254_740_991, output: 0, embedding: 0, reranker: 0 };
    const rates = { input: 999_999, output: 0, embedding: 0, reranker: 0 };
    expect(priceOf(tokens, rates)).toBe(9_007_190_247_541_737);
    expect(priceOf({ ...tokens, input: 0 }, rates)).toBe(0);
    expect(priceOf(tokens, null)).toBe(0);
  });

  test('counts what a reranker reports as input, at its own rate', () => {
    const profile = parseCostRates(
      JSON.stringify({
        id: 'a',
        rates: { 'anthropic:*': { input: 9_000_000, reranker: 1_000_000 } },
      }),
    );
    const total = totalUsage([{ ...ROW, role: 'reranker', input: 0, reranker: 5 }], profile);
    expect([total.tokens.input, total.usdMicros]).toEqual([5, 5]);
  });

  test('of a model without rates is 0, and its calls are counted', () => {
    const total = totalUsage([ROW, { ...ROW, provider: 'deterministic', calls: 7 }], PROFILE);
    expect([total.usdMicros, total.unpricedCalls, total.calls]).toEqual([1, 7, 8]);
  });
});

describe('the days of a series', () => {
  const now = new Date('2026-12-01T23:59:59Z');
  test.each([
    [{}, { from: '2026-11-02', to: '2026-12-01' }],
    [{ to: '2026-03-01' }, { from: '2026-01-31', to: '2026-03-01' }],
    [{ from: '2026-12-01' }, { from: '2026-12-01', to: '2026-12-01' }],
    [{ from: '2025-10-28' }, { from: '2025-10-28', to: '2026-12-01' }],
  ])('%j', (given, range) => {
    expect(seriesRange(given, now)).toEqual(range);
  });

  test.each([
    [{ from: '2026-12-02' }, 'from'],
    [{ from: '2026-02-01', to: '2026-01-01' }, 'from'],
    [{ from: '2025-10-27' }, 'from'],
    [{ from: '0000-01-01', to: '9999-12-31' }, 'from'],
    [{ to: '0000-01-01' }, 'to'],
  ])('%j is refused', (given, field) => {
    expect(seriesRange(given, now)).toMatchObject({ field });
  });
});

describe('ratios', () => {
  const extractor = { calls: 3, input: 10, output: 5, embedding: 0, usdMicros: 100 };

  test('are null without messages', () => {
    expect(ingestEconomics(0, extractor)).toEqual({
      messages: 0,
      calls: 3,
      calls_per_message: null,
      tokens_per_message: null,
      cost_per_message: null,
      cost_per_message_usd_micros: null,
    });
    expect(ingestEconomics(7, extractor)).toEqual({
      messages: 7,
      calls: 3,
      calls_per_message: 0.4286,
      tokens_per_message: 2.1429,
      cost_per_message: 0.000014,
      cost_per_message_usd_micros: 14,
    });
  });

  test.each([
    [0, 0, 0, false],
    [0, 1, null, true],
    [1, 0, 0, false],
    [300, 100, 0.33, false],
    [100, 100, 1, false],
    [100, 101, 1.01, true],
  ])('of %d durable and %d operational bytes', (durable, operational, ratio, inverted) => {
    expect(storageOf(durable, operational)).toEqual({
      durable_bytes: durable,
      operational_bytes: operational,
      operational_to_durable_ratio: ratio,
      'inverted?': inverted,
    });
  });

  test('USD have six decimals', () => {
    expect(usdOf(1_234_567)).toBe(1.234567);
  });
});
