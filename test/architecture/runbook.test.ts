/** The runbook names everything that ready and the logs can show, and nothing they cannot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CAUSE_WORDS } from '../../domain/explain/causes.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { RUN_KINDS } from '../../domain/pipeline/run-kinds.ts';
import { QUEUE_STATES, QUEUES } from '../../operations/health/queue-depths.ts';
import { readinessReport } from '../../operations/health/report.ts';
import { readFiles, ROOT, SOURCE_FOLDERS } from './source-tree.ts';

const runbook = readFileSync(join(ROOT, 'docs/RUNBOOK.md'), 'utf8');
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { checks, governance } = readinessReport.shape;
/** Said of every component, and explained once. */
const HEAD = new Set(['status', 'error_class', 'window_seconds', 'configured', 'depths']);

/** First cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = runbook.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map((match) => match[1] ?? '');
}

const CALL = /\b(?:info|warn|error|report)\(\s*'([a-z_]+(?:\.[a-z_]+)+)'/g;
const SDK_EVENT = /'(temporal\.[a-z_]+)'/g;

/** Every event that the sources can log. */
function events(): string[] {
  const found = [
    ...readFiles(SOURCE_FOLDERS, '.ts').flatMap(({ text }) => [...text.matchAll(CALL)]),
    ...readFiles(['runtime/temporal'], '.ts').flatMap(({ text }) => [...text.matchAll(SDK_EVENT)]),
  ].map((match) => match[1] ?? '');
  const sweep = readFileSync(join(ROOT, 'runtime/actors/sweep.ts'), 'utf8');
  const [, states = ''] = /readonly temporal: (.+);/.exec(sweep) ?? [];
  const spoken = [...states.matchAll(/'(\w+)'/g)].map((match) => `temporal.${match[1]}`);
  return [...new Set([...found, ...spoken])].toSorted();
}

describe('the runbook', () => {
  test('has a line for every component of ready', () => {
    expect(firstCells('What each symptom in ready means').toSorted()).toEqual(
      [...Object.keys(checks.shape), 'governance'].toSorted(),
    );
  });

  test('names every field of a component', () => {
    const fields = [
      ...Object.values(checks.shape).flatMap((check) => Object.keys(check.shape)),
      ...Object.keys(checks.shape.lifecycle_sweeps.shape.last_completed_at.shape),
      ...Object.keys(governance.shape),
    ].filter((name) => !HEAD.has(name) && !['provider', 'model', 'version'].includes(name));
    expect(fields.length).toBeGreaterThan(12);
    expect(fields.filter((name) => !new RegExp(`\`[a-z_.]*${name}\``).test(runbook))).toEqual([]);
  });

  test('has a line for every error class and for every state of a queue', () => {
    expect(firstCells('Error classes').toSorted()).toEqual([...ERROR_CLASSES].toSorted());
    expect(firstCells('Queues').toSorted()).toEqual([...QUEUE_STATES].toSorted());
  });

  test('names every queue and every kind of run', () => {
    for (const name of [...QUEUES, ...RUN_KINDS]) expect(runbook).toContain(`\`${name}\``);
  });

  test('has a line for every event that is logged, and for no other', () => {
    expect(events().length).toBeGreaterThan(20);
    expect(firstCells('Logs').toSorted()).toEqual(events());
  });

  test('says what to do about every cause that an explanation names, and about no other', () => {
    const [, section = ''] = /^## Why can't I find it\?\n([^]*?)^## /m.exec(runbook) ?? [];
    const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word),
    );
    expect(cells.toSorted()).toEqual([...CAUSE_WORDS].toSorted());
  });

  test('names only npm scripts that exist', () => {
    const { scripts } = Object(manifest);
    for (const [, name = ''] of runbook.matchAll(/npm run ([a-z:]+)/g)) {
      expect(Object.keys(scripts)).toContain(name);
    }
  });
});
