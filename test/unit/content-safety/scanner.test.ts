import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { canaryText, makeCanaries } from '../../support/canaries/canary.ts';
import { createScanner } from '../../support/canaries/scanner.ts';

const canaries = makeCanaries('seed', ['session', 'content']);
const { session } = canaries;

function found(data: string | Uint8Array): string[] {
  const scanner = createScanner(canaries);
  scanner.scan('here', data);
  return scanner.findings.map(({ canary, place }) => `${canary} in ${place}`);
}

test('canaries are the same for one seed and name, and differ for any other', () => {
  const texts = Array.from({ length: 1_000 }, (_, at) => canaryText('seed', `name${at}`));
  expect(new Set(texts.flatMap((text) => [text.slice(0, 14), text.slice(14)])).size).toBe(2_000);
  expect(canaryText('seed', 'session')).toBe(session);
  expect(canaryText('other', 'session')).not.toBe(session);
  for (const text of texts) expect(text).toMatch(/^[a-z]{28}$/);
});

describe('the scanner finds a canary', () => {
  const percent = Array.from(session, (c) => `%${c.charCodeAt(0).toString(16)}`).join('');
  const escaped = Array.from(session, (c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
  const text = `before ${session} after`;
  test.each<[string, string | Uint8Array]>([
    ['as it is', text],
    ['in capitals', text.toUpperCase()],
    ['in the middle of a word', `x${session}x`],
    ['in binary data', Buffer.concat([Buffer.from([0, 255, 10, 28]), Buffer.from(session)])],
    ['cut short', `"${session.slice(0, 20)}…`],
    ['split in two', `${session.slice(0, 19)}\0\0page\0${session.slice(19)}`],
    ['as hex', Buffer.from(text).toString('hex')],
    ['as hex in capitals', Buffer.from(text).toString('hex').toUpperCase()],
    ['percent-encoded', percent],
    ['JSON-escaped', escaped],
    ['as UTF-16', Buffer.from(text, 'utf16le')],
    ['gzipped', gzipSync(text)],
    ['gzipped, behind a header and cut off', Buffer.concat([Buffer.from('head'), gzipSync(text)])],
    ['deflated', deflateSync(text)],
    ['packed with zstd', zstdCompressSync(text)],
    ['gzipped in base64 in JSON', JSON.stringify({ a: gzipSync(text).toString('base64') })],
    ['in base64 twice', Buffer.from(Buffer.from(text).toString('base64')).toString('base64')],
  ])('%s', (_, data) => {
    expect(found(data)).toEqual(['session in here']);
  });

  test.each([0, 1, 2, 3, 4, 5])('in base64 that began %i bytes earlier', (bytes) => {
    const encoded = Buffer.from(`${'x'.repeat(bytes)}${session}xyz`).toString('base64');
    expect(found(`{"data":"${encoded}"}`)).toEqual(['session in here']);
    // In a longer run of letters there is no telling where the encoding began.
    expect(found(`path/${encoded}`)).toEqual(['session in here']);
  });

  test('in keys, strings and bytes of a value', () => {
    for (const value of [
      { [session]: 1 },
      { a: [{ b: session }] },
      { payloads: [{ data: Buffer.from(JSON.stringify(session)) }] },
      { payloads: [{ data: new Uint8Array(Buffer.from(session)) }] },
      new Map([['a', { b: session }]]),
    ]) {
      const scanner = createScanner(canaries);
      scanner.scanValue('value', value);
      expect(scanner.findings).toEqual([{ canary: 'session', place: 'value' }]);
    }
  });

  test('in a file, and fails when the file is not there', () => {
    const directory = mkdtempSync(join(tmpdir(), 'vouch-scan-'));
    try {
      const path = join(directory, 'some.db-wal');
      writeFileSync(path, Buffer.from(`\0\u0001${session}`));
      const scanner = createScanner(canaries);
      scanner.scanFile('wal', path);
      expect(scanner.findings).toEqual([{ canary: 'session', place: 'wal' }]);
      expect(() => scanner.scanFile('none', join(directory, 'none'))).toThrow('ENOENT');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

test('the scanner names each canary with each place, and nothing else', () => {
  const scanner = createScanner(canaries);
  scanner.scan('b', `${session} ${canaries.content}`);
  scanner.scan('a', session);
  scanner.scan('a', session);
  scanner.scan('c', 'nothing of the kind, though it is quite a long text in lower-case letters');
  expect(scanner.findings).toEqual([
    { canary: 'content', place: 'b' },
    { canary: 'session', place: 'a' },
    { canary: 'session', place: 'b' },
  ]);
  expect([...scanner.scanned.keys()]).toEqual(['b', 'a', 'c']);
});
