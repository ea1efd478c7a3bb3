/**
 * Measures what an answer takes longer than the search that it rests on; writes a page of figures:
 *
 *   npm run bench:ask -- [--statements <number>] [--answerer <none|deterministic|model>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about five minutes.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startLoadedStack } from '../load/stack.ts';
import { createCorpus } from '../search/corpus.ts';
import { fill, SCOPES } from '../search/fill.ts';
import { questionsOf } from '../search/measure.ts';
import { measure, type AskFigure } from './measure.ts';

const SEED = 20_261_124;
const QUESTIONS = 400;
/** How long the stub of a model takes for an answer. */
const MODEL_MS = 200;

const KINDS = ['none', 'deterministic', 'model'] as const;

interface Answerer {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly delayMs: number;
  readonly settings: Readonly<Record<string, string>>;
}

const ANSWERERS: readonly Answerer[] = [
  { kind: 'none', name: 'none', delayMs: 0, settings: { SERVICE_MODEL_DIALECTIC_AGENT: 'none' } },
  {
    kind: 'deterministic',
    name: 'deterministic',
    delayMs: 0,
    settings: { SERVICE_MODEL_DIALECTIC_AGENT: 'deterministic' },
  },
  { kind: 'model', name: `a model of ${MODEL_MS} ms`, delayMs: MODEL_MS, settings: {} },
];

/** The model, where there is one, is the stub that extracts too. */
async function figuresOf(
  { delayMs, name, settings }: Answerer,
  statements: number,
): Promise<readonly AskFigure[]> {
  const corpus = createCorpus(SEED);
  const stack = await startLoadedStack({ settings, delayMs, answers: delayMs > 0 });
  try {
    await fill(stack, corpus, statements, settings);
    process.stderr.write(`${name}: filled\n`);
    const each = Math.ceil(statements / SCOPES);
    const questions = questionsOf(
      (scope, amount) => corpus.questions(scope, each, amount),
      QUESTIONS,
    );
    const figures: AskFigure[] = [];
    for (const clients of [1, 8]) figures.push(await measure(stack, questions, clients));
    return figures;
  } finally {
    await stack.stop();
  }
}

const { values } = parseArgs({
  options: {
    statements: { type: 'string' },
    answerer: { type: 'string' },
    report: { type: 'string' },
  },
});
const statements = z.coerce
  .number()
  .int()
  .min(SCOPES)
  .max(100_000)
  .default(2_000)
  .parse(values.statements);
const only = z.enum(KINDS).optional().parse(values.answerer);
const lines = [
  `# Answers beside searches, ${statements.toLocaleString('en')} statements in ${SCOPES} scopes`,
  '',
  '`npm run bench:ask`. Medians in milliseconds over HTTP. Each question was searched for (`thorough`) and asked, one right',
  'after the other, in either order by turns.',
  '',
  '| answerer | clients | search | ask | ask / search | longer by |',
  '| --- | --- | --- | --- | --- | --- |',
];
for (const answerer of ANSWERERS.filter(({ kind }) => only === undefined || kind === only)) {
  for (const { ask, clients, longer, search } of await figuresOf(answerer, statements)) {
    const cells = [search, ask, ask / search, longer].map((value, at) =>
      value.toFixed(at === 2 ? 2 : 1),
    );
    lines.push(`| ${answerer.name} | ${clients} | ${cells.join(' | ')} |`);
  }
}
const page = `${lines.join('\n')}\n`;
process.stdout.write(page);
if (values.report !== undefined) writeFileSync(values.report, page);
