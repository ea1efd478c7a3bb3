/** Keys of holds travel opened, and the deployment that takes them in seals them anew. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createHoldKeys } from '../../../engine/forgetting/hold-keys.ts';
import { withKeysTurned } from '../../../engine/portability/sealed-keys.ts';

const ACCOUNT = 'account';
const here = createHoldKeys(new Uint8Array(randomBytes(32)), ACCOUNT);
const there = createHoldKeys(new Uint8Array(randomBytes(32)), ACCOUNT);
const asBytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;
const bytesOf = (line: string | undefined, column: string): Uint8Array => {
  const row: Record<string, unknown> = Object(JSON.parse(line ?? '{}'));
  return new Uint8Array(Buffer.from(String(row[column]).slice(2), 'hex'));
};

test.each([
  ['forget_holds', 'sealed_key', 'hold-1', { id: 'hold-1', kind: 'own' }],
  ['forget_books', 'sealed_hint_key', 'hints', { acts: 'own' }],
] as const)('%s', (table, column, of, row) => {
  const { key, sealed } = here.fresh(of);
  const line = JSON.stringify({ ...row, [column]: asBytea(sealed) });
  const travelling = withKeysTurned(table, [line], here);
  expect(bytesOf(travelling[0], column)).toEqual(key);
  const [arrived] = withKeysTurned(table, travelling, there);
  expect(bytesOf(arrived, column)).not.toEqual(sealed);
  expect(there.opened(of, bytesOf(arrived, column))).toEqual(key);
});

test('lines of other tables, and a book without a key, stay byte for byte', () => {
  const line = '{"sealed_key":"\\\\x00",  "id":"one"}';
  expect(withKeysTurned('messages', [line], here)).toEqual([line]);
  const none = '{"acts":"own","sealed_hint_key":null}';
  expect(withKeysTurned('forget_books', [none], here)).toEqual([none]);
});
