/** Files of clients are changed whole or not at all, and what was there is kept. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { changeUserFile } from '../../../cli/mcp/user-file.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vouch-home-'));
  path = join(home, '.client', 'mcp.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const append = (text: string): string => `${text}+`;
const seen = (): string[] => readdirSync(join(home, '.client')).toSorted();

function put(text: string): void {
  mkdirSync(join(home, '.client'));
  writeFileSync(path, text, { mode: 0o640 });
  chmodSync(path, 0o640);
}

test('a missing file is made, for its owner only', async () => {
  expect(await changeUserFile(home, path, append)).toEqual({ changed: true, backup: null });
  expect(readFileSync(path, 'utf8')).toBe('+');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(seen()).toEqual(['mcp.json']);
});

test.each(['', 'kept'])('a file with %j is kept as a copy, and keeps its mode', async (text) => {
  put(text);
  const { backup } = await changeUserFile(home, path, append);
  expect(readFileSync(path, 'utf8')).toBe(`${text}+`);
  expect(readFileSync(String(backup), 'utf8')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  await changeUserFile(home, path, append);
  expect(seen()).toEqual(['mcp.json', 'mcp.json.before-vouch-1', 'mcp.json.before-vouch-2']);
});

test('what needs no change is not written', async () => {
  put('same');
  expect(await changeUserFile(home, path, (text) => text)).toEqual({
    changed: false,
    backup: null,
  });
  expect(seen()).toEqual(['mcp.json']);
});

test('a file that cannot be read as it should stays as it was, with nothing beside it', async () => {
  put('{broken');
  const edit = (): string => {
    throw new Error('not editable');
  };
  await expect(changeUserFile(home, path, edit)).rejects.toThrow('not editable');
  expect([readFileSync(path, 'utf8'), seen()]).toEqual(['{broken', ['mcp.json']]);
});

test('a file that somebody changes meanwhile is left to them', async () => {
  put('theirs');
  const edit = (text: string): string => {
    writeFileSync(path, 'theirs, longer');
    return append(text);
  };
  await expect(changeUserFile(home, path, edit)).rejects.toThrow('changed in the meantime');
  expect(readFileSync(path, 'utf8')).toBe('theirs, longer');
});

test('links are not followed: of the file, or of a folder on the way', async () => {
  mkdirSync(join(home, 'elsewhere'));
  writeFileSync(join(home, 'elsewhere', 'mcp.json'), 'shared');
  symlinkSync(join(home, 'elsewhere'), join(home, '.client'));
  await expect(changeUserFile(home, path, append)).rejects.toThrow('symbolic link');
  rmSync(join(home, '.client'));
  mkdirSync(join(home, '.client'));
  symlinkSync(join(home, 'elsewhere', 'mcp.json'), path);
  await expect(changeUserFile(home, path, append)).rejects.toThrow('symbolic link');
  expect(readFileSync(join(home, 'elsewhere', 'mcp.json'), 'utf8')).toBe('shared');
});

test('a file of somebody else is left alone', async () => {
  put('theirs');
  // Only root may give a file away; for anybody else a file of root will do.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(path, 12_345, 12_345);
  const [base, theirs] = isRoot ? [home, path] : ['/', '/etc/passwd'];
  await expect(changeUserFile(base, theirs, append)).rejects.toThrow('belongs to another user');
});
