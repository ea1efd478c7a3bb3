/** `npm ci` must work everywhere: every optional package of every platform has its entry in the lockfile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from './source-tree.ts';

const packageEntry = z.object({
  version: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const lockfile = z.object({ packages: z.record(z.string(), packageEntry) });
const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

/** Node's resolution: the nearest node_modules upwards from the dependant. */
function isLocked(
  packages: Readonly<Record<string, unknown>>,
  from: string,
  name: string,
): boolean {
  const candidates = [`${from}/node_modules/${name}`];
  for (let at = from; at.includes('node_modules/');) {
    at = at.slice(0, at.lastIndexOf('node_modules/')).replace(/\/$/, '');
    candidates.push(at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`);
  }
  candidates.push(`node_modules/${name}`);
  return candidates.some((candidate) => packages[candidate] !== undefined);
}

test('every optional dependency in the lockfile has an entry', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path || 'root'} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every direct dependency is pinned to an exact version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest.parse(
    readJson('package.json'),
  );
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    .map(([name]) => name);
  expect(loose).toEqual([]);
});

test('all @temporalio packages have one version, or the workflow bundle does not load', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  const versions = Object.entries(packages)
    .filter(([path]) => /^node_modules\/@temporalio\/[^/]+$/.test(path))
    .map(([, entry]) => entry.version);
  expect(new Set(versions).size).toBe(1);
});

test('the lockfile names no registry host', () => {
  expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved":/);
});
