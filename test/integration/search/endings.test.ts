/** A search that is over leaves nothing running: no request to an index or a provider, and no SQL statement. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Caller } from '../../../domain/identity/caller.ts';
import { vectorSpaceOf } from '../../../domain/models/role-config.ts';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import type { SearchDependencies } from '../../../engine/retrieval/dependencies.ts';
import { withProfileValues } from '../../../engine/retrieval/request.ts';
import { createSearch, type Search } from '../../../engine/retrieval/search.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { indexNames } from '../../../stores/meilisearch/indexes.ts';
import { RecordIndex } from '../../../stores/meilisearch/record-index.ts';
import { withRefusals } from '../../../stores/postgres/errors.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { collectionName } from '../../../stores/qdrant/collection.ts';
import { PointReader } from '../../../stores/qdrant/point-reader.ts';
import { testServers } from '../../support/environment.ts';
import { eventually, HANGS_MS } from '../../support/patience.ts';
import { openFaultScene, type FaultScene } from './fault-scene.ts';
import type { Faults } from './fault-table.ts';
import { transactions } from './transactions.ts';

/** Far less than any limit of a request, so that only an abort explains an end within it. */
const SOON_MS = HANGS_MS / 4;
const HANGS = { kind: 'hangs' } as const;

let faults: FaultScene;
let reader: Caller;

beforeAll(async () => {
  faults = await openFaultScene();
  await faults.fresh().ensureIndexes();
  reader = await faults.plant();
});
afterAll(() => faults.close());

interface Limits {
  readonly deadlineMs?: number;
  readonly rowsTimeoutMs?: number;
  readonly withoutEmbedder?: true;
}

/** A search whose requests have all the time there is, so that only the search itself ends them. */
function searching({
  deadlineMs = HANGS_MS,
  rowsTimeoutMs = HANGS_MS,
  withoutEmbedder,
}: Limits): Search {
  const servers = testServers();
  const { prefix, pool } = faults.scene;
  const gateway = faults.gateway();
  const space = vectorSpaceOf(faults.models.embedder);
  const url = (name: 'qdrant' | 'meilisearch') => ({
    ...servers[name],
    url: faults.proxies[name].url,
    timeoutMs: HANGS_MS,
  });
  const dependencies: SearchDependencies = {
    inAccount: createRefusingInAccount(pool),
    points: new PointReader(
      createQdrantClient({ ...servers.qdrant, ...url('qdrant') }),
      collectionName({ prefix, analyzerVersion: ANALYZER, space }),
    ),
    records: new RecordIndex(
      createMeilisearchClient({ ...servers.meilisearch, ...url('meilisearch') }),
      indexNames({ prefix, analyzerVersion: ANALYZER }),
    ),
    embed: withoutEmbedder ? null : (...asked) => withRefusals(() => gateway.embed(...asked)),
    embedderSkill: () => 'able',
    rerank: null,
    probeTimeoutMs: deadlineMs,
    rowsTimeoutMs,
    now: () => performance.now(),
  };
  const search = createSearch(dependencies);
  const profile = { deadlineMs, strategyTimeoutMs: deadlineMs };
  return (request) => search(withProfileValues(request, profile));
}

function ask(body: Record<string, unknown>, search: Search, signal?: AbortSignal) {
  const asked = { scope_path: '/poc', ...body };
  // Only an administrator may go without a deadline.
  const grants = reader.grants.map((grant) => ({ ...grant, role: 'account_admin' as const }));
  const caller = 'deadline' in body ? { ...reader, grants } : reader;
  return faults.scene.search(caller, asked, signal === undefined ? { search } : { search, signal });
}

/** Keeps a table from every other transaction meanwhile. */
async function holding(table: string, meanwhile: () => Promise<void>): Promise<void> {
  const holder = new Client({ connectionString: faults.scene.adminUrl });
  await holder.connect();
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    await meanwhile();
  } finally {
    await holder.end();
  }
}

const openRequests = (): number =>
  Object.values(faults.proxies).reduce((sum, proxy) => sum + proxy.open(), 0);

/** Resolves once nothing of a search runs any more. */
async function nothingRuns(): Promise<void> {
  await eventually(async () => {
    const { open } = await transactions(faults.scene);
    return openRequests() === 0 && open === 0;
  }, SOON_MS);
}

