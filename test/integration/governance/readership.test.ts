/** How many people read a statement: by their roles, by its sources, and by what its audience names. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { StatementAudience } from '../../../domain/governance/audience.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { createStores } from '../../../stores/postgres/stores.ts';
import { Scene } from '../observations/scene.ts';

const ACCOUNT = '00000001-0000-7000-8000-000000000000';
const KINDS = { scope: 1, peer: 2, statement: 3, audience: 4, circle: 5, grant: 6 } as const;
const id = (kind: keyof typeof KINDS, n: number): string =>
  `00000001-000${KINDS[kind]}-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Peers 1 to 1,100 may read `/crowd`, 1 to 6 `/team` and what is below it. */
const CROWD = 1_100;
const PATHS = ['/', '/team', '/team/deep', '/crowd'];
interface Given {
  readonly peer: number;
  readonly path: string;
  readonly role?: string;
  readonly effect?: string;
  readonly propagate?: boolean;
}
const GRANTS: readonly Given[] = [
  ...Array.from({ length: CROWD }, (_, n) => ({ peer: n + 1, path: '/crowd' })),
  ...[1, 2, 3, 4, 5, 6].map((peer) => ({ peer, path: '/team' })),
  // Twice a reader is one reader.
  { peer: 1, path: '/', role: 'curator' },
  { peer: 2, path: '/team', role: 'member' },
  { peer: 7, path: '/team/deep' },
  { peer: 8, path: '/team', propagate: false },
  { peer: 6, path: '/team/deep', effect: 'deny' },
];

/** One of each: named by no audience, by peers and a circle, and by a role. */
const STATEMENTS = { plain: 1, named: 2, ofRole: 3 } as const;
const SUBJECT = 20;
const SUBMITTERS = [1, 21];

async function seed(admin: Client): Promise<void> {
  const put = async (table: string, rows: readonly object[]): Promise<void> => {
    const all = rows.map((row) => ({ account_id: ACCOUNT, ...row }));
    const names = Object.keys(all[0] ?? {}).join(', ');
    await admin.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(all)],
    );
  };
  await admin.query(
    `insert into accounts (id, key, name, gate_preset) values ('${ACCOUNT}', 'crowd', 'Crowd', 'assisted')`,
  );
  await admin.query(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, id, path, case when path <> '/' then $4::uuid end from unnest($2::uuid[], $3::text[]) as s (id, path)`,
    [ACCOUNT, PATHS.map((_, n) => id('scope', n)), PATHS, id('scope', 0)],
  );
  await admin.query(
    `insert into peers (account_id, id, key, name, kind)
     select $1, ('00000001-0002-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'p' || n, 'Person ' || n, 'human'
     from generate_series(1, ${CROWD}) n`,
    [ACCOUNT],
  );
  await admin.query(
    `insert into grants (account_id, id, peer_id, scope_path, role, effect, propagate)
     select $1, gen_random_uuid(), g.peer, g.path, g.role::role_name, g.effect::grant_effect, g.propagate
     from jsonb_to_recordset($2) as g (peer uuid, path text, role text, effect text, propagate boolean)`,
    [
      ACCOUNT,
      JSON.stringify(
        GRANTS.map(({ effect = 'allow', path, peer, propagate = true, role = 'reader' }) => ({
          peer: id('peer', peer),
          path,
          role,
          effect,
          propagate,
        })),
      ),
    ],
  );
  const team = id('scope', PATHS.indexOf('/team'));
  await put(
    'audiences',
    [2, 3].map((n) => ({ id: id('audience', n), scope_id: team })),
  );
  await put('circles', [{ id: id('circle', 1), scope_id: team, name: 'care', created_at: 'now' }]);
  // Of the circle, one may not read the scope.
  await put(
    'circle_members',
    [3, 4, 99].map((peer) => ({
      circle_id: id('circle', 1),
      peer_id: id('peer', peer),
      scope_id: team,
      added_at: 'now',
    })),
  );
  await put('audience_members', [
    { audience_id: id('audience', 2), principal: id('peer', 2) },
    { audience_id: id('audience', 2), principal: id('circle', 1) },
    { audience_id: id('audience', 3), principal: `${team}/member` },
  ]);
  await admin.query(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, audience_id, statement, statement_hash, kind,
       confidence, evidence_level, sensitivity, target_level, state, verification, corroboration_count,
       text_occurred_at, text_source_hash, extracting_provider, pipeline_version, source_count, submitter_count)
     select $1, k.id, $2, $3, k.audience, 'Boats leak.', sha256('boats'), 'fact', 0.9, 'direct', 'internal', 'peer',
       'active', 'pending', 1, now(), sha256('x'), 'deterministic', 'f5-1', 1, 2
     from unnest($4::uuid[], $5::uuid[]) as k (id, audience)`,
    [
      ACCOUNT,
      team,
      id('peer', SUBJECT),
      [1, 2, 3].map((n) => id('statement', n)),
      [null, id('audience', 2), id('audience', 3)],
    ],
  );
  await put(
    'knowledge_submitters',
    SUBMITTERS.flatMap((peer) =>
      [1, 2, 3].map((n) => ({
        knowledge_id: id('statement', n),
        peer_id: id('peer', peer),
        scope_id: team,
        state: 'active',
        confidence: 0.9,
        recorded_at: 'now',
      })),
    ),
  );
}

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({
    async prepare({ adminUrl }) {
      const admin = new Client({ connectionString: adminUrl });
      await admin.connect();
      try {
        await admin.query('set session_replication_role = replica');
        await seed(admin);
      } finally {
        await admin.end();
      }
    },
  });
});
afterAll(() => scene.close());

