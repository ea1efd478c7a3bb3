/**
 * Plants each fault in a copy of the tree and runs the tests that have to find it: whether the tests still catch what they
 * are there for. Fails when a test file passes beside its fault.
 *
 *   npm run test:planted [-- --only <part> --files <part of their paths> --tree <folder>]
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import type { Fault } from './fault.ts';
import { copyOf } from './tree.ts';
import { tableOf, verdictOf, type Row } from './verdict.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    files: { type: 'string', multiple: true },
    tree: { type: 'string' },
  },
});
const { files = [''], only, tree = process.cwd() } = values;
const chosen = FAULTS.filter(({ part }) => only === undefined || only.includes(part));
if (chosen.length === 0) throw new Error('no such part');

using copy = copyOf(tree);
/** Whether the file passes without a fault: one that fails anyhow finds nothing. */
const passing = new Map<string, boolean>();

function passes(testFile: string): boolean {
  const known = passing.get(testFile) ?? verdictOf(copy.test(testFile), testFile) === 'missed';
  passing.set(testFile, known);
  return known;
}

/** Each of its test files by itself: then it is seen what that one finds. */
function rowsOf(fault: Fault): Row[] {
  const testFiles = fault.caughtBy.filter((path) => files.some((some) => path.includes(some)));
  return testFiles.map((testFile) => {
    const startedAt = performance.now();
    const found = verdictOf(copy.test(testFile, fault), testFile);
    const seconds = (performance.now() - startedAt) / 1_000;
    const verdict = found === 'caught' && !passes(testFile) ? 'broken' : found;
    process.stderr.write(`${fault.part}: ${testFile} ${verdict} (${seconds.toFixed(0)} s)\n`);
    return { part: fault.part, testFile, verdict, seconds };
  });
}

const rows = chosen.flatMap(rowsOf);
process.stdout.write(`${tableOf(rows)}\n`);
if (rows.some(({ verdict }) => verdict !== 'caught')) process.exitCode = 1;
