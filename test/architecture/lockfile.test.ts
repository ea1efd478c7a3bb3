/** `npm ci` must work everywhere: every optional package of every platform has its entry in the lockfile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { ROOT } from './source-tree.ts';

const versions = z.record(z.string(), z.string()).default({});
const packageEntry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: versions,
  peerDependencies: versions,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().optional() }))
    .default({}),
});
const lockfile = z.object({ packages: z.record(z.string(), packageEntry) });
const manifest = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const WORKSPACES = ['measure'];

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
    Object.keys(entry.optionalDependencies)
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path || 'root'} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every peer dependency that is not optional has an entry: npm adds none by itself', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.peerDependencies)
      .filter((name) => entry.peerDependenciesMeta[name]?.optional !== true)
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the compiler is installed for development alone', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  expect(packages['node_modules/typescript']?.dev).toBe(true);
});

test('every direct dependency is pinned to an exact version', () => {
  const manifests = ['package.json', ...WORKSPACES.map((name) => `${name}/package.json`)];
  const loose = manifests
    .map((name) => manifest.parse(readJson(name)))
    .flatMap((of) => [of.dependencies, of.devDependencies, of.optionalDependencies])
    .flatMap((direct) => Object.entries(direct))
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

test('the lockfile names no registry host: only workspaces say where they are', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  const places = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);
  expect(places).toEqual(WORKSPACES);
});

test('packages of workspaces lie beside those of the root, where copies of the tree find them', () => {
  const { packages } = lockfile.parse(readJson('package-lock.json'));
  const apart = Object.keys(packages).filter((path) => !path.startsWith('node_modules/'));
  expect(apart).toEqual(['', ...WORKSPACES]);
});
