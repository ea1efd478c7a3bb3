/**
 * Measures the erasure of one person among many statements, and what others notice of it; writes a page of figures:
 *
 *   npm run bench:erasure [-- --statements <number>] [--indexed <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about half an hour with a million statements.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startLoadedStack } from '../load/stack.ts';
import { measureErasure, type ErasureFigures } from './measure.ts';
import { fill } from './people.ts';

const number = (least: number, most: number, unless: number) =>
  z.coerce.number().int().min(least).max(most).default(unless);

const said = (value: number): string => value.toLocaleString('en');

function pageOf(size: { statements: number; indexed: number }, figures: ErasureFigures): string {
  const { beside, counts, steps, undisturbed } = figures;
  return [
    `# An erasure among ${said(size.statements)} statements`,
    '',
    `\`npm run bench:erasure\`. The database holds ${said(size.statements)} statements of others, the indexes ${said(size.indexed)} of them.`,
    `The person has said ${said(counts.messages)} messages; ${said(counts.statements)} statements are about the person.`,
    '',
    '| step | seconds | pages |',
    '| --- | --- | --- |',
    ...steps.map(({ name, pages, seconds }) => `| ${name} | ${seconds.toFixed(1)} | ${pages} |`),
    '',
    '| of another person, p95 in ms | undisturbed | beside the erasure | ratio |',
    '| --- | --- | --- | --- |',
    ...Object.entries(beside).map(([what, during]) => {
      const before = undisturbed[what] ?? Number.NaN;
      return `| ${what} | ${before.toFixed(0)} | ${during.toFixed(0)} | ${(during / before).toFixed(1)} |`;
    }),
    '',
  ].join('\n');
}

const { values } = parseArgs({
  options: {
    statements: { type: 'string' },
    indexed: { type: 'string' },
    report: { type: 'string' },
  },
});
const size = {
  statements: number(1_000, 10_000_000, 1_000_000).parse(values.statements),
  indexed: number(0, 1_000_000, 50_000).parse(values.indexed),
};
const stack = await startLoadedStack({ settings: { SERVICE_ERASURE_SETTLE_SECONDS: '5' } });
try {
  const person = await fill(stack, size);
  const page = pageOf(size, await measureErasure(stack, person));
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
