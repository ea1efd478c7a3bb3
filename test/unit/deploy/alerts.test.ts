/**
 * The shipped alerts and the shipped dashboard ask for series that the service has: names, labels and values of labels.
 * promtool judges the rules themselves (test/generators/alert-rules.test.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROUTES } from '../../../api/rest/routes.ts';
import type { Sample } from '../../support/prometheus.ts';
import { ROOT } from '../../architecture/source-tree.ts';
import { scrapeOfBusyService } from './busy-service.ts';
import { readQuery, seriesOf } from './promql.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const rule = z.strictObject({
  alert: z.string().regex(/^Vouch[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook: z.string(),
  }),
});
const rulesFile = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });
const testsFile = z.object({
  tests: z.array(z.object({ name: z.string(), alert_rule_test: z.array(z.unknown()) })),
});
const target = z.object({ expr: z.string(), legendFormat: z.string() });
const panel = z.object({ title: z.string(), targets: z.array(target).optional() });
const dashboard = z.object({ panels: z.array(panel) });

const RULES = rulesFile
  .parse(parse(read('deploy/prometheus/vouch.rules.yml')))
  .groups.flatMap(({ rules }) => rules);
const PANELS = dashboard.parse(JSON.parse(read('deploy/grafana/vouch.json'))).panels;

/** Every query that is shipped, with the labels that the text beside it names. */
const QUERIES = [
  ...RULES.map(({ alert, annotations, expr }) => ({
    of: alert,
    expr,
    named: [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  })),
  ...PANELS.flatMap(({ targets = [], title }) =>
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      expr,
      named: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
    })),
  ),
];

/** Labels that Prometheus adds to whatever it scrapes. */
const ADDED = ['instance', 'job'];

let samples: readonly Sample[];
beforeAll(async () => {
  samples = await scrapeOfBusyService();
});

describe.each(QUERIES)('$of: $expr', ({ expr, named }) => {
  const { groupedBy, selectors } = readQuery(expr);

  test('asks for series that the service shows', () => {
    const missing = selectors.filter((selector) => seriesOf(selector, samples).length === 0);
    expect(missing).toEqual([]);
    // A query of constants alone would never change.
    expect(selectors.length).toBeGreaterThan(0);
  });

  test('groups by labels that these series have, and names no other', () => {
    const labels = new Set([
      ...ADDED,
      ...selectors.flatMap((selector) =>
        seriesOf(selector, samples).flatMap(({ labels: own }) => Object.keys(own)),
      ),
    ]);
    expect(groupedBy.filter((label) => !labels.has(label))).toEqual([]);
    expect(named.filter((label) => !groupedBy.includes(label))).toEqual([]);
  });
});

test('routes that a query names are routes of the service', () => {
  const patterns = QUERIES.flatMap(({ expr }) => readQuery(expr).selectors)
    .flatMap(({ matchers }) => matchers)
    .filter(({ label, operator }) => label === 'route' && operator === '=~')
    .map(({ value }) => value);
  expect(patterns.length).toBeGreaterThan(0);
  for (const pattern of new Set(patterns)) {
    const paths = new Set(
      ROUTES.filter(({ path }) => new RegExp(`^(?:${pattern})$`).test(path)).map(
        ({ path }) => path,
      ),
    );
    expect([pattern, paths.size]).toEqual([pattern, pattern.split('|').length]);
  }
});

test('a query with a name that nobody has, or a label that its series lack, would be found', () => {
  const found = (expr: string) =>
    readQuery(expr).selectors.flatMap((selector) => seriesOf(selector, samples)).length;
  expect(found('max(vouch_extraction_lag_seconds)')).toBeGreaterThan(0);
  expect(found('max(vouch_extraction_lags)')).toBe(0);
  expect(found('vouch_queue_depth{queue="ingest"}')).toBeGreaterThan(0);
  expect(found('vouch_queue_depth{queue="ingests"}')).toBe(0);
  expect(found('vouch_queue_depth{lane="ingest"}')).toBe(0);
  expect(() => readQuery('max(vouch_queue_depth')).toThrow('no query');
});

describe('every alert', () => {
  const sections = read('docs/RUNBOOK.md').split(/^#{2,3} /m);

  test.each(RULES)(
    '$alert has an entry of the runbook, which says how it ends',
    ({ alert, annotations }) => {
      expect(annotations.runbook).toBe(`docs/RUNBOOK.md#${alert.toLowerCase()}`);
      const entry = sections.find((section) => section.startsWith(`${alert}\n`)) ?? '';
      for (const word of ['It means', 'Look at', 'Do', 'It is over']) expect(entry).toContain(word);
    },
  );

  test('the runbook has an entry for no other', () => {
    const entries = sections.flatMap((section) => /^(Vouch[A-Z]\w+)\n/.exec(section)?.[1] ?? []);
    expect(entries).toEqual(RULES.map(({ alert }) => alert));
  });

  test('is tried with promtool: not yet, fires, is over', () => {
    const { tests } = testsFile.parse(parse(read('deploy/prometheus/vouch.rules.test.yml')));
    expect(tests.map(({ name }) => name)).toEqual(RULES.map(({ alert }) => alert));
    for (const one of tests) expect([one.name, one.alert_rule_test.length]).toEqual([one.name, 3]);
  });
});
