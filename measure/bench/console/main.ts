/**
 * Measures the pages of the console among many statements and a long queue, beside searches; writes a page of figures:
 *
 *   npm run bench:console -- [--statements <number>] [--items <number>] [--rounds <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures.
 */
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { post } from '../load/post.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { createCorpus } from '../search/corpus.ts';
import { SCOPES } from '../search/fill.ts';
import { questionsOf } from '../search/measure.ts';
import type { Question } from '../search/asked.ts';
import { percentiles, timed, type Durations } from '../timing.ts';
import { administratorOf, believedIds, curatorOf, fillConsole, type Amounts } from './fill.ts';
import { pagesOf, type Addresses } from './pages.ts';
import { signIn, type Login } from './person.ts';

const SEED = 20_261_124;
const QUESTIONS = 400;
const WARM_UP = 5;
const SETTINGS = { SERVICE_MODEL_EMBEDDER: 'none' };

/** One thing that is measured: its name, and what is done in a round. */
type Measured = readonly [name: string, work: (round: number) => Promise<unknown>];

type Figures = ReadonlyMap<string, Durations>;

/** Runs all of them in turns, so that each meets the same machine. */
async function inTurns(all: readonly Measured[], rounds: number): Promise<Figures> {
  const took = new Map<string, number[]>(all.map(([name]) => [name, []]));
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    for (const [name, work] of all) {
      const { ms } = await timed(() => work(round));
      if (round >= WARM_UP) took.get(name)?.push(ms);
    }
  }
  return new Map([...took].map(([name, times]) => [name, percentiles(times)]));
}

/** The pages as the person sees them, in turns with a search over REST. */
async function measured(
  stack: LoadedStack,
  login: Login,
  addresses: Addresses,
  rounds: number,
): Promise<Figures> {
  const person = await signIn(stack, login);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const search = (round: number): Promise<unknown> => {
    const { query, scopePath } = addresses.questions[round % QUESTIONS] as Question;
    const body = { query, scope_path: scopePath, profile: 'balanced', limit: 25 };
    return post(agent, stack, '/api/v1/search', body);
  };
  try {
    const pages = await pagesOf(person, addresses);
    const opened = pages.map(([name, path]): Measured => [
      name,
      (round) => person.open(path(round)),
    ]);
    return await inTurns([['a search over REST, balanced', search], ...opened], rounds);
  } finally {
    person.close();
    agent.destroy();
  }
}

function tableOf(who: string, figures: Figures): readonly string[] {
  return [
    `## ${who}`,
    '',
    '| page | p50 | p95 | p99 |',
    '| --- | --- | --- | --- |',
    ...[...figures].map(
      ([name, { p50, p95, p99 }]) =>
        `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} |`,
    ),
    '',
  ];
}

function pageOf(
  { items, statements }: Amounts,
  rounds: number,
  tables: readonly (readonly [string, Figures])[],
): string {
  return [
    `# Pages among ${statements.toLocaleString('en')} statements, with ${items.toLocaleString('en')} items in the queue`,
    '',
    `\`npm run bench:console\`. Milliseconds until the whole page is there, ${rounds} rounds, all in turns.`,
    '',
    ...tables.flatMap(([who, figures]) => tableOf(who, figures)),
  ].join('\n');
}

const { values } = parseArgs({
  options: {
    statements: { type: 'string' },
    items: { type: 'string' },
    rounds: { type: 'string' },
    report: { type: 'string' },
  },
});
const numberOf = (least: number, most: number, usual: number) =>
  z.coerce.number().int().min(least).max(most).default(usual);
const statements = numberOf(SCOPES, 1_000_000, 100_000).parse(values.statements);
const items = numberOf(1_000, 100_000, 10_000).parse(values.items);
// A graph is drawn for the first time in each round, and there are a hundred scopes.
const rounds = numberOf(5, SCOPES - WARM_UP, 60).parse(values.rounds);

const corpus = createCorpus(SEED);
const stack = await startLoadedStack({ settings: SETTINGS });
try {
  await fillConsole(stack, corpus, { statements, items }, SETTINGS);
  const each = Math.ceil(statements / SCOPES);
  const addresses = {
    statements: await believedIds(stack),
    questions: questionsOf((scope, amount) => corpus.questions(scope, each, amount), QUESTIONS),
  };
  const people = [
    ['An administrator', administratorOf(stack), true],
    ['A reader of all scopes, curator of one', await curatorOf(stack, SETTINGS), false],
  ] as const;
  const tables: (readonly [string, Figures])[] = [];
  for (const [who, login, isAdministrator] of people) {
    tables.push([who, await measured(stack, login, { ...addresses, isAdministrator }, rounds)]);
  }
  const page = pageOf({ statements, items }, rounds, tables);
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
