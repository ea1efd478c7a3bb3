/** promtool judges the shipped alerts: their form, and on which series they fire and end. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../architecture/source-tree.ts';

const FOLDER = join(ROOT, 'deploy/prometheus');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

let promtool: string;
let copies: string;

beforeAll(() => {
  const script = join(import.meta.dirname, 'install-promtool.sh');
  promtool = execFileSync(script, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  copies = mkdtempSync(join(tmpdir(), 'vouch-alerts-'));
});
afterAll(() => rmSync(copies, { recursive: true, force: true }));

/** What promtool says; it throws where promtool fails. */
const ask = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(promtool, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('the rules and the example of settings are what Prometheus takes', () => {
  expect(ask(FOLDER, 'check', 'rules', 'vouch.rules.yml')).toContain('SUCCESS');
  expect(ask(FOLDER, 'check', 'config', 'prometheus.yml')).toContain('SUCCESS');
});

test('each alert waits for its time, fires, and goes away', () => {
  expect(ask(FOLDER, 'test', 'rules', 'vouch.rules.test.yml')).toContain('SUCCESS');
});

test('an alert that fires at another threshold, or at once, would be found', () => {
  const rules = read('vouch.rules.yml');
  const changed = [
    rules.replace(
      'max(vouch_extraction_lag_seconds) > 600',
      'max(vouch_extraction_lag_seconds) > 6000',
    ),
    rules.replaceAll('for: 5m', 'for: 0m'),
  ];
  writeFileSync(join(copies, 'vouch.rules.test.yml'), read('vouch.rules.test.yml'));
  for (const text of changed) {
    expect(text).not.toBe(rules);
    writeFileSync(join(copies, 'vouch.rules.yml'), text);
    expect(() => ask(copies, 'test', 'rules', 'vouch.rules.test.yml')).toThrow();
  }
});
