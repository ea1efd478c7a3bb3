/**
 * Measures a sweep of many statements that fall due at once, and what another person notices of it; writes a page of
 * figures:
 *
 *   npm run bench:sweeps [-- --statements <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about five minutes with 100,000 statements.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { copyStatements } from '../load/copies.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone } from '../load/searchable.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { measureSweep, type SweepFigures } from './measure.ts';

const SCOPE = '/bench/due';

const said = (value: number): string => value.toLocaleString('en');

const row = (what: string, before: number, during: number): string =>
  `| ${what} | ${before.toFixed(0)} | ${during.toFixed(0)} | ${(during / before).toFixed(1)} |`;

function pageOf({ beside, seconds, statements, undisturbed }: SweepFigures): string {
  return [
    `# A sweep of ${said(statements)} statements that fall due at once`,
    '',
    `\`npm run bench:sweeps\`. All of them are about one person. The sweep took ${seconds.toFixed(0)} seconds: ${said(Math.round(statements / seconds))} statements a second.`,
    '',
    '| of another person in the account, p95 in ms | undisturbed | beside the sweep | ratio |',
    '| --- | --- | --- | --- |',
    row('observation accepted', undisturbed.accepted, beside.accepted),
    row('accepted to completed', undisturbed.completed, beside.completed),
    '',
  ].join('\n');
}

/** Statements about one person that the indexes need not hold: nothing is measured of these. */
async function fill(stack: LoadedStack, statements: number): Promise<void> {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  const observation = { scope_path: SCOPE, session_id: 'due', peer_key: 'somebody', content };
  await sendObservations(stack, () => observation, { clients: 1, amount: 1 });
  await untilDone(stack.admin, SCOPE, 1);
  // The worker would write the copies to the indexes before their marks are deleted.
  const worker = stack.processes().get('worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker, 'SIGSTOP');
  try {
    await copyStatements(stack.admin, SCOPE, statements - 1);
    await stack.admin.query('delete from dirty_marks');
    await stack.admin.query('vacuum analyze');
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}

const { values } = parseArgs({
  options: { statements: { type: 'string' }, report: { type: 'string' } },
});
const statements = z.coerce
  .number()
  .int()
  .min(1_000)
  .max(1_000_000)
  .default(100_000)
  .parse(values.statements);
const stack = await startLoadedStack({ settings: { SERVICE_UNATTENDED: 'true' } });
try {
  await fill(stack, statements);
  const page = pageOf(await measureSweep(stack, SCOPE));
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
