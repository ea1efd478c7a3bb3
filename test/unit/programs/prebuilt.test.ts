import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programsDigest, SOURCE_FOLDERS, SOURCES } from '../../../runtime/programs/inputs.ts';
import {
  addressOfProgram,
  folderOfPrograms,
  hasPrograms,
} from '../../../runtime/programs/prebuilt.ts';

const base = mkdtempSync(join(tmpdir(), 'vouch-programs-'));
afterAll(() => rmSync(base, { recursive: true }));

const isCode = (name: unknown): boolean => String(name).endsWith('.ts');

/** Sources of a made-up program; its digest. */
function sources(name: string, files: Readonly<Record<string, string>> = {}): string {
  const root = join(base, name);
  for (const folder of SOURCE_FOLDERS) mkdirSync(join(root, folder), { recursive: true });
  const all = { 'package-lock.json': '{}', 'bin/api.ts': '1', 'domain/a.ts': '2', ...files };
  for (const [path, text] of Object.entries(all)) writeFileSync(join(root, path), text);
  return programsDigest(root);
}

describe('the digest of programs', () => {
  test('is of every folder with code but those of tests, measurements and examples', () => {
    const folders = readdirSync(SOURCES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !['build', 'docs', 'measure', 'node_modules', 'test'].includes(name))
      .filter((name) => readdirSync(join(SOURCES, name), { recursive: true }).some(isCode));
    expect(folders.toSorted()).toEqual([...SOURCE_FOLDERS]);
  });

  test('changes with a source, a new source, the packages and the place, and with nothing else', () => {
    const digest = sources('one');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(sources('one', { 'domain/readme.md': 'x', 'domain/b.js': 'x' })).toBe(digest);
    const others = [
      sources('one', { 'domain/a.ts': '3' }),
      sources('one', { 'package-lock.json': '{"a":1}' }),
      sources('one', { 'stores/b.ts': '' }),
      sources('two'),
    ];
    expect(new Set([digest, ...others]).size).toBe(5);
  });
});

describe('a program', () => {
  const folder = folderOfPrograms('d'.repeat(64), base);

  test('runs from its bundle once that is there, and from its source until then or when told so', () => {
    const source = join(SOURCES, 'bin/api.ts');
    const addressed = (environment = {}) =>
      fileURLToPath(addressOfProgram('api', environment, folder));
    expect(hasPrograms('d'.repeat(64), base)).toBe(false);
    expect(addressed()).toBe(source);
    mkdirSync(folder);
    writeFileSync(join(folder, 'api.mjs'), '');
    expect(hasPrograms('d'.repeat(64), base)).toBe(true);
    expect(addressed()).toBe(join(folder, 'api.mjs'));
    expect(addressed({ VOUCH_FROM_SOURCES: '1' })).toBe(source);
    expect(addressed({ VOUCH_FROM_SOURCES: '' })).toBe(join(folder, 'api.mjs'));
  });
});
