/**
 * Measures searches in a hundred scopes; writes a page of figures:
 *
 *   npm run bench:search -- [--statements <number>] [--embedder none] [--report <file>]
 *
 * measure/bench/README.md explains the figures.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { residentMemory } from '../load/memory.ts';
import { startLoadedStack } from '../load/stack.ts';
import { createCorpus } from './corpus.ts';
import { fill, SCOPES } from './fill.ts';
import { PROFILES } from './asked.ts';
import { measure, questionsOf, type Figure } from './measure.ts';
import { pageOf } from './page.ts';
import { EMBEDDERS, openRaw } from './raw.ts';

const SEED = 20_261_124;
const QUESTIONS = 400;

const { values } = parseArgs({
  options: {
    statements: { type: 'string' },
    embedder: { type: 'string' },
    report: { type: 'string' },
  },
});
const statements = z.coerce
  .number()
  .int()
  .min(SCOPES)
  .max(2_000_000)
  .default(1_000)
  .parse(values.statements);
const embedder = z.enum(EMBEDDERS).default('default').parse(values.embedder);
const settings: Record<string, string> =
  embedder === 'none' ? { SERVICE_MODEL_EMBEDDER: 'none' } : {};

const corpus = createCorpus(SEED);
const stack = await startLoadedStack({ settings });
try {
  const filled = await fill(stack, corpus, statements, settings);
  process.stderr.write(`${filled.units} units in ${filled.seconds.toFixed(0)} s\n`);
  const raw = await openRaw(stack, embedder);
  const each = Math.ceil(statements / SCOPES);
  const questions = questionsOf(
    (scope, amount) => corpus.questions(scope, each, amount),
    QUESTIONS,
  );
  const figures: Figure[] = [];
  for (const clients of [1, 8]) {
    for (const profile of PROFILES) {
      figures.push(await measure(stack, raw, questions, { profile, limit: 12, clients }));
    }
    figures.push(await measure(stack, raw, questions, { profile: 'balanced', limit: 50, clients }));
  }
  await raw.close();
  const page = pageOf({ statements, embedder, filled }, figures, {
    resident: residentMemory(stack),
    ofFiles: residentMemory(stack, 'Pss_File'),
  });
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
