/**
 * `GET /api/ready` while servers are away or silent, one by one and in pairs. Real: Postgres, Temporal, Meilisearch, Qdrant,
 * each behind a line of its own that is cut.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import { readReadiness } from '../../operations/health/read-readiness.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { buildReadinessSources } from '../../runtime/container/health.ts';
import { createMeilisearchClient } from '../../stores/meilisearch/client.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import { createQdrantClient } from '../../stores/qdrant/client.ts';
import { collectionName, ensureCollection } from '../../stores/qdrant/collection.ts';
import { openLine, type CutLine, type LineState } from '../support/cut-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { openDoor, type FakeDoor } from '../support/fake-door.ts';
import { HANGS_MS, SERVERS_MS, eventually } from '../support/patience.ts';
import { NO_ROLES } from '../unit/models/fixtures.ts';

const SPACE: VectorSpace = {
  provider: 'deterministic',
  model: 'ready-broken',
  version: '1',
  dimensions: 8,
};
const MODELS: ModelRoles = {
  ...NO_ROLES,
  embedder: { provider: 'deterministic', model: 'ready-broken', modelVersion: '1', dimensions: 8 },
  ingest_extractor: {
    provider: 'deterministic',
    model: 'ready-broken',
    modelVersion: '1',
    dimensions: null,
  },
};
const prefix = `broken${randomBytes(4).toString('hex')}`;
const identity = { prefix, analyzerVersion: 'test', space: SPACE };

/** The checks that a server takes with it, and no other. */
const TAKES = {
  postgres: ['database', 'lifecycle_sweeps', 'model_calls', 'pipeline_runs', 'queues', 'retention'],
  temporal: ['job_queue'],
  meilisearch: ['search_index', 'search_index.meilisearch'],
  qdrant: ['embedding_index', 'search_index', 'search_index.qdrant'],
} as const;
type ServerName = keyof typeof TAKES;
const SERVERS = Object.keys(TAKES) as readonly ServerName[];
const BREAKS: readonly (readonly ServerName[])[] = SERVERS.flatMap((one, n) => [
  [one],
  ...SERVERS.slice(n + 1).map((other) => [one, other]),
]);

let database: TestDatabase;
let door: FakeDoor;
let lines: Readonly<Record<ServerName, CutLine>>;
let closing: (() => Promise<unknown>)[] = [];

const portOf = (url: string): number => Number(new URL(url).port);
const through = (url: string, { port }: CutLine): string => {
  const moved = new URL(url);
  moved.host = `127.0.0.1:${port}`;
  return moved.href.replace(/\/$/, '');
};

beforeAll(async () => {
  const servers = testServers();
  database = await createTestDatabase();
  lines = {
    postgres: await openLine(portOf(database.appUrl)),
    temporal: await openLine(Number(servers.temporalAddress.split(':').at(-1))),
    meilisearch: await openLine(portOf(servers.meilisearch.url)),
    qdrant: await openLine(portOf(servers.qdrant.url)),
  };
  const near = createQdrantClient({ ...servers.qdrant, timeoutMs: HANGS_MS });
  await ensureCollection(near, identity);
  const temporal = openActorClient({
    address: `127.0.0.1:${lines.temporal.port}`,
    namespace: 'default',
    identity: 'ready-broken',
  });
  const pool = await openPool(through(database.appUrl, lines.postgres), { maxPoolSize: 10 });
  const collection = collectionName(identity);
  const timeoutMs = HANGS_MS;
  const readiness = buildReadinessSources({
    db: pool,
    models: MODELS,
    temporal,
    meilisearch: createMeilisearchClient({
      ...servers.meilisearch,
      url: through(servers.meilisearch.url, lines.meilisearch),
      timeoutMs,
    }),
    qdrant: {
      client: createQdrantClient({
        ...servers.qdrant,
        url: through(servers.qdrant.url, lines.qdrant),
        timeoutMs,
      }),
      prefix,
      collection,
    },
  });
  door = await openDoor({ operations: { readReadiness }, environment: { readiness } });
  closing = [
    () => door.close(),
    () => near.deleteCollection(collection),
    () => temporal.connection.close(),
    () => pool.end(),
    () => Promise.all(SERVERS.map((name) => lines[name].close())),
    () => database.drop(),
  ];
}, SERVERS_MS);

afterAll(async () => {
  for (const close of closing) await close();
}, SERVERS_MS);

interface Check {
  readonly status: string;
  readonly error_class?: string;
  readonly meilisearch?: Check;
  readonly qdrant?: Check;
}

/** The checks in error, with the parts of the search index. */
function errorsOf(checks: Readonly<Record<string, Check>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const note = (name: string, { error_class: errorClass, status }: Check): void => {
    if (status === 'error') found[name] = errorClass ?? '';
  };
  for (const [name, check] of Object.entries(checks)) {
    note(name, check);
    for (const part of ['meilisearch', 'qdrant'] as const) {
      const inner = check[part];
      if (inner !== undefined) note(`${name}.${part}`, inner);
    }
  }
  return found;
}

/** Asks until exactly these checks are in error: on a busy machine a server that is there may be late for once. */
async function untilExactly(names: readonly string[]) {
  const wanted = JSON.stringify([...names].toSorted());
  return eventually(async () => {
    const { status, json } = await door.call({ path: '/api/ready' }).then((answer) => ({
      status: answer.status,
      json: answer.json() as { checks: Readonly<Record<string, Check>> },
    }));
    const errors = errorsOf(json.checks);
    return JSON.stringify(Object.keys(errors).toSorted()) === wanted && { status, errors };
  });
}

const all = (names: readonly ServerName[], state: LineState) =>
  Promise.all(names.map((name) => lines[name].become(state)));

test.each(BREAKS.flatMap((names) => (['cut', 'silent'] as const).map((state) => [names, state])))(
  '%j %s: exactly their checks are in error, by the bound of the service, and then none',
  async (names, state) => {
    await all(names as readonly ServerName[], state as LineState);
    const taken = new Set((names as readonly ServerName[]).flatMap((name) => [...TAKES[name]]));
    const { errors, status } = await untilExactly([...taken]);
    expect(status).toBe(503);
    for (const errorClass of Object.values(errors)) {
      // A silent server is told by the two seconds that a check has, and one that is away by its refusal.
      expect(['request_timeout', 'transport_error']).toContain(errorClass);
    }
    await all(names as readonly ServerName[], 'whole');
    expect((await untilExactly([])).status).toBe(200);
  },
  SERVERS_MS,
);
