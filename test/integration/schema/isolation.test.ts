/** What keeps accounts apart, read from the catalogue of a migrated database and tried as the service. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Tables without row security, at most five, each with its reason. */
const OPEN_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'names and checksums of shipped files; belongs to the deployment',
  index_marks: 'random marks of the search indexes; belongs to the deployment',
  vector_spaces: 'names and widths of collections of vectors; belongs to the deployment',
  sweep_passes: 'times of the last sweeps; belongs to the deployment',
  sign_in_attempts: 'a failed attempt has no account; holds keyed hashes and times only',
};

/** The functions that look or mark across accounts. */
const LOOKUPS = [
  'count_dirty_marks',
  'count_extraction_anchors',
  'count_governance',
  'count_overdue_reviews',
  'count_provider_attempts',
  'count_sweep_setbacks',
  'count_unfinished_runs',
  'forget_idempotency_records',
  'highest_token_shares',
  'lookup_account',
  'lookup_accounts',
  'lookup_accounts_after',
  'lookup_accounts_to_project',
  'lookup_accounts_to_sweep',
  'lookup_accounts_with_usage',
  'lookup_credential',
  'lookup_erasure',
  'lookup_login',
  'lookup_mailbox_looks',
  'lookup_mailboxes_with_work',
  'lookup_neglected_mailboxes',
  'lookup_oldest_erasure',
  'lookup_oldest_projection_mark',
  'lookup_undispatched_runs',
  'lookup_unsealed_accounts',
  'mark_dispatched',
  'mark_rung',
  'nudge_overdue_decisions',
];

/** The functions that erase or seal what the service itself may not change, in the account of the transaction only. */
const ERASERS = [
  'count_imported',
  'erase_item_links',
  'erase_messages',
  'erase_relays',
  'hold_places_of_messages',
  'import_audit_chain',
  'import_audit_events',
  'prune_attempts',
  'prune_gate_decisions',
  'prune_lifecycle_events',
  'prune_runs',
  'prune_tokens',
  'seal_audit_events',
  'serve_messages',
];

const ACCOUNTS = ['0198c8c8-0000-7000-8000-00000000000a', '0198c8c8-0000-7000-8000-00000000000b'];

let database: TestDatabase;
let admin: Client;
let app: Client;

async function column(client: Client, query: string): Promise<unknown[]> {
  const { rows } = await client.query({ text: query, rowMode: 'array' });
  return rows.map((row: unknown[]) => row[0]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.adminUrl });
  app = new Client({ connectionString: database.appUrl });
  await Promise.all([admin.connect(), app.connect()]);
  for (const account of ACCOUNTS) {
    await admin.query(`select set_config('app.account_id', '${account}', false)`);
    await admin.query(`
      insert into accounts (id, key, name) values ('${account}', '${account}', 'x');
      insert into scopes (account_id, id, path) values ('${account}', '${account}', '/');
      insert into peers (account_id, id, key, name, kind) values ('${account}', '${account}', 'k', 'n', 'human');
      insert into credentials (account_id, id, kind, secret_hash, peer_id)
        values ('${account}', '${account}', 'api_key', sha256('${account}'), '${account}')`);
    await admin.query(
      `select ingest_observations($1, 8, json_build_array(json_build_object(
          'place', 1, 'credential_id', $1::uuid, 'caller_peer_id', $1::uuid, 'is_vouched', false,
          'scope_path', '/', 'scope_ids', array[$1::uuid], 'session', 's', 'session_id', gen_random_uuid(),
          'message_id', gen_random_uuid(), 'role', 'user', 'content_hash', sha256('said'), 'occurred_at', now(),
          'occurred_offset_minutes', 0, 'trace_id', repeat('0', 32), 'audit_id', gen_random_uuid())), array['said'], null,
          0, '[]')`,
      [account],
    );
  }
});
afterAll(async () => {
  await Promise.all([admin.end(), app.end()]);
  await database.drop();
});

/** The names of tables for which the condition holds, in order. */
function tables(condition: string): Promise<unknown[]> {
  return column(
    admin,
    `select c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (${condition})
     order by c.relname collate "C"`,
  );
}

