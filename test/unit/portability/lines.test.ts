/** Names of members, lines and manifests of archives. */
import { describe, expect, test } from '@jest/globals';
import { APP_VERSION } from '../../../domain/identities.ts';
import {
  FIRST_PAGE_ROWS,
  MOST_LINE_BYTES,
  MOST_PAGE_ROWS,
  nextPageRows,
} from '../../../domain/portability/bounds.ts';
import { entryKind, RESOURCE_NAMES } from '../../../domain/portability/entries.ts';
import { lineCheck } from '../../../domain/portability/lines.ts';
import { linePages } from '../../../engine/portability/line-pages.ts';
import { manifestBytes, readManifest } from '../../../engine/portability/manifest.ts';
import packageFile from '../../../package.json' with { type: 'json' };

const ACCOUNT = '0198c8c8-0000-7000-8000-00000000000a';
const HASH = 'a'.repeat(64);

async function pagesOf(...pieces: readonly (string | Uint8Array)[]) {
  async function* bytes() {
    for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
  const found = [];
  for await (const page of linePages('resources/peers.jsonl', bytes())) found.push(page);
  return found;
}

describe('names of members', () => {
  test('are known in one form', () => {
    expect(entryKind('manifest.json')).toEqual({ kind: 'manifest' });
    expect(entryKind(`blobs/${HASH}`)).toEqual({ kind: 'blob', sha256: HASH });
    for (const name of RESOURCE_NAMES) expect(entryKind(name)?.kind).toBe('resource');
  });

  test.each([
    '../manifest.json',
    '/manifest.json',
    './manifest.json',
    'manifest.json/',
    'resources/../peers.jsonl',
    'resources//peers.jsonl',
    'resources/Peers.jsonl',
    'blobs/../../etc/passwd',
    `blobs/${HASH.toUpperCase()}`,
    `/blobs/${HASH}`,
    '',
  ])('are refused in another: %j', (name) => {
    expect(entryKind(name)).toBeNull();
  });
});

describe('lines', () => {
  test('are cut wherever the pieces end', async () => {
    expect(await pagesOf('{"a"', ':1}\n{', '}\n')).toEqual([
      { first: 1, lines: ['{"a":1}', '{}'] },
    ]);
    expect(await pagesOf()).toEqual([]);
  });

  test('come in pages of bounded rows', async () => {
    const pages = await pagesOf('{}\n'.repeat(MOST_PAGE_ROWS + 1));
    expect(pages.map(({ first, lines }) => [first, lines.length])).toEqual([
      [1, MOST_PAGE_ROWS],
      [MOST_PAGE_ROWS + 1, 1],
    ]);
  });

  test.each([
    ['without an end', ['{}'], 'has no end'],
    ['of no UTF-8', [new Uint8Array([0xff, 0x0a])], 'not UTF-8'],
    ['that never ends', ['x'.repeat(MOST_LINE_BYTES), 'x'], 'too long'],
  ])('%s are refused', async (_what, pieces, why) => {
    await expect(pagesOf(...pieces)).rejects.toThrow(why);
  });

  const row = {
    account_id: ACCOUNT,
    knowledge_id: ACCOUNT,
    scope_id: ACCOUNT,
  };
  const check = lineCheck('knowledge_source_scopes', ACCOUNT);

  test('have the columns of their table, in any order', () => {
    expect(check(JSON.stringify(row), 1)).toEqual(row);
  });

  test.each([
    ['no JSON', '{'],
    ['several rows', '{},{}'],
    ['a list', '[]'],
    ['a column too few', JSON.stringify({ account_id: ACCOUNT, knowledge_id: ACCOUNT })],
    ['a column too many', JSON.stringify({ ...row, xmin: 1 })],
    ['another account', JSON.stringify({ ...row, account_id: ACCOUNT.replace('a', 'b') })],
    ['no account', JSON.stringify({ ...row, account_id: null })],
  ])('with %s are refused, without their content', (_what, line) => {
    expect(() => check(line, 7)).toThrow(/^resources\/knowledge_source_scopes\.jsonl, line 7: /);
  });

  test('of gate decisions carry the version of the record', () => {
    expect(() => lineCheck('gate_decisions', ACCOUNT)('{"account_id":1}', 1)).toThrow('lacks');
  });
});

describe('the next page', () => {
  test('asks for as many rows as fit, and for one at least', () => {
    expect(nextPageRows(0, 0)).toBe(FIRST_PAGE_ROWS);
    expect(nextPageRows(50, 1)).toBe(MOST_PAGE_ROWS);
    expect(nextPageRows(1, 6_000_000)).toBe(1);
  });
});

describe('a manifest', () => {
  const manifest = {
    schema: 'service-account-1',
    schema_version: '0076_archive',
    app_version: APP_VERSION,
    account: { id: ACCOUNT, key: 'home' },
    embedder_space: 'none',
    resources: [],
    blobs: [],
    audit: { head: HASH, count: 1 },
    excluded: [],
  };
  const read = (value: unknown, ours = '0076_archive') =>
    readManifest(manifestBytes(Object(value)), ours);

  test('is read as it was written', () => {
    expect(read(manifest)).toEqual(manifest);
  });

  test.each([
    ['another schema', { ...manifest, schema: 'service-account-2', more: 1 }, 'service-account-2'],
    ['a newer schema', { ...manifest, schema_version: '0099_later', more: 1 }, 'is newer'],
    ['an older schema', { ...manifest, schema_version: '0001_identity' }, '0001_identity'],
    ['a member more', { ...manifest, more: 1 }, 'missing, unknown or invalid member'],
    ['a wrong member', { ...manifest, blobs: [{ sha256: HASH, bytes: 0 }] }, '(blobs.0.bytes)'],
  ])('with %s is refused', (_what, value, why) => {
    expect(() => read(value)).toThrow(why);
  });

  test.each(['app_version', 'embedder_space', 'excluded'])(
    'whose %s was changed is refused',
    (name) => {
      const text = manifestBytes(manifest).toString();
      const changed = { ...JSON.parse(text), [name]: name === 'excluded' ? ['logins'] : 'other' };
      const bytes = Buffer.from(JSON.stringify(changed));
      expect(() => readManifest(bytes, '0076_archive')).toThrow('manifest.json was changed');
    },
  );

  test('that is no JSON is refused', () => {
    expect(() => readManifest(new Uint8Array([0xff]), '0076_archive')).toThrow('is not JSON');
  });

  test('names the version of the package', () => {
    expect(APP_VERSION).toBe(packageFile.version);
  });
});
