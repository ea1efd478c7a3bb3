/** What travels in an archive, held to the registry of erasure, which knows every column of every table. */
import { describe, expect, test } from '@jest/globals';
import { TABLES } from '../../../domain/erasure/registry.ts';
import { LEFT_BEHIND, TRAVELLING, TRAVELLING_NAMES } from '../../../domain/portability/tables.ts';

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

describe('the tables of an archive', () => {
  test('every table travels or is left behind, and none does both', () => {
    expect(sorted([...TRAVELLING_NAMES, ...Object.keys(LEFT_BEHIND)])).toEqual(
      sorted(Object.keys(TABLES)),
    );
  });

  test.each(TRAVELLING_NAMES.map((name) => [name]))(
    'every column of %s travels or is left with its value after an import',
    (name) => {
      const { account, columns, left } = TRAVELLING[name];
      const known = TABLES[name];
      expect(sorted([account, ...columns, ...Object.keys(left)])).toEqual(
        sorted([...(known?.content ?? []), ...(known?.id ?? []), ...(known?.neither ?? [])]),
      );
    },
  );

  test.each(TRAVELLING_NAMES.map((name) => [name]))('%s refers to earlier tables only', (name) => {
    const earlier: readonly string[] = TRAVELLING_NAMES.slice(0, TRAVELLING_NAMES.indexOf(name));
    const { columns, references } = TRAVELLING[name];
    for (const [column, table] of Object.entries(references)) {
      expect([name, columns.includes(column)]).toEqual([name, true]);
      expect(earlier).toContain(table);
    }
  });

  test('no hash of a secret and no value that a key of the deployment made travels', () => {
    const travelling = TRAVELLING_NAMES.flatMap((name) =>
      TRAVELLING[name].columns.map((column) => `${name}.${column}`),
    );
    for (const secret of [
      'audiences.digest',
      'credentials.secret_hash',
      'erasure_requests.access_hash',
      'logins.password_hash',
    ]) {
      expect(travelling).not.toContain(secret);
    }
  });
});
