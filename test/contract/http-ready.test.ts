/**
 * `GET /api/ready` and `GET /api/health` on real servers. Real: Postgres, Temporal, Meilisearch, Qdrant and
 * everything between them and the socket. Faked: the operations that are not asked here.
 */
import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as PostgresClient } from 'pg';
import type { DatabasePool } from 'slonik';
import { v7 as uuid } from 'uuid';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import { readHealth } from '../../operations/health/read-health.ts';
import { readReadiness } from '../../operations/health/read-readiness.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import {
  buildReadinessSources,
  type ReadinessDependencies,
} from '../../runtime/container/health.ts';
import { createMeilisearchClient } from '../../stores/meilisearch/client.ts';
import { ReadinessStore } from '../../stores/postgres/readiness.store.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import { createQdrantClient } from '../../stores/qdrant/client.ts';
import { collectionName, ensureCollection } from '../../stores/qdrant/collection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { HANGS_MS, eventually } from '../support/patience.ts';
import { openDoor, type FakeDoor } from '../support/fake-door.ts';
import { NO_ROLES } from '../unit/models/fixtures.ts';

const SPACE: VectorSpace = {
  provider: 'deterministic',
  model: 'ready-test',
  version: '1',
  dimensions: 8,
};
const MODELS: ModelRoles = {
  ...NO_ROLES,
  embedder: { provider: 'deterministic', model: 'ready-test', modelVersion: '1', dimensions: 8 },
  ingest_extractor: {
    provider: 'deterministic',
    model: 'ready-test',
    modelVersion: '1',
    dimensions: null,
  },
};
const prefix = `ready${randomBytes(4).toString('hex')}`;
const identity = { prefix, analyzerVersion: 'test', space: SPACE };

let database: TestDatabase;
let pool: DatabasePool;
let dependencies: ReadinessDependencies;
const doors: FakeDoor[] = [];

async function door(changed: Partial<ReadinessDependencies> = {}): Promise<FakeDoor> {
  const readiness = buildReadinessSources({ ...dependencies, ...changed });
  const opened = await openDoor({
    operations: { readHealth, readReadiness },
    environment: { readiness },
  });
  doors.push(opened);
  return opened;
}

/** Asks until every server has answered in time: on a busy machine one that is there may be late. */
async function readyAt(opened: FakeDoor) {
  const answer = await eventually(async () => {
    const asked = await opened.call({ path: '/api/ready' });
    return !asked.text.includes('request_timeout') && asked;
  });
  return { status: answer.status, body: answer.json() };
}

const ready = async (changed: Partial<ReadinessDependencies> = {}) => readyAt(await door(changed));

async function asSuperuser(work: (client: PostgresClient) => Promise<unknown>): Promise<void> {
  const client = new PostgresClient({ connectionString: database.adminUrl });
  await client.connect();
  try {
    // Rows stand alone here: what they would refer to is not counted.
    await client.query("set session_replication_role = 'replica'");
    await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const servers = testServers();
  database = await createTestDatabase();
  pool = await openPool(database.appUrl, { maxPoolSize: 10 });
  const qdrant = createQdrantClient({ ...servers.qdrant, timeoutMs: HANGS_MS });
  dependencies = {
    db: pool,
    models: MODELS,
    temporal: openActorClient({
      address: servers.temporalAddress,
      namespace: 'default',
      identity: 'ready-test',
    }),
    meilisearch: createMeilisearchClient({ ...servers.meilisearch, timeoutMs: HANGS_MS }),
    qdrant: { client: qdrant, prefix, collection: collectionName(identity) },
  };
  await ensureCollection(qdrant, identity);
});

afterEach(async () => {
  await Promise.all(doors.splice(0).map((opened) => opened.close()));
});

afterAll(async () => {
  await dependencies.qdrant.client.deleteCollection(dependencies.qdrant.collection);
  await dependencies.temporal.connection.close();
  await pool.end();
  await database.drop();
});

