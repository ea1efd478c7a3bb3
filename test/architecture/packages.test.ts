/** `npm ci --omit=dev` installs what the service imports: each package stands in the manifest of who imports it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { SOURCE_FOLDERS as PROGRAM_FOLDERS } from '../../runtime/programs/inputs.ts';
import { importsOf, readFiles, ROOT } from './source-tree.ts';

const names = z
  .record(z.string(), z.string())
  .transform(Object.keys)
  .default(() => []);
const manifest = z.object({ dependencies: names, devDependencies: names });

const readManifest = (path: string) =>
  manifest.parse(JSON.parse(readFileSync(join(ROOT, path), 'utf8')));
const root = readManifest('package.json');
const measure = readManifest('measure/package.json');

/** Files of these are read, no code of theirs is imported. */
const READ_BY_THE_SERVICE = ['swagger-ui-dist'];
const READ_BY_TESTS = [
  // What the grammar of Prometheus' queries names as its peers.
  '@lezer/common',
  '@lezer/highlight',
  '@lezer/lr',
  'axe-core',
];
/** Programs of the scripts, and a package that the overrides pin for Temporal's bundler. */
const TOOLS = ['@swc/core', 'jest', 'oxfmt', 'oxlint', 'oxlint-tsgolint', 'typescript'];

/** `@scope/name/part` -> `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** `@types/scope__name` -> `@scope/name`. */
function typed(name: string): string {
  const bare = name.slice('@types/'.length);
  return bare.includes('__') ? `@${bare.replace('__', '/')}` : bare;
}

function importedBy(folders: readonly string[], imports: 'values' | 'values and types'): string[] {
  const found = ['.ts', '.mjs']
    .flatMap((suffix) => readFiles(folders, suffix))
    .flatMap(importsOf)
    .filter(({ target, specifier }) => target === null && !specifier.startsWith('node:'))
    .filter(({ typeOnly }) => imports === 'values and types' || !typeOnly)
    .map(({ specifier }) => packageOf(specifier));
  return [...new Set(found)].toSorted();
}

const without = (list: readonly string[], others: readonly string[]): string[] =>
  list.filter((name) => !others.includes(name));

describe('the packages of the service', () => {
  test('are those whose code or files it uses', () => {
    const used = [...importedBy(PROGRAM_FOLDERS, 'values'), ...READ_BY_THE_SERVICE];
    expect(root.dependencies.toSorted()).toEqual(used.toSorted());
  });

  test('and those of which it uses the types alone are for development', () => {
    const all = importedBy(PROGRAM_FOLDERS, 'values and types');
    expect(without(without(all, root.dependencies), root.devDependencies)).toEqual([]);
  });
});

describe('the packages for development', () => {
  const all = [...root.dependencies, ...root.devDependencies];
  const declarations = root.devDependencies.filter((name) => name.startsWith('@types/'));

  test('are those that tests import, tools, and types of what is imported', () => {
    const folders = [...PROGRAM_FOLDERS, 'test'];
    const imported = [...importedBy(folders, 'values and types'), ...READ_BY_TESTS, ...TOOLS];
    expect(without(without(root.devDependencies, declarations), imported)).toEqual([]);
    expect(without(declarations.map(typed), [...all, 'node'])).toEqual([]);
  });

  test('suffice for tests, which take nothing from the manifest of measure', () => {
    expect(without(importedBy(['test'], 'values and types'), all)).toEqual([]);
  });
});

describe('the packages of measure', () => {
  const imported = importedBy(['measure'], 'values and types');

  test('are those that nothing else imports', () => {
    const own = measure.devDependencies.filter((name) => !name.startsWith('@types/'));
    expect(own.toSorted()).toEqual(
      without(imported, [...root.dependencies, ...root.devDependencies]),
    );
    expect(own).not.toEqual([]);
    const declared = measure.devDependencies.filter((name) => name.startsWith('@types/'));
    expect(without(declared.map(typed), own)).toEqual([]);
  });

  test('are left out with those for development', () => {
    expect(measure.dependencies).toEqual([]);
  });
});

test('the reader knows a package by any of its parts', () => {
  expect(['pg', 'ai/test', '@koa/router', '@a/b/c.js'].map(packageOf)).toEqual([
    'pg',
    'ai',
    '@koa/router',
    '@a/b',
  ]);
  expect(['@types/pg', '@types/koa__router'].map(typed)).toEqual(['pg', '@koa/router']);
});