describe('after its answer', () => {
  test.each<[string, Faults, Record<string, unknown>]>([
    ['Qdrant', { qdrant: HANGS }, { query: 'red canoe' }],
    ['Meilisearch', { meilisearch: HANGS }, { query: '"red canoe"' }],
    ['both indexes', { qdrant: HANGS, meilisearch: HANGS }, { query: 'anna -canoe' }],
    ['the embedder', { embedder: HANGS }, { query: 'red canoe', profile: 'fast' }],
  ])(
    'a late request to %s is given up, and so is the check whether it is back',
    async (_, fault, body) => {
      const search = searching({ deadlineMs: 300 });
      await faults.become(fault);
      try {
        // The second one finds the gate of Qdrant closed, and probes.
        for (const pauseMs of [0, 300]) {
          await sleep(pauseMs);
          const answer = await ask(body, search);
          expect(answer.degraded).toBe(true);
          await nothingRuns();
        }
        const asked = Object.keys(fault) as (keyof Faults)[];
        for (const name of asked) expect(faults.proxies[name].received()).toBeGreaterThan(0);
      } finally {
        await faults.become({});
      }
    },
  );

  test('a late call to the embedder has an end in the ledger', async () => {
    await faults.become({ embedder: HANGS });
    await ask({ query: 'a query of its own' }, searching({ deadlineMs: 300 }));
    await faults.become({});
    const ended = await eventually(async () => {
      const rows = await faults.scene.sql(
        `select state::text from provider_attempts where account_id = $1 order by reserved_at desc limit 1`,
        [reader.accountId],
      );
      return rows[0]?.['state'] === 'dispatched' ? null : rows[0];
    });
    expect(ended).toEqual({ state: 'cancelled' });
  });

  test('a late SQL statement of a strategy is cancelled, and the strategy is dropped', async () => {
    await holding('knowledge', async () => {
      const answer = await ask({ query: ' ', profile: 'fast' }, searching({ deadlineMs: 300 }));
      expect(answer.retrieval_outcomes).toContainEqual(
        expect.objectContaining({
          component: 'salience_recency',
          status: 'dropped',
          reason_class: 'timeout',
        }),
      );
      await nothingRuns();
    });
  });

  test.each([
    ['entity_match', 'scope_names'],
    ['relation_expand', 'entity_mentions'],
  ])(
    'a late look-up of %s is cancelled, and that strategy is dropped',
    async (component, table) => {
      await holding(table, async () => {
        const body = { query: 'red canoe', profile: 'thorough' };
        // The strategies that are not held have all of it, on a slow machine too.
        const answer = await ask(body, searching({ deadlineMs: 2_000 }));
        const outcome = answer.retrieval_outcomes.find((one) => one.component === component);
        expect(outcome?.status).toBe('dropped');
        expect(answer.dropped_strategies).not.toContain('lexical');
        expect(answer.candidates.length).toBeGreaterThan(0);
        await nothingRuns();
      });
    },
  );
});

describe('when Postgres is slow', () => {
  test.each([
    ['before its strategies', 'dirty_marks', '"red canoe"'],
    ['for the rows that it answers', 'knowledge', 'red canoe'],
  ])('a search is unavailable %s, and its statement is cancelled', async (_, table, query) => {
    const search = searching({ rowsTimeoutMs: 300 });
    await holding(table, async () => {
      await expect(ask({ query }, search)).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 2,
      });
      await nothingRuns();
    });
    expect((await ask({ query }, search)).degraded).toBe(false);
  });

  test('strategies that have no time left do not begin', async () => {
    const search = searching({ deadlineMs: 200 });
    const asked: ReturnType<typeof ask>[] = [];
    await holding('dirty_marks', async () => {
      asked.push(ask({ query: 'red canoe' }, search));
      await eventually(async () => (await transactions(faults.scene)).waiting > 0);
      await sleep(250);
    });
    const [answer] = await Promise.all(asked);
    expect(answer?.retrieval_outcomes.filter(({ status }) => status === 'dropped')).toMatchObject(
      ['semantic', 'lexical', 'temporal', 'entity_match'].map((component) => ({
        component,
        reason_class: 'deadline_exhausted_before_start',
        budget_remaining_ms: 0,
      })),
    );
  });
});

test('when the database fails one strategy, the search is unavailable and the other strategies end', async () => {
  await faults.become({ qdrant: HANGS });
  try {
    await holding('provider_attempts', async () => {
      const search = searching({});
      const failed = expect(ask({ query: 'where is Ana' }, search)).rejects.toMatchObject({
        code: 'unavailable',
      });
      const { waits } = await eventually(async () => {
        const now = await transactions(faults.scene);
        return now.waiting > 0 && faults.proxies.qdrant.open() > 0 ? now : null;
      });
      await faults.scene.sql('select pg_terminate_backend($1)', [waits]);
      await failed;
      await nothingRuns();
    });
  } finally {
    await faults.become({});
  }
});

describe('when its caller leaves', () => {
  async function leaves(body: Record<string, unknown>, limits: Limits = {}) {
    const caller = new AbortController();
    const left = expect(ask(body, searching(limits), caller.signal)).rejects.toThrow('gone');
    await eventually(
      async () => openRequests() > 0 || (await transactions(faults.scene)).waiting > 0,
    );
    caller.abort(new Error('gone'));
    await left;
    await nothingRuns();
  }

  test.each<[string, Faults, Record<string, unknown>]>([
    ['phrases are looked up', { meilisearch: HANGS }, { query: '"red canoe"' }],
    ['Qdrant ranks', { qdrant: HANGS }, { query: 'red canoe' }],
    ['its query is embedded', { embedder: HANGS }, { query: 'a red canoe', profile: 'fast' }],
    ['no deadline bounds it', { qdrant: HANGS }, { query: 'red canoe', deadline: 'disabled' }],
  ])('while %s, the requests are given up', async (_, fault, body) => {
    await faults.become(fault);
    try {
      await leaves(body);
    } finally {
      await faults.become({});
    }
  });

  test.each<[string, string, Record<string, unknown>, Limits]>([
    ['words are weighed', 'dirty_marks', { query: 'red canoe' }, {}],
    ['a broken word is looked up', 'scope_terms', { query: 'red canooe' }, {}],
    ['names are looked up', 'scope_names', { query: 'red canoe' }, {}],
    ['updates are looked up', 'knowledge', { query: 'red canoe', profile: 'thorough' }, {}],
    ['salience is read', 'knowledge', { query: ' ', profile: 'fast' }, {}],
    ['rows are read', 'knowledge', { query: 'red canoe' }, {}],
    [
      'an empty answer is explained',
      'knowledge',
      { query: 'submarine' },
      { withoutEmbedder: true },
    ],
  ])('while %s, the SQL statement is cancelled', async (_, table, body, limits) => {
    await holding(table, () => leaves(body, limits));
  });
});