describe('with every server there', () => {
  test('an empty service is ready and has all its queues empty', async () => {
    const { status, body } = await ready();
    expect(body).toMatchObject({
      status: 'ready',
      version: 'f10-1',
      checks: {
        database: { status: 'ok' },
        job_queue: { status: 'ok' },
        search_index: { status: 'ok', meilisearch: { status: 'ok' }, qdrant: { status: 'ok' } },
        embedding_index: { status: 'ok', configured_dimensions: 8, indexed_dimensions: [8] },
        queues: {
          status: 'ok',
          depths: { ingest: { available: 0, scheduled: 0, executing: 0, retryable: 0 } },
        },
        lifecycle_sweeps: {
          last_completed_at: {
            revalidation: 'never',
            expiry: 'never',
            ageing: 'never',
            questions: 'never',
          },
        },
        model_calls: { attempts: 0, errors: 0, error_rate: 0, unmetered: 0, error_classes: {} },
        pipeline_runs: { status: 'ok', unfinished: {} },
      },
      governance: { unattended: false, pending_human_reviews: 0, restricted_withheld: 0 },
    });
    expect(status).toBe(200);
  });

  test('readiness counts the rows of every account, and answers nothing but counts', async () => {
    const [one, two] = [uuid(), uuid()];
    await asSuperuser(async (client) => {
      for (const [account, preset] of [
        [one, 'strict'],
        [two, 'unattended'],
      ]) {
        await client.query(
          `insert into accounts (id, key, name, gate_preset) values ($1, $2, 'Name of it', $3)`,
          [account, `key-${account}`, preset],
        );
        await client.query(
          `insert into pipeline_runs (account_id, id, kind, status, created_at)
           values ($1, $2, 'reconcile', 'running', now() - interval '1 hour'),
             ($1, $3, 'reconcile', 'completed', now()), ($1, $4, 'regate', 'failed', now()),
             ($1, $5, 'document', 'discarded', now()), ($1, $6, 'document', 'cancelled', now())`,
          [account, uuid(), uuid(), uuid(), uuid(), uuid()],
        );
        await client.query(
          `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered,
             error_class, reserved_at, finished_at)
           values ($1, $2, 'embedder', 'openai-compatible', 'm', '1', 'success', true, null, now(), now()),
             ($1, $3, 'embedder', 'openai-compatible', 'm', '1', 'error', false, 'provider_upstream_error', now(), now()),
             ($1, $4, 'embedder', 'openai-compatible', 'm', '1', 'error', false, 'transport_error',
               now() - interval '25 hours', now())`,
          [account, uuid(), uuid(), uuid()],
        );
        await client.query(
          `insert into extraction_anchors (account_id, message_id, session_id, scope_id, speaker_peer_id, shard,
             status, available_at, claim_epoch, last_error_class)
           values ($1, $2, $3, $3, $3, 0, 'pending', now() - interval '10 s', null, null),
             ($1, $4, $3, $3, $3, 0, 'pending', now(), 7, null),
             ($1, $5, $3, $3, $3, 0, 'failed', now() + interval '1 hour', null, 'request_timeout')`,
          [account, uuid(), uuid(), uuid(), uuid()],
        );
      }
    });
    const { status, body } = await ready();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      checks: {
        queues: {
          depths: {
            // Two failed observations, and two versions whose runs were discarded.
            ingest: { available: 2, scheduled: 0, executing: 2, retryable: 4 },
            reconciler: { available: 0, executing: 2, retryable: 0 },
            governance: { executing: 0, retryable: 2 },
          },
        },
        model_calls: {
          attempts: 4,
          errors: 2,
          error_rate: 0.5,
          unmetered: 2,
          error_classes: { provider_upstream_error: 2 },
        },
        pipeline_runs: {
          unfinished: {
            extraction: { count: 6 },
            reconcile: { count: 2, oldest_age_seconds: expect.closeTo(3_600, -3) },
            regate: { count: 2 },
            // Discarded runs are replayed; cancelled ones have ended.
            document: { count: 2 },
          },
        },
      },
      governance: { unattended: true },
    });
    const text = JSON.stringify(body);
    for (const secret of [one, two, 'Name of it', 'key-']) expect(text).not.toContain(secret);
  });
});

test('overdue and escalated items, and the oldest erasure, are counted over all accounts', async () => {
  const account = uuid();
  await asSuperuser(async (client) => {
    await client.query(`insert into accounts (id, key, name) values ($1, $2, 'x')`, [
      account,
      account,
    ]);
    for (const [kind, state, due, escalated] of [
      ['contest', 'escalated', '20 hours', '-4 hours'],
      ['contest', 'pending', '10 hours', null],
      ['gate_b', 'pending', '-2 hours', null],
      ['gate_b', 'deferred', '-1 hours', null],
      ['gate_b', 'awaiting_consent', '-9 hours', null],
      ['gate_a_b', 'pending', '30 hours', null],
    ]) {
      await client.query(
        `insert into review_items (account_id, id, knowledge_id, scope_id, kind, state, due_at, escalated_at, reason, has_audience)
         values ($1, $2, $3, $3, $4::review_kind, $5::review_state, now() + $6::interval, now() + $7::interval, 'x_y', false)`,
        [account, uuid(), uuid(), kind, state, due, escalated],
      );
    }
    await client.query(
      `insert into pipeline_runs (account_id, id, kind, status, created_at)
       values ($1, $2, 'erasure', 'failed', now() - interval '3 hours'), ($1, $3, 'erasure', 'completed', now() - interval '9 hours')`,
      [account, uuid(), uuid()],
    );
  });
  const store = new ReadinessStore(pool);
  const overdue = await store.overdueReviews();
  expect(overdue.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'contest', total: 1, oldest_overdue_seconds: expect.closeTo(4 * 3_600, -3) },
    { kind: 'gate_b', total: 2, oldest_overdue_seconds: expect.closeTo(2 * 3_600, -3) },
  ]);
  expect(await store.oldestErasureSeconds()).toBeGreaterThanOrEqual(3 * 3_600);
  expect(await store.oldestErasureSeconds()).toBeLessThan(9 * 3_600);
});

