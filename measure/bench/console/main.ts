/**
 * Measures the pages of the console among many statements and a long queue, beside searches; writes a page of figures:
 *
 *   npm run bench:console -- [--statements <number>] [--items <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Agent } from 'node:http';
import { z } from 'zod';
import { fillQueue } from '../desk/queue.ts';
import { sendObservations } from '../load/http-load.ts';
import { post } from '../load/post.ts';
import { untilDone } from '../load/searchable.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { createCorpus } from '../search/corpus.ts';
import { fill, scopeOf, SCOPES } from '../search/fill.ts';
import { questionsOf } from '../search/measure.ts';
import { percentiles, timed, type Durations } from '../timing.ts';
import { signIn, type Person } from './person.ts';

const SEED = 20_261_124;
const DESK = '/bench/desk';
const ROUNDS = 60;
const WARM_UP = 5;
const SETTINGS = { SERVICE_MODEL_EMBEDDER: 'none' };

/** One thing that is measured: its name, and what is done in a round. */
type Measured = readonly [name: string, work: (round: number) => Promise<unknown>];

/** Runs all of them in turns, so that each meets the same machine. */
async function inTurns(all: readonly Measured[]): Promise<ReadonlyMap<string, Durations>> {
  const took = new Map<string, number[]>(all.map(([name]) => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [name, work] of all) {
      const { ms } = await timed(() => work(round + WARM_UP));
      if (round >= 0) took.get(name)?.push(ms);
    }
  }
  return new Map([...took].map(([name, times]) => [name, percentiles(times)]));
}

async function fillDesk(stack: LoadedStack, items: number): Promise<void> {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  const said = { scope_path: DESK, session_id: 'desk', peer_key: 'somebody', content };
  await sendObservations(stack, () => said, { clients: 1, amount: 1 });
  await untilDone(stack.admin, DESK, 1);
  await fillQueue(stack.admin, DESK, items);
}

async function statementIds({ admin }: LoadedStack): Promise<readonly string[]> {
  const { rows } = await admin.query(
    `select k.id from knowledge k join scopes s on s.account_id = k.account_id and s.id = k.scope_id
     where s.path like '/bench/place-%' and k.state = 'active' order by md5(k.id::text) limit 500`,
  );
  return z
    .array(z.object({ id: z.uuid() }))
    .parse(rows)
    .map(({ id }) => id);
}

async function measured(stack: LoadedStack, person: Person, statements: number) {
  const corpus = createCorpus(SEED);
  const each = Math.ceil(statements / SCOPES);
  const questions = questionsOf((scope, amount) => corpus.questions(scope, each, amount), 400);
  const ids = await statementIds(stack);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const asked = (round: number) =>
    questions[round % questions.length] ?? { query: '', scopePath: '/' };
  const page = (name: string, path: (round: number) => string): Measured => [
    name,
    (round) => person.open(path(round)),
  ];
  const scope = (round: number): string => encodeURIComponent(scopeOf(round % SCOPES));
  const figures = await inTurns([
    [
      'a search over REST, balanced',
      (round) => {
        const { query, scopePath } = asked(round);
        const body = { query, scope_path: scopePath, profile: 'balanced' };
        return post(agent, stack, '/api/v1/search', body);
      },
    ],
    page('overview', () => '/console'),
    page('knowledge of a scope', (round) => `/console/knowledge?scope=${scope(round)}`),
    page('knowledge, a search', (round) => {
      const { query, scopePath } = asked(round);
      return `/console/knowledge?${new URLSearchParams({ scope: scopePath, q: query }).toString()}`;
    }),
    page('one statement', (round) => `/console/knowledge/${ids[round % ids.length] ?? ''}`),
    page('scopes', () => '/console/scopes'),
    page('one scope', (round) => `/console/scopes?scope=${scope(round)}`),
    page('a graph, drawn for the first time', (round) => `/console/graph?scope=${scope(round)}`),
    page('the same graph again', (round) => `/console/graph?scope=${scope(round)}`),
    page('documents', () => '/console/sources'),
    page('sessions', () => '/console/sources/sessions'),
    page('observations', () => '/console/sources/observations'),
    page('skills', () => '/console/skills'),
    page('tools', () => '/console/tools'),
    page('about me', () => '/console/me'),
    page('operations', () => '/console/operations'),
    page('the queue', () => '/governance'),
    page('the queue, of one scope', () => `/governance?scope_path=${encodeURIComponent(DESK)}`),
  ]);
  agent.destroy();
  return figures;
}

const { values } = parseArgs({
  options: {
    statements: { type: 'string' },
    items: { type: 'string' },
    report: { type: 'string' },
  },
});
const statements = z.coerce
  .number()
  .int()
  .min(SCOPES)
  .max(1_000_000)
  .default(100_000)
  .parse(values.statements);
const items = z.coerce.number().int().min(100).max(100_000).default(10_000).parse(values.items);
const stack = await startLoadedStack({ settings: SETTINGS });
try {
  await fill(stack, createCorpus(SEED), statements, SETTINGS);
  await fillDesk(stack, items);
  const person = await signIn(stack);
  const figures = await measured(stack, person, statements);
  person.close();
  const lines = [
    `# Pages among ${statements.toLocaleString('en')} statements, with ${items.toLocaleString('en')} items in the queue`,
    '',
    '`npm run bench:console`. Milliseconds over HTTP, one administrator, all in turns.',
    '',
    '| page | p50 | p95 | p99 |',
    '| --- | --- | --- | --- |',
    ...[...figures].map(
      ([name, { p50, p95, p99 }]) =>
        `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} |`,
    ),
    '',
  ];
  const report = lines.join('\n');
  process.stdout.write(report);
  if (values.report !== undefined) writeFileSync(values.report, report);
} finally {
  await stack.stop();
}
