/**
 * The suites of the long run: each is one run of Jest over the test files below some paths. They stand in the order of
 * the run: what fails soon comes first, and what takes longest last, so that it is what a run without time leaves out.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../architecture/source-tree.ts';

export interface Suite {
  readonly name: string;
  /** Beginnings of paths below `test/`. Of two suites a file belongs to the one that names more of its path. */
  readonly below: readonly string[];
  /** Its tests take or judge the machine's time: one file at a time. */
  readonly isAlone?: true;
}

export const SUITES: readonly Suite[] = [
  { name: 'pure', below: ['unit/', 'architecture/', 'replay/'] },
  { name: 'integration', below: ['integration/'] },
  { name: 'linearity', below: ['integration/text/linearity'], isAlone: true },
  { name: 'workflow', below: ['workflow/'] },
  { name: 'contract', below: ['contract/'] },
  { name: 'console', below: ['console/'] },
  { name: 'content-safety', below: ['content-safety/'] },
  { name: 'browser', below: ['browser/'] },
  { name: 'generators', below: ['generators/'] },
  { name: 'e2e', below: ['e2e/'] },
  { name: 'first-start', below: ['e2e/first-start'] },
  {
    name: 'histories',
    below: [
      'integration/as-of/',
      'integration/erasure/races',
      'integration/governance/random-histories',
      'integration/governance/renderings',
      'integration/lifecycle/year',
      'integration/lineage/random-graphs',
      'integration/mailboxes/schedules',
    ],
  },
  { name: 'requests', below: ['contract/random-requests'] },
  { name: 'matrix', below: ['contract/matrix', 'contract/page-matrix'] },
  { name: 'desk-tables', below: ['contract/desk-tables/'] },
  {
    name: 'servers',
    below: [
      'fault/embedded',
      'fault/held-server',
      'fault/sweep-kills',
      'fault/decision-kills',
      'fault/archive-kills',
      'fault/backup',
      'fault/yesterday',
    ],
  },
  { name: 'outages', below: ['fault/outage-'] },
  { name: 'kills', below: ['fault/kills'], isAlone: true },
  { name: 'erasures', below: ['fault/erasure-'] },
  { name: 'hostile-desk', below: ['fault/hostile-desk'], isAlone: true },
  { name: 'hostile-provider', below: ['fault/hostile-provider'], isAlone: true },
  { name: 'hostile-texts', below: ['fault/hostile-texts'], isAlone: true },
  { name: 'hostile-requests', below: ['fault/hostile-requests'], isAlone: true },
];

/** Plays on one start what others play on a start of their own. */
const SHORT_RUN_ALONE = 'fault/hostile.test.ts';

/** Every test file that the long run plays, below `test/`. */
export function testFiles(): readonly string[] {
  const folder = join(ROOT, 'test');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => file !== SHORT_RUN_ALONE)
    .toSorted();
}

/** How much of the path the suite names; 0 where the file is not below it. */
function reach({ below }: Suite, file: string): number {
  return Math.max(0, ...below.filter((path) => file.startsWith(path)).map(({ length }) => length));
}

/** The suites that name most of the path of the file: one, where the suites are well made. */
export function suitesOf(file: string): readonly Suite[] {
  const farthest = Math.max(...SUITES.map((suite) => reach(suite, file)));
  return farthest === 0 ? [] : SUITES.filter((suite) => reach(suite, file) === farthest);
}

/** The files of the suite, from the root. */
export function filesOf(suite: Suite): readonly string[] {
  return testFiles()
    .filter((file) => suitesOf(file).includes(suite))
    .map((file) => `test/${file}`);
}

/** The suite of that name, or else those that have the words in their name or in the path of one of their files. */
export function suitesNamed(words: string): readonly Suite[] {
  const own = SUITES.filter(({ name }) => name === words);
  if (own.length > 0) return own;
  const reached = testFiles()
    .filter((file) => `test/${file}`.includes(words))
    .flatMap(suitesOf);
  return SUITES.filter((suite) => suite.name.includes(words) || reached.includes(suite));
}
