/**
 * Measures what a person notices of the retention while it deletes many rows; writes a page of figures:
 *
 *   npm run bench:retention [-- --rows <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about four minutes with 400,000 rows a round.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startLoadedStack } from '../load/stack.ts';
import { median } from '../timing.ts';
import { measureRetention, type RetentionRound } from './measure.ts';

const said = (value: number): string => value.toLocaleString('en');

function pageOf(rows: number, rounds: readonly RetentionRound[]): string {
  const ratio = median(rounds.map(({ beside, undisturbed }) => beside.p50 / undisturbed.p50));
  return [
    `# Retention of ${said(rows)} calls beside ingest`,
    '',
    `\`npm run bench:retention\`. ${rounds.length} rounds in one run: observations at a steady pace, first with nothing to delete, then while \`vouch retention run\` deletes ${said(rows)} old calls of the same account. Median of the rounds' ratios of the median: **${ratio.toFixed(2)}** (aim: at most 1.3).`,
    '',
    '| round | accepted, p50 in ms | beside the retention | ratio | p95 in ms | beside | rows a second |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rounds.map(({ beside, perSecond, undisturbed }, at) =>
      [
        `| ${at + 1}`,
        undisturbed.p50.toFixed(1),
        beside.p50.toFixed(1),
        (beside.p50 / undisturbed.p50).toFixed(2),
        undisturbed.p95.toFixed(1),
        beside.p95.toFixed(1),
        `${said(Math.round(perSecond))} |`,
      ].join(' | '),
    ),
    '',
  ].join('\n');
}

const { values } = parseArgs({
  options: { rows: { type: 'string' }, report: { type: 'string' } },
});
const rows = z.coerce
  .number()
  .int()
  .min(100_000)
  .max(5_000_000)
  .default(400_000)
  .parse(values.rows);
const stack = await startLoadedStack({});
try {
  const page = pageOf(rows, await measureRetention(stack, rows));
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
