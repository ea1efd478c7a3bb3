/**
 * Plants each fault in a copy of the tree and runs the tests that have to find it: whether the tests still catch what they
 * are there for. Fails when a test file passes beside its fault.
 *
 *   npm run test:planted [-- --only <part> --files <part of their paths> --tree <folder>]
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import { copyOf, type Copy } from './tree.ts';
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

/** The file beside its fault, alone: then it is seen what it finds by itself. */
function rowsOf(copy: Copy, fault: (typeof FAULTS)[number]): Row[] {
  const testFiles = fault.caughtBy.filter((path) => files.some((some) => path.includes(some)));
  return testFiles.map((testFile) => {
    const startedAt = performance.now();
    const report = copy.testsWith(fault, [testFile]);
    const verdict = report === null ? 'broken' : verdictOf(report, testFile);
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stderr.write(`${fault.part}: ${testFile} ${verdict} (${seconds.toFixed(0)} s)\n`);
    return { part: fault.part, testFile, verdict, seconds };
  });
}

using copy = copyOf(tree);
const rows = chosen.flatMap((fault) => rowsOf(copy, fault));
process.stdout.write(`${tableOf(rows)}\n`);
if (rows.some(({ verdict }) => verdict !== 'caught')) process.exitCode = 1;
