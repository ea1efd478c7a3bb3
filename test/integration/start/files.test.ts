/** Documents and the key of receipts lie where commands look for them, also those of an earlier version. */
import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileSettings } from '../../../runtime/start/files.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const DEFAULTS = {
  SERVICE_BLOB_STORE: '.vouch/blobs',
  SERVICE_PROMISES_FILE: '.vouch/promises.jsonl',
  SERVICE_RECEIPT_KEY_FILE: '.vouch/receipt-key.pem',
};

function place() {
  const root = temporaryDirectory();
  const directory = join(root, '.vouch');
  mkdirSync(directory);
  const said: string[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const settings = (named: Partial<typeof DEFAULTS> = {}) =>
    fileSettings({ ...DEFAULTS, ...named }, { root, directory, say: (line) => said.push(line) });
  return { root, said, write, read, settings };
}

describe('the files of a start', () => {
  test('lie below the folder where it was begun, and nothing is said of it', () => {
    const { root, said, settings } = place();
    expect(settings()).toEqual({
      SERVICE_BLOB_STORE: join(root, '.vouch/blobs'),
      SERVICE_PROMISES_FILE: join(root, '.vouch/promises.jsonl'),
      SERVICE_RECEIPT_KEY_FILE: join(root, '.vouch/receipt-key.pem'),
    });
    expect(said).toEqual([]);
  });

  test('are moved from where an earlier version kept them', () => {
    const { read, root, said, settings, write } = place();
    write('.vouch/.vouch/blobs/ab/cd', 'bytes');
    write('.vouch/.vouch/receipt-key.pem', 'key');
    mkdirSync(join(root, '.vouch/blobs'));
    settings();
    expect([read('.vouch/blobs/ab/cd'), read('.vouch/receipt-key.pem')]).toEqual(['bytes', 'key']);
    expect(existsSync(join(root, '.vouch/.vouch/blobs'))).toBe(false);
    expect(said).toHaveLength(2);
    settings();
    expect(said).toHaveLength(2);
  });

  test('stay in use where both places hold some', () => {
    const { read, root, settings, write } = place();
    write('.vouch/.vouch/blobs/ab', 'old');
    write('.vouch/blobs/ab', 'new');
    expect(settings()['SERVICE_BLOB_STORE']).toBe(join(root, '.vouch/.vouch/blobs'));
    expect([read('.vouch/.vouch/blobs/ab'), read('.vouch/blobs/ab')]).toEqual(['old', 'new']);
  });

  test('stay in use where they cannot be moved', () => {
    const { read, root, said, settings, write } = place();
    write('.vouch/place/blobs/ab', 'old');
    write('place', 'a file where a folder would have to be');
    const { SERVICE_BLOB_STORE: blobs } = settings({ SERVICE_BLOB_STORE: 'place/blobs' });
    expect(blobs).toBe(join(root, '.vouch/place/blobs'));
    expect(read('.vouch/place/blobs/ab')).toBe('old');
    expect(said).toEqual([expect.stringContaining('cannot be moved')]);
  });

  test('are as they are named where the name is absolute, or a bucket', () => {
    const { settings } = place();
    const named = {
      SERVICE_BLOB_STORE: 's3://documents/vouch',
      SERVICE_PROMISES_FILE: '/mnt/other/promises.jsonl',
      SERVICE_RECEIPT_KEY_FILE: '/etc/vouch/key.pem',
    };
    expect(settings(named)).toEqual(named);
  });
});
