/**
 * Lists of somebody who has a role in one scope of an account with many more: that the others exist shows in no answer, and
 * keeps none from what is the caller's own.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import type { Operation } from '../../../operations/operation.ts';
import { listReviews } from '../../../operations/reviews/list.ts';
import { listReadableScopes } from '../../../operations/scopes/readable.ts';
import { listDocuments } from '../../../operations/sources/documents.ts';
import { listObservations } from '../../../operations/sources/observations.ts';
import { listSessions } from '../../../operations/sources/sessions.ts';
import { path as scopeOf, Scene } from '../observations/scene.ts';

const ACCOUNT = '00000001-0000-7000-8000-000000000000';
/** More than any of the lists takes in. */
const OTHERS = 1_200;
/** More than a page of the queue passes over. */
const ITEMS_OF_OTHERS = 10_200;
const id = (kind: number, n: number | string): string =>
  `('00000001-000${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** Scopes are made in this order, so whatever takes the first ones of the account does not meet the last. */
const OWN_NUMBER = OTHERS + 1;

const SEED = [
  `insert into accounts (id, key, name, gate_preset) values ('${ACCOUNT}', 'wide', 'Wide', 'assisted')`,
  `insert into scopes (account_id, id, path) select '${ACCOUNT}', ${id(1, 0)}, '/'
   where not exists (select from scopes where account_id = '${ACCOUNT}')`,
  `insert into scopes (account_id, id, path, parent_id)
   select '${ACCOUNT}', ${id(1, 'n')}, case when n = ${OWN_NUMBER} then '/zz' else '/other' || n end, root.id
   from generate_series(1, ${OWN_NUMBER}) n
   join scopes root on root.account_id = '${ACCOUNT}' and root.path = '/' order by n`,
  `insert into knowledge (account_id, id, scope_id, subject_scope_id, statement, statement_hash, kind, confidence,
     evidence_level, sensitivity, target_level, state, verification, corroboration_count, text_occurred_at,
     text_source_hash, extracting_provider, pipeline_version, source_count, submitter_count)
   select '${ACCOUNT}', ${id(2, 'n')}, s.id, s.id, 'Boat ' || n || ' leaks.',
     sha256(convert_to('boat' || n, 'UTF8')),
     'fact', 0.9, 'direct', 'internal', 'peer', 'proposed', 'pending', 1, now(), sha256('x'), 'deterministic', 'f5-1', 1,
     1
   from generate_series(0, ${ITEMS_OF_OTHERS}) n
   join scopes s on s.id = case when n = 0 then ${id(1, OWN_NUMBER)} else ${id(1, 1)} end`,
  `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, kind, state, reason, due_at)
   select k.audience_id is not null, k.account_id, ${id(3, 'n')}, k.id, k.scope_id, 'gate_a_b', 'pending', 'person_decides',
     now() + case when n = 0 then interval '9 days' else make_interval(secs => n) end
   from generate_series(0, ${ITEMS_OF_OTHERS}) n join knowledge k on k.id = ${id(2, 'n')}`,
  'analyze',
];

let scene: Scene;
let curator: Caller;

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
  curator = await scene.caller(ACCOUNT, {
    key: 'curator',
    kind: 'human',
    role: 'curator',
    at: '/zz',
  });
  const relay = await scene.caller(ACCOUNT, { key: 'relay', role: 'member' });
  for (const scope of ['/zz', '/other1']) {
    await scene.ingest(relay, { scope_path: scope, session_id: `of${scope}`, peer_key: 'ana' });
  }
}, 120_000);
afterAll(() => scene?.close());

const asked = (caller: Caller, grants: Caller['grants'] = caller.grants) =>
  scene.context({ ...caller, grants });

describe('the curator of one scope of very many', () => {
  test('sees what was said in it, and no word about the others', async () => {
    const observations = await execute(listObservations, asked(curator), {});
    expect(observations.items.map((item) => item.scope_path)).toEqual(['/zz']);
    const sessions = await execute(listSessions, asked(curator), {});
    expect(sessions.items.map((item) => item.session_id)).toEqual(['of/zz']);
    const documents = await execute(listDocuments, asked(curator), {});
    for (const page of [observations, sessions, documents]) expect(page.next_cursor).toBeNull();
  });

  test('sees the one item of its queue at once, however many wait for others', async () => {
    const page = await execute(listReviews, asked(curator), {});
    expect(page.items.map((item) => item.knowledge.statement)).toEqual(['Boat 0 leaks.']);
    expect(page.next_cursor).toBeNull();
  });

  test('finds that scope among those to look in, and hears of no more', async () => {
    expect(await execute(listReadableScopes, asked(curator), {})).toEqual({
      items: [{ path: '/zz', role: 'curator' }],
      more: false,
    });
  });

  test('finds it too beside one that is denied', async () => {
    const grants: Caller['grants'] = [
      ...curator.grants,
      { scopePath: scopeOf('/other7'), role: 'reader', effect: 'allow', propagate: true },
      { scopePath: scopeOf('/other8'), role: 'reader', effect: 'allow', propagate: true },
      { scopePath: scopeOf('/other8'), role: 'reader', effect: 'deny', propagate: true },
    ];
    const { items } = await execute(listReadableScopes, asked(curator, grants), {});
    expect(items).toEqual([
      { path: '/other7', role: 'reader' },
      { path: '/zz', role: 'curator' },
    ]);
  });
});

describe('who may do so everywhere', () => {
  const everywhere = (role: 'reader' | 'curator'): Caller['grants'] => [
    { scopePath: scopeOf('/'), role, effect: 'allow', propagate: true },
  ];

  test('is told a thousand scopes, and that there are more', async () => {
    const { items, more } = await execute(
      listReadableScopes,
      asked(curator, everywhere('reader')),
      {},
    );
    expect([items.length, more]).toEqual([1_000, true]);
  });

  test('is asked to name a part where curating more than one list takes in', async () => {
    for (const operation of [listDocuments, listObservations, listSessions] as Operation[]) {
      await expect(
        execute(operation, asked(curator, everywhere('curator')), {}),
      ).rejects.toMatchObject({
        code: 'invalid_request',
        fields: [{ path: 'scope_path', message: expect.stringContaining('that you curate') }],
      });
      const input = { scope_path: '/zz' };
      const page = await execute(operation, asked(curator, everywhere('curator')), input);
      expect(page).toMatchObject({ next_cursor: null });
    }
  });

  test('is held by a pin to what lies below it', async () => {
    const grants = everywhere('curator');
    const pinned = { ...curator, grants, pinPath: scopeOf('/zz') };
    const { items, more } = await execute(listReadableScopes, scene.context(pinned), {});
    expect([items, more]).toEqual([[{ path: '/zz', role: 'curator' }], false]);
    const observations = await execute(listObservations, scene.context(pinned), {});
    expect(observations.items.map((item) => item.scope_path)).toEqual(['/zz']);
    const elsewhere = await execute(listObservations, scene.context(pinned), {
      scope_path: '/other1',
    });
    expect(elsewhere.items).toEqual([]);
  });
});
