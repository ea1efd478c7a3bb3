import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  bundleDigest,
  bundleInputFiles,
  installedSdk,
  SOURCE_ROOT,
} from '../../../runtime/temporal/bundle-inputs.ts';

/** One file of each folder, and what is named file by file. */
const lastOf = new Map(bundleInputFiles().map((path) => [dirname(path), path]));
const INPUTS = bundleInputFiles().filter(
  (path) => path.startsWith('runtime/') || lastOf.get(dirname(path)) === path,
);
const base = mkdtempSync(join(tmpdir(), 'vouch-inputs-'));
const SDK = { '@temporalio/worker': '1.24.0', '@temporalio/workflow': '1.24.0' };
let copies = 0;
let root: string;

beforeEach(() => {
  copies += 1;
  root = join(base, String(copies));
  for (const path of INPUTS) cpSync(join(SOURCE_ROOT, path), join(root, path));
});

afterAll(() => rmSync(base, { recursive: true }));

test('the digest does not depend on where, when and in which order the files were written', () => {
  const digest = bundleDigest(root, SDK);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const reversed = join(base, 'reversed');
  for (const path of INPUTS.toReversed()) {
    cpSync(join(SOURCE_ROOT, path), join(reversed, path));
    utimesSync(join(reversed, path), 1, 1);
  }
  const backwards = Object.fromEntries(Object.entries(SDK).toReversed());
  expect(bundleDigest(reversed, backwards)).toBe(digest);
});

test('a change of any one input changes the digest', () => {
  const seen = new Set([bundleDigest(root, SDK)]);
  const files = bundleInputFiles(root);
  for (const path of files) {
    appendFileSync(join(root, path), ' ');
    seen.add(bundleDigest(root, SDK));
  }
  expect(seen.size).toBe(files.length + 1);
});

test('a file that comes, goes or is renamed changes the digest', () => {
  const digest = bundleDigest(root, SDK);
  const added = join(root, 'workflows/ingest/added.ts');
  writeFileSync(added, 'export const added = 1;\n');
  const withOneMore = bundleDigest(root, SDK);
  renameSync(added, join(root, 'workflows/ingest/renamed.ts'));
  const renamed = bundleDigest(root, SDK);
  expect(new Set([digest, withOneMore, renamed]).size).toBe(3);
  rmSync(join(root, 'workflows/ingest/renamed.ts'));
  expect(bundleDigest(root, SDK)).toBe(digest);
});

test('another version of the SDK changes the digest', () => {
  const other = { ...SDK, '@temporalio/workflow': '1.24.1' };
  expect(bundleDigest(root, other)).not.toBe(bundleDigest(root, SDK));
});

test('the version of the SDK is the installed one', () => {
  const { dependencies } = JSON.parse(readFileSync(join(SOURCE_ROOT, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(installedSdk())) {
    expect(dependencies[name]).toBe(version);
  }
});
