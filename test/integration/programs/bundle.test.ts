/** The bundles of the programs, made by the bundler and run by Node. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from '../../../runtime/programs/bundle.ts';
import { SOURCES } from '../../../runtime/programs/inputs.ts';
import { PROGRAMS } from '../../../runtime/programs/prebuilt.ts';
import { HANGS_MS } from '../../support/patience.ts';

/** Beside the packages, which bundles look for in the folders above them. */
const within = join(SOURCES, `build/programs-of-test-${process.pid}`);
const digest = 'a'.repeat(64);
let folder: string;
beforeAll(async () => {
  folder = await bundlePrograms(digest, within);
});
afterAll(() => rmSync(within, { recursive: true, force: true }));

function run(args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { SERVICE_PORT: 'none' },
    encoding: 'utf8',
    timeout: HANGS_MS,
  });
  return { status, stderr };
}

describe('the bundles', () => {
  test.each([...PROGRAMS])('have %s, which says of wrong settings what its source says', (name) => {
    const bundled = run([join(folder, `${name}.mjs`)]);
    expect(bundled.stderr).toContain('SERVICE_PORT must be a port');
    expect(bundled).toEqual(run([join(SOURCES, `bin/${name}.ts`)]));
  });

  test('name the files that programs read and start by the places of the sources', () => {
    const code = readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    expect(code).toContain(`file://${SOURCES}engine/offload/threads.ts`);
    // What is left is the line at the head of each file.
    const lines = code.split('\n').filter((line) => line.includes('import.meta.url'));
    expect(lines.filter((line) => !line.includes('requireFrom'))).toEqual([]);
  });

  test('are made once for the same sources, and old ones are removed', async () => {
    const made = readdirSync(folder);
    expect(await bundlePrograms(digest, within)).toBe(folder);
    expect(readdirSync(folder)).toEqual(made);
    const old = ['1', '2', '3', '4'].map((name) => join(within, name));
    for (const path of old) {
      mkdirSync(path);
      utimesSync(path, 1, 1);
    }
    await bundlePrograms(digest, within);
    expect(readdirSync(within)).toHaveLength(4);
    expect(readdirSync(within)).toContain(digest.slice(0, 16));
  });
});
