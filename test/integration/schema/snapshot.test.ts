import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MEANINGS } from '../../../stores/postgres/errors.ts';
import { describeSchema } from '../../../stores/postgres/schema-description.ts';
import { testSetting } from '../../support/environment.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

const SNAPSHOT = new URL('../../../stores/postgres/schema.sql', import.meta.url);
let database: OpenDatabase;
let described: string;

beforeAll(async () => {
  database = await openTestDatabase();
  described = await describeSchema(database.pool);
  // As `npm run schema:dump` asks; git then shows what changed.
  if (testSetting('VOUCH_SCHEMA_WRITE', 0) === 1) await writeFile(SNAPSHOT, described);
});
afterAll(() => database.close());

test('the migrations amount to the committed schema.sql (npm run schema:dump writes it anew)', async () => {
  expect(described).toBe(await readFile(SNAPSHOT, 'utf8'));
});

test('no kind of relation escapes the description', () => {
  expect(described).not.toContain('-- not described');
});

test('every constraint that has a meaning to callers is in the schema', () => {
  const missing = Object.keys(MEANINGS).filter(
    // A constraint of a table, or one that a function refuses by.
    (name) =>
      !described.includes(`constraint ${name} `) && !described.includes(`constraint = '${name}'`),
  );
  expect(missing).toEqual([]);
});

test('a change of any part of the schema changes its description', async () => {
  const changes = [
    'alter table peers add column extra integer',
    'alter table peers drop constraint peer_name_has_1_to_256_characters',
    'create index extra on peers (name)',
    'drop policy own_account on peers',
    'alter table peers no force row level security',
    'grant delete on peers to vouch_app',
    'grant update (dispatched_at) on pipeline_runs to vouch_eraser',
    'alter type peer_kind add value $$group$$',
    'alter function lookup_account(text) owner to vouch_owner',
    'alter function current_account() volatile',
    'alter table peers alter column name set default $$x$$',
    'alter sequence dirty_mark_generations start 7',
    'create view extra_view as select id from peers',
  ].map((change) => change.replaceAll('$$', "'"));
  let before = described;
  for (const change of changes) {
    await database.admin.query(change);
    const after = await describeSchema(database.pool);
    expect([change, after === before]).toEqual([change, false]);
    before = after;
  }
});