describe('every table', () => {
  test('is under forced row security, or is one of the few that are named with a reason', async () => {
    const open = await tables('not (c.relrowsecurity and c.relforcerowsecurity)');
    expect(open).toEqual(Object.keys(OPEN_TABLES).toSorted());
    expect(open.length).toBeLessThanOrEqual(5);
  });

  test('under row security lets its own account through, and no policy says more to the service', async () => {
    const { rows } = await admin.query<{ tablename: string; policy: string }>(`
      select tablename, concat_ws(' ', policyname, cmd, roles, qual, with_check) as policy
      from pg_policies where not roles <@ '{vouch_lookup,vouch_eraser}' order by 1`);
    const secured = await tables('c.relrowsecurity');
    expect(rows.map(({ tablename }) => tablename)).toEqual(secured);
    for (const { tablename, policy } of rows) {
      const own = tablename === 'accounts' ? 'id' : 'account_id';
      expect(policy).toBe(
        `own_account ALL {public} (${own} = current_account()) (${own} = current_account())`,
      );
    }
  });

  test('carries the account in every foreign key to another table of accounts', async () => {
    const offenders = await column(
      admin,
      `select k.conrelid::regclass || '.' || k.conname
       from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'account_id'
       where k.contype = 'f' and k.connamespace = 'public'::regnamespace
         and not exists (
           select from unnest(k.conkey, k.confkey) as pair (near, far)
           join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.far
           where pair.near = a.attnum
             and f.attname = case k.confrelid::regclass::text when 'accounts' then 'id' else 'account_id' end)`,
    );
    expect(offenders).toEqual([]);
    const [between] = await column(
      admin,
      `select count(*)::int from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
    expect(between).toBeGreaterThan(40);
  });

  test('has the account as a column that is never null', async () => {
    const without = await tables(`c.relrowsecurity and c.relname <> 'accounts' and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull)`);
    expect(without).toEqual([]);
  });

  test('shows the service no row without an account, and one account its own rows only', async () => {
    const secured = await tables('c.relrowsecurity');
    const filled: string[] = [];
    for (const table of secured) {
      const key = table === 'accounts' ? 'id' : 'account_id';
      const query = `select distinct ${key} from ${String(table)}`;
      for (const setting of ['reset app.account_id', "set app.account_id = ''"]) {
        await app.query(setting);
        expect([table, await column(app, query)]).toEqual([table, []]);
      }
      await app.query(`set app.account_id = '${ACCOUNTS[0]}'`);
      const own = await column(app, query);
      if (own.length > 0) filled.push(String(table));
      expect([table, own.every((id) => id === ACCOUNTS[0])]).toEqual([table, true]);
    }
    await app.query('reset app.account_id');
    expect(filled).toEqual(
      expect.arrayContaining([
        'accounts',
        'audit_events',
        'credentials',
        'dirty_marks',
        'messages',
        'peers',
      ]),
    );
  });

  test('refuses a row of another account', async () => {
    await app.query(`set app.account_id = '${ACCOUNTS[0]}'`);
    const insert = `insert into peers (account_id, id, key, name, kind)
      values ('${ACCOUNTS[1]}', gen_random_uuid(), 'spy', 'spy', 'agent')`;
    await expect(app.query(insert)).rejects.toMatchObject({ code: '42501' });
    await app.query('reset app.account_id');
  });
});

describe('messages', () => {
  test.each(["update messages set content = 'other'", 'delete from messages', 'truncate messages'])(
    'refuse the service: %s',
    async (statement) => {
      await app.query(`set app.account_id = '${ACCOUNTS[0]}'`);
      await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
      await app.query('reset app.account_id');
    },
  );

  test.each(['audit_events', 'gate_decisions', 'lifecycle_events'])(
    'and so does the append-only table %s',
    async (table) => {
      const statements = [`delete from ${table}`, `update ${table} set id = id`];
      for (const statement of statements) {
        await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
    },
  );
});

describe('the functions that look across accounts', () => {
  test('and those that erase are exactly these, owned by their roles, for vouch_app alone', async () => {
    const { rows } = await admin.query(`
      select p.proname, p.proowner::regrole::text as owner, p.proconfig::text as settings,
        (select array_agg(distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
          from aclexplode(p.proacl) a where a.grantee <> p.proowner)::text as callers
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`);
    expect(rows).toEqual(
      [...LOOKUPS, ...ERASERS].toSorted().map((proname) => ({
        proname,
        owner: ERASERS.includes(proname) ? 'vouch_eraser' : 'vouch_lookup',
        settings: '{"search_path=public, pg_temp"}',
        callers: '{vouch_app}',
      })),
    );
  });

  test('return ids, numbers, booleans, instants and words of closed lists, and never text', async () => {
    const { rows } = await admin.query<{ proname: string; type: string; allowed: boolean }>(`
      with returned as (
        select p.proname, t.oid from pg_proc p,
          unnest(case when p.proargmodes is null then array[p.prorettype]
            else (select array_agg(a.type) from unnest(p.proallargtypes, p.proargmodes) as a (type, mode)
              where a.mode in ('o', 'b', 't')) end) as t (oid)
        where p.pronamespace = 'public'::regnamespace and p.prosecdef)
      select r.proname, t.typname as type,
        t.typtype = 'e' or t.oid in ('uuid'::regtype, 'integer'::regtype, 'boolean'::regtype,
          'timestamptz'::regtype) as allowed
      from returned r join pg_type t on t.oid = r.oid order by 1, 2`);
    expect(new Set(rows.map(({ proname }) => proname))).toEqual(new Set([...LOOKUPS, ...ERASERS]));
    expect(rows.filter(({ allowed }) => !allowed)).toEqual([]);
  });

  test('are owned by a role that cannot log in and may read no content, statement, name, path or password', async () => {
    const { rows } = await admin.query(`
      select rolname, rolcanlogin, rolsuper, rolbypassrls from pg_roles
      where rolname in ('vouch_lookup', 'vouch_eraser', 'vouch_app', 'vouch_owner') order by 1`);
    expect(rows).toEqual([
      { rolname: 'vouch_app', rolcanlogin: true, rolsuper: false, rolbypassrls: false },
      { rolname: 'vouch_eraser', rolcanlogin: false, rolsuper: false, rolbypassrls: false },
      { rolname: 'vouch_lookup', rolcanlogin: false, rolsuper: false, rolbypassrls: false },
      { rolname: 'vouch_owner', rolcanlogin: false, rolsuper: false, rolbypassrls: false },
    ]);
    const secret = await column(
      admin,
      `select table_name || '.' || column_name from information_schema.column_privileges
       where grantee = 'vouch_lookup' and column_name in ('content', 'statement', 'name', 'path', 'password_hash')`,
    );
    expect(secret).toEqual([]);
  });
});

test('the service role cannot switch to another role', async () => {
  for (const role of ['vouch_owner', 'vouch_lookup', 'vouch_eraser', 'postgres']) {
    await expect(app.query(`set role ${role}`)).rejects.toMatchObject({ code: '42501' });
  }
});
