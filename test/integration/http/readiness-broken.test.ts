/** The readiness report with every component away or silent, alone and in pairs. */
import { afterEach, expect, jest, test } from '@jest/globals';
import type { ReadinessSources } from '../../../operations/environment/readiness-sources.ts';
import { CHECK_TIMEOUT_MS } from '../../../operations/health/bounded.ts';
import { refused, report, ROLES, silent } from './readiness-scene.ts';

afterEach(() => void jest.useRealTimers());

/** The checks that each component decides, when it alone fails. */
const DECIDES = {
  database: ['database'],
  jobQueue: ['job_queue'],
  qdrant: ['search_index'],
  meilisearch: ['search_index'],
  anchors: ['queues', 'pipeline_runs'],
  marks: ['queues'],
  runs: ['queues', 'pipeline_runs'],
  lastSweeps: ['lifecycle_sweeps'],
  modelRoles: ['model_roles'],
  vectorIndexes: ['embedding_index'],
} as const satisfies Partial<Record<keyof ReadinessSources, readonly string[]>>;
type Breakable = keyof typeof DECIDES;

const NAMES = Object.keys(DECIDES) as readonly Breakable[];
/** Each component alone, and each pair. */
const BREAKS: readonly (readonly Breakable[])[] = NAMES.flatMap((one, n) => [
  [one],
  ...NAMES.slice(n + 1).map((other) => [one, other]),
]);

const brokenBy = (
  names: readonly Breakable[],
  failing: () => Promise<never>,
): Partial<ReadinessSources> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      name === 'modelRoles'
        ? () => ({ ...ROLES, ingest_extractor: { provider: 'none' } })
        : failing,
    ]),
  );

const expectedOf = (names: readonly Breakable[]) =>
  [...new Set(names.flatMap((name) => DECIDES[name]))].toSorted();

const errorsOf = ({ checks }: Awaited<ReturnType<typeof report>>) =>
  Object.entries(checks)
    .filter(([, { status }]) => status === 'error')
    .map(([name]) => name)
    .toSorted();

test.each(BREAKS)('%j: exactly what it takes with it is an error', async (...names) => {
  const broken = await report(brokenBy(names, refused));
  expect(errorsOf(broken)).toEqual(expectedOf(names));
  expect(broken.status).toBe('not_ready');
});

test.each(BREAKS)('%j silent: the same, two seconds after the question', async (...names) => {
  jest.useFakeTimers();
  const asked = report(brokenBy(names, silent));
  let answered = false;
  void asked.then(() => (answered = true));
  await jest.advanceTimersByTimeAsync(CHECK_TIMEOUT_MS - 1);
  // What is configured needs no answer of anybody.
  expect(answered).toBe(names.every((name) => name === 'modelRoles'));
  await jest.advanceTimersByTimeAsync(1);
  expect(answered).toBe(true);
  expect(errorsOf(await asked)).toEqual(expectedOf(names));
});
