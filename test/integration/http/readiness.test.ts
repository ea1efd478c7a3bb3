/** The readiness report over answers and failures of its components. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { SWEEP_KINDS } from '../../../domain/governance/sweeps.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { execute } from '../../../operations/execute.ts';
import type { ReadinessSources } from '../../../operations/environment/readiness-sources.ts';
import { readHealth } from '../../../operations/health/read-health.ts';
import type { LastSweeps } from '../../../stores/postgres/readiness.store.ts';
import {
  contextOf,
  ofAllKinds,
  refused,
  report,
  ROLES,
  silent,
  sweeps,
} from './readiness-scene.ts';

afterEach(() => void jest.useRealTimers());

describe('a healthy service', () => {
  test('is ready, names every check and has never swept', async () => {
    const { status, app, version, checks, governance } = await report();
    expect([status, app, version]).toEqual(['ready', 'vouch', 'f10-1']);
    expect(Object.keys(checks).sort()).toEqual([
      'database',
      'embedding_index',
      'job_queue',
      'lifecycle_sweeps',
      'model_calls',
      'model_roles',
      'pipeline_runs',
      'queues',
      'retention',
      'search_index',
    ]);
    expect(checks.lifecycle_sweeps).toEqual({
      status: 'ok',
      last_completed_at: ofAllKinds('never'),
      failed_accounts: 0,
      set_aside: 0,
    });
    expect(Object.keys(checks.model_roles.configured).sort()).toEqual([...MODEL_ROLES].sort());
    expect(checks.embedding_index).toEqual({
      status: 'ok',
      provider: 'deterministic',
      model: 'hashed-ngrams',
      version: '1',
      configured_dimensions: 384,
      indexed_dimensions: [384],
      index_state: 'ready',
      answered_dimensions: null,
    });
    expect(governance).toEqual({
      status: 'ok',
      unattended: false,
      pending_human_reviews: 0,
      restricted_withheld: 0,
    });
  });

  test('health names its pipeline version and asks no other service', async () => {
    const asked = new Proxy<Partial<ReadinessSources>>(
      {},
      {
        get: () => {
          throw new Error('health asked a service');
        },
      },
    );
    expect(await execute(readHealth, contextOf(asked as ReadinessSources), {})).toEqual({
      status: 'ok',
      app: 'vouch',
      version: 'f5-1',
      campaign_admission: { active: false, status: 'inactive' },
    });
  });
});

describe('the sweeps', () => {
  const checked = async (last: LastSweeps) => {
    const { checks, status } = await report({ lastSweeps: async () => last });
    return { status, sweeps: checks.lifecycle_sweeps };
  };
  const at = '2026-11-24T09:00:00.000Z';

  test('are in order for ten minutes after the last one that was completed, and then an error', async () => {
    expect(await checked(sweeps(at, 600))).toMatchObject({
      status: 'ready',
      sweeps: { status: 'ok', last_completed_at: ofAllKinds(at) },
    });
    expect(await checked(sweeps(at, 601))).toMatchObject({
      status: 'not_ready',
      sweeps: { status: 'error', error_class: 'request_timeout' },
    });
  });

  test('that were never completed are an error once the deployment is older than ten minutes', async () => {
    expect((await checked(sweeps(null, 600))).status).toBe('ready');
    expect(await checked(sweeps(null, 601))).toMatchObject({
      status: 'not_ready',
      sweeps: { status: 'error', last_completed_at: { expiry: 'never' } },
    });
  });

  test('are an error when one kind alone is late', async () => {
    const all = sweeps(at, 1);
    const late = { completedAt: at, waitedSeconds: 601 };
    for (const kind of SWEEP_KINDS) {
      const passes = { ...all.passes, [kind]: late };
      expect((await checked({ ...all, passes })).status).toBe('not_ready');
    }
  });

  test('tell of accounts and statements that failed, and are in order', async () => {
    const last = { ...sweeps(at, 1), failedAccounts: 1, setAside: 3 };
    expect(await checked(last)).toMatchObject({
      status: 'ready',
      sweeps: { status: 'ok', failed_accounts: 1, set_aside: 3 },
    });
  });
});

describe('a failing component', () => {
  test.each([
    ['database', 'database'],
    ['jobQueue', 'job_queue'],
    ['qdrant', 'search_index'],
    ['meilisearch', 'search_index'],
    ['anchors', 'queues'],
    ['marks', 'queues'],
    ['runs', 'pipeline_runs'],
    ['lastSweeps', 'lifecycle_sweeps'],
    ['vectorIndexes', 'embedding_index'],
  ] as const)('%s away makes %s an error and the service not ready', async (member, check) => {
    const { status, checks } = await report({ [member]: refused });
    expect(status).toBe('not_ready');
    expect(checks[check]).toMatchObject({ status: 'error', error_class: 'transport_error' });
  });

  test('is reported by its error class only', async () => {
    expect(JSON.stringify(await report({ database: refused }))).not.toContain('secret');
  });

  test('that never answers is request_timeout after two seconds, also when several are silent', async () => {
    jest.useFakeTimers();
    const asked = report({
      database: silent,
      jobQueue: silent,
      anchors: silent,
      attempts: silent,
    });
    let answered = false;
    void asked.then(() => (answered = true));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(answered).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toBe(true);
    const { checks } = await asked;
    expect(checks.database).toEqual({ status: 'error', error_class: 'request_timeout' });
    expect(checks.queues).toMatchObject({ error_class: 'request_timeout', depths: {} });
  });

  test.each([
    ['away', null, 'transport_error'],
    ['timeout', null, 'request_timeout'],
    ['refused', '401', 'credentials_rejected'],
    ['refused', 'invalid_api_key', 'credentials_rejected'],
    ['refused', '500', 'internal_error'],
  ] as const)('an index that is %s (%s) shows as %s', async (reason, code, errorClass) => {
    const { checks } = await report({
      qdrant: async () => {
        throw new IndexFailure('qdrant', reason, code);
      },
    });
    expect(checks.search_index.qdrant).toEqual({ status: 'error', error_class: errorClass });
  });

  test('that fails by a defect is internal_error', async () => {
    const { checks } = await report({
      meilisearch: async () => {
        throw new TypeError('x');
      },
    });
    expect(checks.search_index).toEqual({
      status: 'error',
      error_class: 'internal_error',
      meilisearch: { status: 'error', error_class: 'internal_error' },
      qdrant: { status: 'ok' },
    });
  });

  test('that is only informative does not change the status', async () => {
    const { status, checks, governance } = await report({ attempts: refused, governance: refused });
    expect(status).toBe('ready');
    expect(checks.model_calls).toMatchObject({ status: 'error', attempts: null });
    expect(governance).toMatchObject({ status: 'error', pending_human_reviews: null });
  });
});

describe('models', () => {
  test('without an extractor the service is not ready', async () => {
    const { status, checks } = await report({
      modelRoles: () => ({ ...ROLES, ingest_extractor: { provider: 'none' } }),
    });
    expect(status).toBe('not_ready');
    expect(checks.model_roles).toMatchObject({
      status: 'error',
      error_class: 'model_not_configured',
    });
  });

  test.each([
    ['being filled', [{ configured: true, dimensions: 384, ready: false }], 'building'],
    ['not there', [{ configured: false, dimensions: 384 }], 'missing'],
  ])('the index of the embedder that is %s makes it not ready', async (_, installed, state) => {
    const { status, checks } = await report({ vectorIndexes: async () => installed });
    expect(status).toBe('not_ready');
    expect(checks.embedding_index).toMatchObject({
      status: 'error',
      error_class: 'embedding_width_mismatch',
      index_state: state,
      indexed_dimensions: [384],
    });
  });

  test('an embedder that answered another width than is configured makes it not ready, until it answers the right one', async () => {
    const wrong = await report({ answeredDimensions: () => 768 });
    expect(wrong.status).toBe('not_ready');
    expect(wrong.checks.embedding_index).toMatchObject({
      error_class: 'embedding_width_mismatch',
      index_state: 'ready',
      answered_dimensions: 768,
    });
    const right = await report({ answeredDimensions: () => 384 });
    expect(right.checks.embedding_index).toMatchObject({ status: 'ok', answered_dimensions: 384 });
  });

  test('without an embedder the embedding index does not apply', async () => {
    const { status, checks } = await report({ vectorSpace: () => null });
    expect(status).toBe('ready');
    expect(checks.embedding_index).toMatchObject({
      status: 'not_applicable',
      configured_dimensions: null,
      indexed_dimensions: [384],
    });
  });

  test.each([
    ['no collection', []],
    ['its own collection in another width', [{ configured: true, dimensions: 1024 }]],
    ['a collection of another width', [{ configured: false, dimensions: 1024 }]],
    ['a collection of another model', [{ configured: false, dimensions: 384 }]],
  ])('%s for the configured embedder is an error', async (_name, indexes) => {
    const { status, checks } = await report({ vectorIndexes: async () => indexes });
    expect(status).toBe('not_ready');
    expect(checks.embedding_index).toMatchObject({
      status: 'error',
      error_class: 'embedding_width_mismatch',
      configured_dimensions: 384,
    });
  });

  test('calls of the last day are counted by outcome', async () => {
    let since: Date | null = null;
    const { checks } = await report({
      attempts: async (from) => {
        since = from;
        return [
          { state: 'success', metered: true, error_class: null, total: 6 },
          { state: 'error', metered: false, error_class: 'provider_upstream_error', total: 2 },
          { state: 'timeout', metered: false, error_class: 'request_timeout', total: 1 },
          { state: 'dispatched', metered: false, error_class: null, total: 1 },
          { state: 'reserved', metered: false, error_class: null, total: 9 },
          { state: 'cancelled', metered: false, error_class: null, total: 9 },
        ];
      },
    });
    expect(since).toEqual(new Date('2026-02-28T12:00:00Z'));
    expect(checks.model_calls).toEqual({
      status: 'ok',
      window_seconds: 86_400,
      attempts: 10,
      errors: 3,
      error_rate: 0.3,
      unmetered: 3,
      error_classes: { provider_upstream_error: 2, request_timeout: 1 },
    });
  });
});

describe('work that waits', () => {
  test('is counted by queue and state, and as unfinished runs by kind', async () => {
    const { status, checks } = await report({
      anchors: async () => [
        { status: 'pending', held: false, due: true, total: 5, oldest_age_seconds: 9 },
        { status: 'pending', held: false, due: false, total: 4, oldest_age_seconds: 0 },
        { status: 'pending', held: true, due: true, total: 3, oldest_age_seconds: 12 },
        { status: 'failed', held: false, due: true, total: 2, oldest_age_seconds: 60 },
        { status: 'failed', held: false, due: false, total: 1, oldest_age_seconds: 0 },
      ],
      marks: async () => [
        { engine: 'qdrant', unit: 'message', overdue: false, total: 7, oldest_age_seconds: 1 },
        { engine: 'qdrant', unit: 'statement', overdue: true, total: 2, oldest_age_seconds: 5 },
      ],
      runs: async () => [
        { kind: 'extraction', status: 'pending', total: 1, oldest_age_seconds: 90 },
        { kind: 'reconcile', status: 'running', total: 1, oldest_age_seconds: 4 },
        { kind: 'erasure', status: 'failed', total: 2, oldest_age_seconds: 30 },
      ],
    });
    expect(status).toBe('ready');
    const none = { available: 0, scheduled: 0, executing: 0, retryable: 0 };
    expect(checks.queues.depths).toEqual({
      ingest: { available: 6, scheduled: 4, executing: 3, retryable: 3 },
      projection: { ...none, available: 7, retryable: 2 },
      dream: none,
      lifecycle: none,
      governance: { ...none, retryable: 2 },
      connector: none,
      portability: none,
      reconciler: { ...none, executing: 1 },
    });
    expect(checks.pipeline_runs.unfinished).toEqual({
      extraction: { count: 16, oldest_age_seconds: 90 },
      reconcile: { count: 1, oldest_age_seconds: 4 },
      erasure: { count: 2, oldest_age_seconds: 30 },
    });
  });
});
