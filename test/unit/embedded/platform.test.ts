import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyChecksum } from '../../../embedded/checksum.ts';
import { requirePackages, requirePlatform, thisPlatform } from '../../../embedded/platform.ts';
import { undoStack } from '../../../embedded/undo.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

describe('the platform', () => {
  test('Linux x64 with glibc, as here, is accepted and has its packages', () => {
    expect(() => requirePlatform(thisPlatform())).not.toThrow();
    expect(() => requirePackages(['postgres', 'temporal', 'meilisearch', 'qdrant'])).not.toThrow();
  });

  test.each([
    [{ os: 'darwin', cpu: 'arm64', glibc: false }, 'darwin arm64'],
    [{ os: 'linux', cpu: 'arm64', glibc: true }, 'linux arm64'],
    [{ os: 'linux', cpu: 'x64', glibc: false }, 'linux x64 without glibc'],
  ])('%j is told in one line what to do instead', (platform, name) => {
    const attempt = () => requirePlatform(platform);
    expect(attempt).toThrow(
      `this machine is ${name}. Instead, run \`docker compose up\`, or point DATABASE_URL`,
    );
    expect(attempt).toThrow(/^[^\n]*$/);
  });
});

describe('the checksum of a program', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  test('passes the expected bytes and refuses any other', async () => {
    const file = join(temporaryDirectory(), 'program');
    writeFileSync(file, 'abc');
    await expect(verifyChecksum(file, abc)).resolves.toBeUndefined();
    writeFileSync(file, 'abd');
    await expect(verifyChecksum(file, abc)).rejects.toThrow(`not the expected ${abc}`);
  });

  test('of a missing program is one clear error', async () => {
    await expect(verifyChecksum('/nowhere/program', abc)).rejects.toThrow(
      '(ENOENT). Run npm ci again',
    );
  });
});

describe('undoing a start', () => {
  test('runs in reverse order, continues after a failure, and runs once', async () => {
    const done: string[] = [];
    const undo = undoStack();
    undo.push(() => void done.push('first'));
    undo.push(() => {
      throw new Error('no');
    });
    undo.push(async () => void done.push('last'));
    await expect(Promise.all([undo.run(), undo.run()])).rejects.toThrow('no');
    expect(done).toEqual(['last', 'first']);
  });
});