describe('with a server away or wrong', () => {
  test('a namespace that Temporal does not know is an error of the job queue', async () => {
    const temporal = openActorClient({
      address: testServers().temporalAddress,
      namespace: `nobody-${prefix}`,
      identity: 'ready-test',
    });
    const { status, body } = await ready({ temporal });
    await temporal.connection.close();
    expect(status).toBe(503);
    expect(body).toMatchObject({ checks: { job_queue: { status: 'error' } } });
  });

  test('Temporal that cannot be reached is an error of the job queue too', async () => {
    const temporal = openActorClient({
      address: '127.0.0.1:1',
      namespace: 'default',
      identity: 'ready-test',
    });
    // The answer is not asked again: late is right here.
    const answer = await (await door({ temporal })).call({ path: '/api/ready' });
    const [status, body] = [answer.status, answer.json()];
    await temporal.connection.close();
    expect(status).toBe(503);
    expect(body).toMatchObject({
      checks: {
        job_queue: {
          status: 'error',
          // The client's own retries may outlast the check.
          error_class: expect.stringMatching(/^(?:transport_error|request_timeout)$/),
        },
        database: { status: 'ok' },
      },
    });
  });

  test('a index that cannot be reached and one that refuses the key have different error classes', async () => {
    const { status, body } = await ready({
      meilisearch: createMeilisearchClient({
        url: testServers().meilisearch.url,
        masterKey: 'another-key',
        timeoutMs: HANGS_MS,
      }),
      qdrant: {
        ...dependencies.qdrant,
        client: createQdrantClient({
          url: 'http://127.0.0.1:1',
          apiKey: null,
          timeoutMs: HANGS_MS,
        }),
      },
    });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      checks: {
        search_index: {
          status: 'error',
          meilisearch: { status: 'error', error_class: 'credentials_rejected' },
          qdrant: { status: 'error', error_class: 'transport_error' },
        },
        embedding_index: { status: 'error', error_class: 'transport_error' },
      },
    });
  });

  test('a configured width without a collection is an error that shows both widths', async () => {
    const embedder = { ...MODELS.embedder, dimensions: 16 } as ModelRoles['embedder'];
    const { status, body } = await ready({
      models: { ...MODELS, embedder },
      qdrant: {
        ...dependencies.qdrant,
        collection: collectionName({ ...identity, space: { ...SPACE, dimensions: 16 } }),
      },
    });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      checks: {
        embedding_index: {
          status: 'error',
          error_class: 'embedding_width_mismatch',
          configured_dimensions: 16,
          indexed_dimensions: [8],
        },
      },
    });
  });
});

describe('with the database away', () => {
  let proxy: Server;
  let proxied: DatabasePool;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    const target = new URL(database.appUrl);
    const port = Number(target.port);
    proxy = createServer((near) => {
      const far = connect(port, target.hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', () => resolve());
    });
    const address = proxy.address();
    target.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    proxied = await openPool(target.href, { maxPoolSize: 10 });
  });

  afterAll(() => proxied.end());

  test('readiness answers 503 in time and health still answers 200', async () => {
    const opened = await door({ db: proxied });
    expect((await readyAt(opened)).status).toBe(200);
    proxy.close();
    for (const socket of sockets) socket.destroy();
    const { status, body } = await readyAt(opened);
    expect(status).toBe(503);
    const away = { status: 'error', error_class: 'transport_error' };
    expect(body).toMatchObject({
      status: 'not_ready',
      checks: { database: away, queues: away, pipeline_runs: away, job_queue: { status: 'ok' } },
      governance: { status: 'error', pending_human_reviews: null },
    });
    const health = await opened.call({ path: '/api/health' });
    expect([health.status, health.json()]).toEqual([
      200,
      {
        status: 'ok',
        app: 'vouch',
        version: 'f5-1',
        campaign_admission: { active: false, status: 'inactive' },
      },
    ]);
  });
});
