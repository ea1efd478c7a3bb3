import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  loadWorkflowBundle,
  writeWorkflowBundle,
} from '../../../runtime/temporal/prebuilt-bundle.ts';

const base = mkdtempSync(join(tmpdir(), 'vouch-bundle-'));
const digest = 'd'.repeat(64);
const code = 'globalThis.workflows = {};\n';
let copies = 0;
let directory: string;

beforeEach(() => {
  copies += 1;
  directory = join(base, String(copies), 'workflows');
  writeWorkflowBundle({ code }, { digest, buildSha: 'c'.repeat(40) }, directory);
});

afterAll(() => rmSync(base, { recursive: true }));

const MISSING = 'The workflow bundle is missing. Run npm run bundle.';
const STALE = 'The workflow bundle is stale. Run npm run bundle.';

test('a bundle that was written for these sources is loaded', () => {
  expect(loadWorkflowBundle(directory, digest)).toEqual({ code });
  expect(readdirSync(directory).toSorted()).toEqual(['bundle.cjs', 'manifest.json']);
});

test('an absent or incomplete bundle is missing', () => {
  expect(() => loadWorkflowBundle(join(base, 'nowhere'), digest)).toThrow(MISSING);
  rmSync(join(directory, 'bundle.cjs'));
  expect(() => loadWorkflowBundle(directory, digest)).toThrow(MISSING);
  rmSync(join(directory, 'manifest.json'));
  writeFileSync(join(directory, 'bundle.cjs'), code);
  expect(() => loadWorkflowBundle(directory, digest)).toThrow(MISSING);
});

test('a bundle of other sources is stale', () => {
  expect(() => loadWorkflowBundle(directory, 'e'.repeat(64))).toThrow(STALE);
});

test('a bundle with a changed code file is stale', () => {
  appendFileSync(join(directory, 'bundle.cjs'), '//');
  expect(() => loadWorkflowBundle(directory, digest)).toThrow(STALE);
});

test('a manifest that cannot be read is stale, and a new build replaces it', () => {
  for (const text of ['', '{}', 'null', '{"digest":1}']) {
    writeFileSync(join(directory, 'manifest.json'), text);
    expect(() => loadWorkflowBundle(directory, digest)).toThrow(STALE);
  }
  writeWorkflowBundle({ code }, { digest, buildSha: 'c'.repeat(40) }, directory);
  expect(loadWorkflowBundle(directory, digest)).toEqual({ code });
});
