/** `GET /api/v1/operations/costs`: every key, for whom, and what moves it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { utcDay } from '../../domain/models/costs.ts';
import { closeWithoutErrors, dataOf, type Body, type Service } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';

const PATH = '/api/v1/operations/costs';

let stub: StubOpenAi;
let service: Service;
let boss: string;
let teller: string;

beforeAll(async () => {
  ({ service, stub } = await startStubbedService());
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
  teller = (await service.home.agent('teller')).token;
});
afterAll(() => closeWithoutErrors(service));

const get = (query = '', token = boss) => service.call({ path: `${PATH}${query}`, token });

async function costs(query = ''): Promise<Body> {
  const answer = await get(query);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return dataOf(answer);
}

const NO_TOKENS = { input: 0, output: 0, embedding: 0 };

/** Bytes of the rows about the work of the service, read row by row. */
async function operationalBytes(): Promise<number> {
  const tables = [
    'pipeline_runs',
    'provider_attempts',
    'gate_decisions',
    'lifecycle_events',
    'extraction_anchors',
    'dirty_marks',
    'idempotency_records',
  ];
  const account = '(select id from accounts where key = $1)';
  const [row] = await service.rows(
    `select (${tables
      .map(
        (table) =>
          `coalesce((select sum(pg_column_size(t)) from ${table} t where account_id = ${account}), 0)`,
      )
      .join(' + ')})::integer as bytes`,
    ['home'],
  );
  return Number(row?.['bytes']);
}

async function durableBytes(): Promise<number> {
  const [row] = await service.rows(
    `select (coalesce((select sum(octet_length(content)) from messages m where m.account_id = a.id), 0)
        + coalesce((select sum(octet_length(statement)) from knowledge k where k.account_id = a.id), 0)
        + coalesce((select sum(byte_size) from document_versions v where v.account_id = a.id), 0))::integer as bytes
     from accounts a where key = 'home'`,
  );
  return Number(row?.['bytes']);
}

describe('an account that did nothing yet', () => {
  test('has every key, and zeros', async () => {
    const today = utcDay(new Date());
    const shown = await costs();
    expect(shown).toEqual({
      account_id: expect.any(String),
      currency: 'USD',
      window: { from: expect.any(String), to: expect.any(String) },
      event_count: 0,
      api_requests: 0,
      ingests: 0,
      tokens: NO_TOKENS,
      tokens_by_role: {
        embedder: NO_TOKENS,
        reranker: NO_TOKENS,
        ingest_extractor: NO_TOKENS,
        dream_reasoner: NO_TOKENS,
        dialectic_agent: NO_TOKENS,
      },
      estimated_model_cost: 0,
      estimated_model_cost_usd_micros: 0,
      model_cost_profile: { id: 'planning-reference-v1', source: 'shipped' },
      unpriced_calls: 0,
      storage: {
        durable_bytes: 0,
        operational_bytes: 0,
        operational_to_durable_ratio: 0,
        'inverted?': false,
      },
      logical_storage_bytes: 0,
      operational_to_durable_ratio: 0,
      model_calls: {
        window_seconds: 86_400,
        attempts: 0,
        errors: 0,
        error_rate: 0,
        unmetered: 0,
        error_classes: {},
      },
      ingest_economics: {
        messages: 0,
        calls: 0,
        calls_per_message: null,
        tokens_per_message: null,
        cost_per_message: null,
        cost_per_message_usd_micros: null,
      },
      terminal_extraction_failures: 0,
      terminal_extraction_failure_classes: {},
      budgets: [],
      series_by: 'day',
      series: [],
      series_more: false,
    });
    expect([today, utcDay(new Date())]).toContain(Object(shown['window']).to);
  });
});

