/**
 * Measures the desk of curators on a long queue, and writes a page of figures:
 *
 *   npm run bench:desk [-- --items <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about five minutes with 100,000 items.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { sendObservations } from '../load/http-load.ts';
import { untilDone } from '../load/searchable.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { measureBulk, measureFilters, measureLists, type Figure } from './measure.ts';
import { fillQueue } from './queue.ts';

const SCOPE = '/bench/desk';
/** All items but one are about the first, and that one is about the second. */
const [MANY, ONE] = ['somebody', 'somebody-else'];

function rowOf({ bare, ratio, service, what }: Figure): string {
  return `| ${what} | ${service.toFixed(1)} | ${bare.toFixed(2)} | ${ratio.toFixed(1)} |`;
}

function pageOf(items: number, figures: readonly Figure[]): string {
  return [
    `# The desk with ${items.toLocaleString('en')} open items`,
    '',
    '`npm run bench:desk`. Medians in milliseconds; the bare statement ran in turns with the request.',
    '',
    '| request | over HTTP | bare SQL | ratio |',
    '| --- | --- | --- | --- |',
    ...figures.map(rowOf),
    '',
  ].join('\n');
}

async function measured(stack: LoadedStack, items: number): Promise<readonly Figure[]> {
  for (const [at, person] of [MANY, ONE].entries()) {
    const content = `I keep the lathe with number ${at + 1} in the yard of Ghent.`;
    const observation = { scope_path: SCOPE, session_id: 'desk', peer_key: person, content };
    await sendObservations(stack, () => observation, { clients: 1, amount: 1 });
    await untilDone(stack.admin, SCOPE, at + 1);
  }
  // From here on the worker rests: it would index what is decided, on the same two cores.
  const worker = stack.processes().get('worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker, 'SIGSTOP');
  try {
    await fillQueue(stack.admin, SCOPE, items);
    return [
      ...(await measureLists(stack, SCOPE)),
      ...(await measureFilters(stack, ONE)),
      ...(await measureBulk(stack)),
    ];
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}

const { values } = parseArgs({
  options: { items: { type: 'string' }, report: { type: 'string' } },
});
const items = z.coerce
  .number()
  .int()
  .min(5_000)
  .max(1_000_000)
  .default(100_000)
  .parse(values.items);
const stack = await startLoadedStack();
try {
  const page = pageOf(items, await measured(stack, items));
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
