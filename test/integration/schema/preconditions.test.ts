import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import type { DatabasePool } from 'slonik';
import { openPool } from '../../../stores/postgres/pool.ts';
import {
  assertDatabaseUsable,
  assertLeastPrivilege,
  pendingMigrations,
  schemaMark,
} from '../../../stores/postgres/preconditions.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

let database: OpenDatabase;
let admin: Client;
let app: DatabasePool;

beforeEach(async () => {
  database = await openTestDatabase();
  ({ admin, pool: app } = database);
});
afterEach(() => database.close());

/** Empties the database of everything of ours. */
async function empty(): Promise<void> {
  await admin.query(
    'drop schema public cascade; create schema public; grant usage on schema public to public',
  );
}

const OUR_TABLE = `create table schema_migrations (name text primary key, sha256 text not null,
  applied_at timestamptz not null default now()); grant select on schema_migrations to vouch_app`;

describe('a database', () => {
  test('is ours when it carries our migrations', async () => {
    expect(await schemaMark(app)).toBe('ours');
    expect(await pendingMigrations(app)).toEqual([]);
    await assertDatabaseUsable(app);
  });

  test('is empty when no table exists in it', async () => {
    await empty();
    expect(await schemaMark(app)).toBe('empty');
    await expect(assertDatabaseUsable(app)).rejects.toThrow(/is empty/);
  });

  test('is foreign when it holds other tables, in whatever schema', async () => {
    await empty();
    await admin.query('create schema other; create table other.things (id integer)');
    expect(await schemaMark(app)).toBe('foreign');
    await expect(assertDatabaseUsable(app)).rejects.toThrow(/another application/);
  });

  test('is foreign when its table of migrations belongs to another tool', async () => {
    await empty();
    await admin.query(
      'create table schema_migrations (version text primary key); create table things (id integer)',
    );
    expect(await schemaMark(app)).toBe('foreign');
    await empty();
    await admin.query(`${OUR_TABLE}; create table things (id integer)`);
    expect(await schemaMark(app)).toBe('foreign');
  });

  test('is ours after a start that was cut short, and lacks every migration', async () => {
    await empty();
    await admin.query(OUR_TABLE);
    expect(await schemaMark(app)).toBe('ours');
    expect((await pendingMigrations(app))[0]).toBe('0001_identity.sql');
    await expect(assertDatabaseUsable(app)).rejects.toThrow(/lacks \d+ migrations/);
  });

  test('that was restored without the owners of its functions is refused, with what to do', async () => {
    await admin.query('alter function lookup_account(text) owner to vouch_owner');
    await expect(assertDatabaseUsable(app)).rejects.toThrow(
      /^1 functions .* restored without its owners. Restore it again without --no-owner/,
    );
  });

  test('of another build is refused', async () => {
    await admin.query(
      "insert into schema_migrations (name, sha256) values ('9999_future.sql', 'x')",
    );
    await expect(pendingMigrations(app)).rejects.toThrow(/Another build/);
  });
});

describe('the service', () => {
  test('works as vouch_app', async () => {
    await expect(assertLeastPrivilege(app)).resolves.toBeUndefined();
  });

  test('refuses to work as the superuser', async () => {
    const pool = await openPool(database.adminUrl, { maxPoolSize: 1 });
    try {
      await expect(assertLeastPrivilege(pool)).rejects.toThrow(/is a superuser/);
    } finally {
      await pool.end();
    }
  });
});

describe('a role of another name', () => {
  const role = `stronger_${process.pid}`;

  test.each([
    ['bypasses row security', 'bypassrls', '', /bypasses row security/],
    ['makes roles', 'createrole', '', /may create roles/],
    ['may become the owner', '', 'grant vouch_owner to %', /owns tables/],
    ['may become the eraser', '', 'grant vouch_eraser to %', /may change or delete messages/],
  ])('is refused when it %s', async (_what, attributes, grant, reason) => {
    await admin.query(`create role ${role} login password 'x' ${attributes}`);
    try {
      if (grant !== '') await admin.query(grant.replace('%', role));
      const url = new URL(database.appUrl);
      url.username = role;
      url.password = 'x';
      const pool = await openPool(url.href, { maxPoolSize: 1 });
      try {
        await expect(assertLeastPrivilege(pool)).rejects.toThrow(reason);
      } finally {
        await pool.end();
      }
    } finally {
      await admin.query(`drop role ${role}`);
    }
  });
});
