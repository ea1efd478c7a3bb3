/** The registry of erasure against a migrated database: a column that it does not know fails here. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TABLES } from '../../../domain/erasure/registry.ts';
import { ERASURE_STEPS } from '../../../domain/erasure/words.ts';
import { READ_BACK } from '../../../stores/postgres/erasure/remains.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function columns(): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = await database.rows(
    `select table_name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns where table_schema = 'public' group by table_name`,
  );
  return Object.fromEntries(
    rows.map((row) => [String(row['table_name']), row['columns'] as string[]]),
  );
}

describe('the registry of erasure', () => {
  test('classifies every column of every table, each once, and no other', async () => {
    const registered = Object.entries(TABLES).map(
      ([table, { content, id, neither }]) =>
        [table, [...content, ...id, ...neither].toSorted()] as const,
    );
    expect(Object.fromEntries(registered)).toEqual(await columns());
  });

  test('says of each table with something of a person what becomes of it', () => {
    for (const [table, { content, goes, id }] of Object.entries(TABLES)) {
      if (content.length + id.length > 0)
        expect([table, goes]).not.toEqual([table, { stays: 'Nothing of a person.' }]);
      if ('with' in goes) expect(Object.keys(TABLES)).toContain(goes.with);
    }
  });

  test('names a step that exists, and a place that is read back, for each table that a step erases', () => {
    const places = Object.values(TABLES).flatMap(({ goes }) => ('step' in goes ? [goes] : []));
    for (const { step, verifiedBy } of places) {
      expect(ERASURE_STEPS).toContain(step);
      expect(READ_BACK).toContain(verifiedBy);
    }
    expect(new Set(places.map(({ step }) => step))).toEqual(new Set(ERASURE_STEPS));
  });

  test('knows the column of every place that is read back', () => {
    for (const place of READ_BACK) {
      const [table = '', column = ''] = place.split('.');
      const known = TABLES[table];
      expect([place, [...(known?.id ?? []), ...(known?.content ?? [])].includes(column)]).toEqual([
        place,
        true,
      ]);
    }
  });
});
