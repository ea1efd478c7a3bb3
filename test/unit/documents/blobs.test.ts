/** What every blob store must do, on the folder. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { BlobAddress, BlobStore } from '../../../stores/blobs/blob-store.ts';
import { createFolderBlobStore } from '../../../stores/blobs/folder.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const ACCOUNT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';

const addressOf = (bytes: Uint8Array, accountId = ACCOUNT): BlobAddress => ({
  accountId,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.each<[string, () => { store: BlobStore; root: string }]>([
  [
    'a folder',
    () => {
      const root = join(temporaryDirectory(), 'made', 'at-first-use');
      return { store: createFolderBlobStore(root), root };
    },
  ],
])('%s', (_name, open) => {
  test('gives back what was put, to its own account only', async () => {
    const { store } = open();
    const bytes = Buffer.from('original bytes');
    await store.put(addressOf(bytes), bytes);
    expect(await store.get(addressOf(bytes))).toEqual(bytes);
    expect(await store.get(addressOf(bytes, OTHER))).toBeNull();
    expect(await store.get(addressOf(Buffer.from('never put')))).toBeNull();
  });

  test('keeps one copy of the same bytes, also when many put them at once', async () => {
    const { store, root } = open();
    const bytes = Buffer.alloc(100_000, 'x');
    await Promise.all(Array.from({ length: 8 }, () => store.put(addressOf(bytes), bytes)));
    const [file, ...more] = filesBelow(root);
    expect(more).toEqual([]);
    expect(readFileSync(String(file))).toEqual(bytes);
    expect(statSync(String(file)).mode & 0o077).toBe(0);
  });

  test('does not give out what is not what was put, and mends it when it is put again', async () => {
    const { store, root } = open();
    const bytes = Buffer.from('original bytes');
    await store.put(addressOf(bytes), bytes);
    writeFileSync(String(filesBelow(root)[0]), 'cut');
    await expect(store.get(addressOf(bytes))).rejects.toMatchObject({ name: 'BlobDamagedError' });
    await store.put(addressOf(bytes), bytes);
    expect(await store.get(addressOf(bytes))).toEqual(bytes);
  });

  test.each([
    { accountId: '../../etc', sha256: 'a'.repeat(64) },
    { accountId: ACCOUNT, sha256: '../passwd' },
    { accountId: ACCOUNT, sha256: 'A'.repeat(64) },
  ])('takes no address that is none: %j', async (address) => {
    const { store } = open();
    await expect(store.put(address, Buffer.from('x'))).rejects.toThrow(TypeError);
    await expect(store.get(address)).rejects.toThrow(TypeError);
  });
});