describe('an account at work', () => {
  beforeAll(async () => {
    await service.ingestAndWait(teller, { content: 'I live in Oslo. I own two boats.' });
    const again = { 'idempotency-key': 'once' };
    const said = { session_id: 's9', content: 'I own a red boat.' };
    await service.ingest(teller, said, again);
    await service.ingest(teller, said, again);
    await service.ingest(teller, { content: '' });
    stub.script({ kind: 'filtered' });
    await service.ingestAndWait(teller, { session_id: 's2', content: 'I own something odd.' });
    await service.quiet();
  });

  test('is counted: calls with their tokens and price, observations without repetitions, what failed for good', async () => {
    const shown = await costs();
    const [ledger] = await service.rows(
      `select count(*)::integer as calls, sum(input_tokens) filter (where metered)::integer as input,
         sum(output_tokens) filter (where metered)::integer as output,
         (count(*) filter (where not metered))::integer as unmetered
       from provider_attempts where role = 'ingest_extractor'`,
    );
    const [calls, input, output] = ['calls', 'input', 'output'].map((key) => Number(ledger?.[key]));
    expect(calls).toBeGreaterThan(2);
    const extractor = { input, output, embedding: 0 };
    const micros = Math.ceil(((input ?? 0) * 200_000 + (output ?? 0) * 800_000) / 1_000_000);
    expect(shown).toMatchObject({
      ingests: 3,
      tokens: { input, output },
      tokens_by_role: { ingest_extractor: extractor, reranker: NO_TOKENS },
      estimated_model_cost_usd_micros: micros,
      estimated_model_cost: micros / 1_000_000,
      ingest_economics: { messages: 3, calls },
      terminal_extraction_failures: 1,
      terminal_extraction_failure_classes: { provider_content_filtered: 1 },
      unpriced_calls: 0,
    });
    const { attempts, errors } = Object(shown['model_calls']);
    expect([attempts, errors]).toEqual([calls, 1]);
  });

  test('holds what its tables hold', async () => {
    const durable = await durableBytes();
    const shown = await costs();
    expect(durable).toBeGreaterThan(60);
    const {
      operational_bytes: operational,
      operational_to_durable_ratio: ratio,
      ...storage
    } = Object(shown['storage']);
    expect([shown['logical_storage_bytes'], storage.durable_bytes]).toEqual([durable, durable]);
    // A row that is read beside others is laid out otherwise by some bytes.
    const exact = await operationalBytes();
    expect(exact).toBeGreaterThan(2_000);
    expect(Math.abs(operational - exact) / exact).toBeLessThan(0.01);
    expect(ratio).toBe(Math.round((operational / durable) * 100) / 100);
    expect(shown['operational_to_durable_ratio']).toBe(ratio);
  });

  test('names its scopes in a series by scope, and its model in one by model', async () => {
    const byScope = await costs('?by=scope');
    expect(byScope['series']).toContainEqual(expect.objectContaining({ key: '/team', errors: 1 }));
    const byModel = await costs('?by=model');
    expect(byModel['series']).toContainEqual(
      expect.objectContaining({ key: 'openai-compatible:tiny' }),
    );
    expect((await costs('?by=role'))['series']).toContainEqual(
      expect.objectContaining({ key: 'ingest_extractor' }),
    );
    expect((await costs('?to=2020-01-31'))['series']).toEqual([]);
  });

  test('is another account', async () => {
    const stranger = await service.other.agent('boss', { role: 'account_admin' });
    expect(dataOf(await get('?by=scope', stranger.token))).toMatchObject({
      ingests: 0,
      series: [],
    });
  });
});

describe('a request', () => {
  test.each([
    ['?by=week', 'by'],
    ['?by=day&by=role', 'by'],
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?to=2026-1-1', 'to'],
    ['?from=2026-02-02&to=2026-02-01', 'from'],
    ['?from=2024-01-01&to=2026-02-01', 'from'],
  ])('with %s is 422', async (query, field) => {
    const answer = await get(query);
    expect([answer.status, Object(answer.json()).fields?.[0]?.path]).toEqual([422, field]);
  });

  test('of anybody but an administrator of the account is 403', async () => {
    expect((await get('', teller)).status).toBe(403);
    expect((await service.call({ path: PATH })).status).toBe(401);
  });
});
