/** Filters of a queue that is longer than what one page looks at. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CuratorReach } from '../../../domain/governance/curator-reach.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { withAccount, type Queryable } from '../../../stores/postgres/pool.ts';
import type { QueuePage } from '../../../stores/postgres/knowledge/reviews.store.ts';
import { createStores, type Stores } from '../../../stores/postgres/stores.ts';
import { Scene } from '../observations/scene.ts';

const ITEMS = 25_000;
/** One item in so many is a contest, and escalated. */
const RARE = 3_001;
const ACCOUNT = '00000001-0000-7000-8000-000000000000';
const id = (kind: number, n: number | string) =>
  `('00000001-000${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const idOf = (kind: number, n: number) =>
  `00000001-000${kind}-7000-8000-${n.toString(16).padStart(12, '0')}`;
/** Two thirds of the items stand in the first, some in the second, none in the third. */
const SCOPES = [1, 2, 3].map((n) => idOf(1, n));

const SEED = [
  `insert into accounts (id, key, name, gate_preset) values ('${ACCOUNT}', 'queue', 'Queue', 'assisted')`,
  `insert into scopes (account_id, id, path, parent_id)
   select '${ACCOUNT}', ${id(1, 'n')}, '/s' || n, ${id(1, 9)} from generate_series(1, 3) n`,
  `insert into knowledge (account_id, id, scope_id, subject_scope_id, statement, statement_hash, kind, confidence,
     evidence_level, sensitivity, target_level, state, verification, corroboration_count, text_occurred_at,
     text_source_hash, extracting_provider, pipeline_version, source_count, submitter_count)
   select '${ACCOUNT}', ${id(2, 'n')}, ${id(1, '1 + (n % 3) / 2')}, ${id(1, 1)}, 'Boat ' || n || ' leaks.',
     sha256(convert_to('boat' || n, 'UTF8')),
     'fact', 0.9, 'direct', 'internal', 'peer', 'proposed', 'pending', 1, now(), sha256('x'), 'deterministic', 'f5-1', 1,
     1
   from generate_series(1, ${ITEMS}) n`,
  `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, kind, state, reason, due_at)
   select k.audience_id is not null, k.account_id, ${id(3, 'n')}, k.id, k.scope_id,
     (case when n % ${RARE} = ${RARE} - 1 then 'contest' else 'gate_a_b' end)::review_kind,
     (case when n % ${RARE} = ${RARE} - 1 then 'escalated' else 'pending' end)::review_state, 'person_decides',
     now() + make_interval(secs => n * 7919 % ${ITEMS})
   from generate_series(1, ${ITEMS}) n join knowledge k on k.id = ${id(2, 'n')}`,
  'analyze',
];

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({
    async prepare({ adminUrl }) {
      const admin = new Client({ connectionString: adminUrl });
      await admin.connect();
      try {
        await admin.query('set session_replication_role = replica');
        for (const statement of SEED) await admin.query(statement);
      } finally {
        await admin.end();
      }
    },
  });
});
afterAll(() => scene.close());

const part = (scopeIds: readonly string[] | null, page: QueuePage) =>
  withAccount(scene.pool, ACCOUNT, (tx) => createStores(tx, ACCOUNT).reviews.next(scopeIds, page));

/** Of the items that are contests, as they are escalated: what a page asks for. */
const FILTERS = [{ kind: 'contest' }, { state: 'escalated' }] as const;
const CASES = (['due', 'newest'] as const).flatMap((order) =>
  FILTERS.flatMap((filter) =>
    ([null, SCOPES.slice(0, 1), SCOPES] as const).map((scopeIds) => ({ order, filter, scopeIds })),
  ),
);
/** A kind has a queue of its own in the order of dates. */
const hasQueue = ({ filter, order }: (typeof CASES)[number]): boolean =>
  order === 'due' && 'kind' in filter;

const FIRST_PAGE = {
  kind: null,
  state: null,
  subjectPeerId: null,
  curatorPeerId: null,
  order: 'due',
  afterId: null,
  limit: 5,
} as const;

async function paged(asked: (typeof CASES)[number], limit: number) {
  const found: string[] = [];
  let pages = 0;
  let endedEarly = 0;
  for (let afterId: string | null | undefined = null; afterId !== undefined; pages += 1) {
    const { items, lookedUpTo } = await part(asked.scopeIds, {
      ...FIRST_PAGE,
      ...asked.filter,
      order: asked.order,
      afterId,
      limit,
    });
    found.push(...items.map((item) => item.id));
    if (items.length < limit && lookedUpTo !== null) endedEarly += 1;
    afterId = items.length === limit ? items.at(-1)?.id : (lookedUpTo ?? undefined);
  }
  return { found, pages, endedEarly };
}

test.each(CASES)('pages of what is rare have all of it in order: %j', async (asked) => {
  const expected = await scene.rows(
    `select id from review_items where account_id = $1 and kind = 'contest' and ($2::uuid[] is null or scope_id = any($2))
     order by ${asked.order === 'due' ? 'due_at, id' : 'id desc'}`,
    [ACCOUNT, asked.scopeIds],
  );
  expect(expected.length).toBeGreaterThan(3);
  const limit = 5;
  const { endedEarly, found, pages } = await paged(asked, limit);
  expect(found).toEqual(expected.map((row) => row['id']));
  if (hasQueue(asked)) {
    expect(endedEarly).toBe(0);
    expect(pages).toBe(Math.floor(expected.length / limit) + 1);
  } else {
    expect(endedEarly).toBeGreaterThan(0);
    expect(pages).toBeLessThan(20);
  }
});

test('a filter that nothing fits ends at the end of the queue', async () => {
  const page = { ...FIRST_PAGE, state: 'deferred', limit: 26 } as const;
  const looks: (string | null)[] = [];
  for (let afterId: string | null = null, look = 0; look === 0 || afterId !== null; look += 1) {
    const { items, lookedUpTo } = await part(null, { ...page, afterId });
    expect(items).toEqual([]);
    looks.push(lookedUpTo);
    afterId = lookedUpTo;
  }
  expect(looks).toEqual([expect.any(String), expect.any(String), null]);
});

/** Rows of items that the session has read so far. */
const readSoFar = (tx: Queryable) =>
  tx.oneFirst(sql.type(z.object({ n: z.number() }))`
    select (seq_tup_read + idx_tup_fetch)::integer as n from pg_stat_xact_user_tables
    where relname = 'review_items'`);

/** Rows of items that the database reads while something is asked. */
const readWhile = <T>(ask: (stores: Stores) => Promise<T>) =>
  withAccount(scene.pool, ACCOUNT, async (tx) => {
    const before = await readSoFar(tx);
    const answer = await ask(createStores(tx, ACCOUNT));
    return { answer, read: (await readSoFar(tx)) - before };
  });

test.each([null, SCOPES])(
  'a page of a kind meets no item of another kind: %j',
  async (scopeIds) => {
    const of = (filter: object) =>
      readWhile(({ reviews }) => reviews.next(scopeIds, { ...FIRST_PAGE, ...filter }));
    const first = await of({ kind: 'contest' });
    expect(first.read).toBeLessThan(50);
    const next = await of({ kind: 'contest', afterId: first.answer.items.at(-1)?.id });
    expect(next.read).toBeLessThan(50);
    expect((await of({ state: 'escalated' })).read).toBeGreaterThan(5_000);
  },
);

const REACH: CuratorReach = {
  peerId: null,
  openings: { tops: [{ path: ROOT_PATH, reachesBelow: true }], closedBelow: [], closedHere: [] },
};

test.each([null, SCOPES])(
  'the items of each kind are counted, up to a number: %j',
  async (scopeIds) => {
    const { answer, read } = await readWhile(({ reviewDesk }) =>
      scopeIds === null ? reviewDesk.withinReach(REACH) : reviewDesk.inScopes(scopeIds, null),
    );
    expect(answer).toEqual([
      { kind: 'gate_a_b', count: 999, is_capped: true, oldest_at: expect.any(String) },
      { kind: 'gate_b', count: 0, is_capped: false, oldest_at: null },
      { kind: 'revalidation', count: 0, is_capped: false, oldest_at: null },
      {
        kind: 'contest',
        count: Math.floor(ITEMS / RARE),
        is_capped: false,
        oldest_at: expect.any(String),
      },
      { kind: 'conflict', count: 0, is_capped: false, oldest_at: null },
    ]);
    // Of the account, whether there are more than 10,000 is looked for too.
    expect(read).toBeLessThan(scopeIds === null ? 12_000 : 2_000);
  },
);
