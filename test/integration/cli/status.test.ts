import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import type { ReadinessSources } from '../../../operations/environment/readiness-sources.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { createScene, onlyThese, type Scene } from '../identity/scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.close());

async function present(): Promise<void> {}

function away(): Promise<void> {
  return Promise.reject(new Error('away'));
}

async function* nothing(): AsyncGenerator<string> {}

/** The real database, and stand-ins for the servers beside it. */
function sourcesWith(ping: () => Promise<void>): ReadinessSources {
  const { models } = loadConfig({ SERVICE_MODEL_EMBEDDER: 'none' });
  const store = new ReadinessStore(scene.pool);
  return {
    database: () => store.ping(),
    jobQueue: ping,
    qdrant: ping,
    meilisearch: ping,
    anchors: () => store.anchors(),
    marks: () => store.marks(),
    runs: () => store.runs(),
    oldestErasureSeconds: () => store.oldestErasureSeconds(),
    overdueReviews: () => store.overdueReviews(),
    unsealedAuditSeconds: () => store.unsealedAuditSeconds(),
    waitingContextCardSeconds: () => store.waitingContextCardSeconds(),
    lastSweeps: () => store.sweeps(),
    lastRetention: () => store.retention(),
    attempts: (since) => store.attempts(since),
    governance: () => store.governance(),
    modelRoles: () => models,
    vectorSpace: () => null,
    vectorIndexes: async () => [],
  };
}

async function status(ping: () => Promise<void>, ...args: string[]) {
  const readiness = sourcesWith(ping);
  let out = '';
  let err = '';
  const code = await runCli(['status', ...args], {
    stdin: nothing(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date(),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment: onlyThese({ readiness }), close: async () => undefined }),
  });
  return { code, out, err };
}

test('status answers 0 and names each component when the service is ready', async () => {
  const outcome = await status(present);
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toMatch(/^ready\n/);
  for (const component of ['database', 'job_queue', 'search_index', 'pipeline_runs']) {
    expect(outcome.out).toMatch(new RegExp(`^${component} +ok$`, 'm'));
  }
});

test('status answers 1 and names in one line each component that is not ok', async () => {
  const outcome = await status(away);
  expect(outcome).toMatchObject({ code: 1, err: 'vouch: Not ready: job_queue, search_index.\n' });
  expect(outcome.out).toMatch(/^not ready\n/);
});

test('status --json prints what /api/ready says, ready or not', async () => {
  const outcome = await status(away, '--json');
  expect(outcome.code).toBe(1);
  expect(JSON.parse(outcome.out)).toMatchObject({
    status: 'not_ready',
    checks: { database: { status: 'ok' }, job_queue: { status: 'error' } },
    governance: { unattended: false },
  });
});
