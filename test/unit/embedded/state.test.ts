import { describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDirectory } from '../../../embedded/data-dir.ts';
import { loadState, newState, saveState } from '../../../embedded/state.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const uid = process.getuid?.() ?? 0;

describe('the data directory', () => {
  test('is made for its owner alone', () => {
    const { path } = openDataDirectory(temporaryDirectory(), uid);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'logs')).mode & 0o777).toBe(0o700);
  });

  test('found open to others is closed', () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, '.vouch'));
    chmodSync(join(root, '.vouch'), 0o755);
    const { path } = openDataDirectory(root, uid);
    expect(statSync(path).mode & 0o707).toBe(0o700);
  });

  test('of another user is one clear error', () => {
    const root = temporaryDirectory();
    openDataDirectory(root, uid);
    expect(() => openDataDirectory(root, uid + 1)).toThrow(
      `${root}/.vouch belongs to user id ${uid}, but the start runs as user id ${uid + 1}`,
    );
  });

  test('that cannot be made is one clear error', () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(() => openDataDirectory(file, uid)).toThrow('Cannot');
  });
});

describe('the remembered state', () => {
  test('comes back as it was saved, in a file for its owner alone', () => {
    const directory = openDataDirectory(temporaryDirectory(), uid);
    const state = { ...newState(), ports: { api: 4001 }, postgresHome: '/var/lib/vouch/x' };
    saveState(directory, state);
    expect(loadState(directory)).toEqual(state);
    expect(statSync(directory.stateFile).mode & 0o777).toBe(0o600);
  });

  test('draws every secret anew', () => {
    const drawn = [...Object.values(newState().secrets), ...Object.values(newState().secrets)];
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn.every((secret) => secret.length >= 43)).toBe(true);
  });

  test('that is missing beside existing data is refused rather than drawn anew', () => {
    const directory = openDataDirectory(temporaryDirectory(), uid);
    mkdirSync(directory.postgresHome);
    expect(() => loadState(directory)).toThrow('state.json is missing');
  });

  test.each(['', '{"version":1', '{"version":2,"ports":{},"secrets":{}}'])(
    'that is damaged (%j) is refused rather than drawn anew',
    (text) => {
      const directory = openDataDirectory(temporaryDirectory(), uid);
      writeFileSync(directory.stateFile, text);
      expect(() => loadState(directory)).toThrow('state.json is damaged');
    },
  );
});