type Asked = readonly [StatementAudience, string, readonly (keyof typeof STATEMENTS)[]];
const count = (asked: readonly Asked[]) =>
  withAccount(scene.pool, ACCOUNT, (tx) =>
    createStores(tx, ACCOUNT).readership.count(
      asked.map(([readers, scope_path, of]) => ({
        readers,
        scope_path,
        knowledgeIds: of.map((name) => id('statement', STATEMENTS[name])),
      })),
    ),
  );

test.each([
  ['scope', '/team', 'plain', 7],
  ['everyone', '/team', 'plain', 7],
  // One more than at the scope above, without who is denied and who may read that one alone.
  ['scope', '/team/deep', 'plain', 6],
  ['scope', '/', 'plain', 1],
  ['submitters', '/team', 'plain', 2],
  ['subject', '/team', 'plain', 3],
  // Who is named, the circle as far as it may read the scope, subject and submitters.
  ['addressed', '/team', 'named', 6],
  // A curator above has the role too.
  ['addressed', '/team', 'ofRole', 4],
  ['nobody', '/team', 'plain', 0],
] as const)('%s at %s of the %s statement are %s people', async (readers, path, of, people) => {
  expect(await count([[readers, path, [of]]])).toEqual([{ count: people, is_capped: false }]);
});

test('a count stops at a number, and says so', async () => {
  expect(await count([['scope', '/crowd', ['plain']]])).toEqual([{ count: 999, is_capped: true }]);
});

test('people are counted once in a group, whatever they read of it, and each group for itself', async () => {
  expect(
    await count([
      ['subject', '/team', ['plain', 'named', 'ofRole']],
      ['submitters', '/team', ['plain', 'named']],
      ['nobody', '/team', ['plain']],
    ]),
  ).toEqual([3, 2, 0].map((people) => ({ count: people, is_capped: false })));
});

test('who is being erased is not counted', async () => {
  await scene.rows('update peers set erasing_at = now() where id = $1', [id('peer', SUBJECT)]);
  expect(await count([['subject', '/team', ['plain']]])).toEqual([{ count: 2, is_capped: false }]);
});
