/** `vouch peer erase` and `vouch erasure`: what an operator asks for, and receipts that are checked without a server. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { RECEIPT_NOTE } from '../../../domain/erasure/receipt.ts';
import { NOTHING_ERASED } from '../../../domain/erasure/words.ts';
import { signReceipt } from '../../../engine/erasure/receipts.ts';
import { createScene, onlyThese, PASSWORD, type Scene } from '../identity/scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const folder = mkdtempSync(join(tmpdir(), 'vouch-receipts-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

let scene: Scene;
let opened = 0;
beforeAll(async () => {
  scene = await createScene();
  await vouch(['bootstrap', '--email', 'admin@example.org', '--password-stdin'], PASSWORD);
  await vouch(['key', 'create', '--peer', 'robot', '--scope', '/', '--role', 'member']);
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function vouch(args: readonly string[], stdin = '') {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    stdin: (async function* read() {
      yield stdin;
    })(),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    now: () => new Date(scene.clock),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () =>
      Promise.resolve(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    async open() {
      opened += 1;
      const environment = onlyThese({ ...scene.environment, sweep: { soon: () => {} } });
      return { environment, close: async () => {} };
    },
  });
  return { code, out, err };
}

test('an erasure of a peer without a login is entered once, and its state can be read', async () => {
  const first = await vouch(['peer', 'erase', '--peer', 'robot', '--mode', 'strict', '--json']);
  expect(first).toMatchObject({ code: 0, err: '' });
  const { id, ...rest } = JSON.parse(first.out);
  expect(rest).toEqual({ mode: 'strict', state: 'accepted' });
  const again = await vouch(['peer', 'erase', '--peer', 'robot', '--json']);
  expect(JSON.parse(again.out)).toEqual({ id, ...rest });
  const status = await vouch(['erasure', 'status', '--id', id, '--json']);
  expect(JSON.parse(status.out)).toEqual({ id, ...rest, receipt: null });
  // Nothing new is given to a peer that is being erased.
  const key = await vouch(['key', 'create', '--peer', 'robot', '--scope', '/', '--role', 'member']);
  expect(key.code).toBe(1);
  expect(key.err).toContain('whose erasure is running');
});

test('the last administrator, an unknown peer and an unknown erasure are refused', async () => {
  const admin = await vouch(['peer', 'erase', '--peer', 'admin@example.org']);
  expect([admin.code, admin.err]).toEqual([1, expect.stringContaining('last administrator')]);
  expect((await vouch(['peer', 'erase', '--peer', 'nobody'])).code).toBe(1);
  expect((await vouch(['peer', 'erase', '--peer', 'robot', '--mode', 'gentle'])).code).toBe(2);
  expect((await vouch(['erasure', 'status', '--id', crypto.randomUUID()])).code).toBe(1);
});

test('a receipt is checked with files alone', async () => {
  const at = '2026-01-02T03:04:05.678Z';
  const receipt = signReceipt(
    {
      receipt: 'vouch-erasure-receipt-1',
      erasure_id: '0198c8c8-0000-7000-8000-00000000000a',
      mode: 'strict',
      requested_at: at,
      verified_at: [at, at],
      completed_at: at,
      erased: NOTHING_ERASED,
      manifest_sha256: 'a'.repeat(64),
      note: RECEIPT_NOTE,
    },
    privateKey,
  );
  const before = opened;
  const path = file('receipt.json', JSON.stringify(receipt));
  const key = file('key.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  for (const args of [[], ['--public-key', key]]) {
    expect(await vouch(['erasure', 'verify', '--file', path, ...args])).toMatchObject({ code: 0 });
  }
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
  const changed = file(
    'changed.json',
    JSON.stringify(receipt).replace('"strict"', '"proportionate"'),
  );
  for (const args of [
    ['--file', changed],
    ['--file', path, '--public-key', file('other.pem', other.toString())],
    ['--file', key],
    ['--file', join(folder, 'absent.json')],
  ]) {
    expect((await vouch(['erasure', 'verify', ...args])).code).not.toBe(0);
  }
  const printed = await vouch(['erasure', 'public-key']);
  expect(createPublicKey(printed.out).equals(publicKey)).toBe(true);
  expect(opened).toBe(before);
});
