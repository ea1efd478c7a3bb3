/** What readiness says of the last pass of the retention. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execute } from '../../../operations/execute.ts';
import type { ReadinessSources } from '../../../operations/environment/readiness-sources.ts';
import { readReadiness } from '../../../operations/health/read-readiness.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { RetentionStore } from '../../../stores/postgres/retention/retention.store.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
let store: ReadinessStore;
beforeAll(async () => {
  scene = await Scene.open();
  store = new ReadinessStore(scene.pool);
});
afterAll(() => scene.close());

async function present(): Promise<void> {}
const none = async () => [];

/** The retention as the database has it, and everything else in order. */
function sources(lastRetention: ReadinessSources['lastRetention']): ReadinessSources {
  return {
    database: present,
    jobQueue: present,
    qdrant: present,
    meilisearch: present,
    anchors: none,
    marks: none,
    runs: none,
    attempts: none,
    vectorIndexes: none,
    overdueReviews: none,
    oldestErasureSeconds: async () => 0,
    unsealedAuditSeconds: async () => 0,
    waitingContextCardSeconds: async () => 0,
    lastSweeps: () => store.sweeps(),
    lastRetention,
    governance: () => store.governance(),
    modelRoles: () => ({
      ...NO_ROLES,
      ingest_extractor: {
        provider: 'deterministic',
        model: 'm',
        modelVersion: '1',
        dimensions: null,
      },
    }),
    vectorSpace: () => null,
  };
}

async function checked(last: ReadinessSources['lastRetention'] = () => store.retention()) {
  const caller = await scene.caller(await scene.account(), { key: 'agent' });
  const context = { ...scene.context(caller), readiness: sources(last) };
  const { checks, status } = await execute(readReadiness, context, {});
  return { service: status, ...checks.retention };
}

/** Moves what the database keeps of the last pass so many seconds back. */
const age = (column: 'installed_at' | 'completed_at', seconds: number) =>
  scene.rows(
    `update sweep_passes set ${column} = now() - make_interval(secs => $1) where kind = 'retention'`,
    [seconds],
  );

test('an installation without a pass is late after two days, and no less ready', async () => {
  expect(await checked()).toMatchObject({
    service: 'ready',
    status: 'ok',
    last_completed_at: 'never',
    late: false,
  });
  await age('installed_at', 172_900);
  expect(await checked()).toMatchObject({
    service: 'ready',
    last_completed_at: 'never',
    late: true,
  });
});

test('a pass that was complete in the last two days is in order, with the accounts that it left', async () => {
  await new RetentionStore(scene.pool).completePass(3);
  expect(await checked()).toMatchObject({
    late: false,
    failed_accounts: 3,
    last_completed_at: expect.stringMatching(/^20/),
  });
  await age('completed_at', 172_700);
  expect(await checked()).toMatchObject({ late: false });
  await age('completed_at', 172_900);
  expect(await checked()).toMatchObject({ late: true });
});

test('a pass that cannot be asked about changes nothing else', async () => {
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  expect(await checked(away)).toEqual({
    service: 'ready',
    status: 'error',
    error_class: 'transport_error',
    last_completed_at: 'never',
    late: null,
    failed_accounts: null,
  });
});
