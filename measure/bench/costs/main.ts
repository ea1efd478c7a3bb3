/**
 * Measures the answer of costs on a ledger of very many calls over a year, in turns with a plain request and with the sums
 * of one query over the ledger; writes a page of figures:
 *
 *   npm run bench:costs [-- --calls <number>] [--scopes <number>] [--rounds <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes some minutes with a million calls.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { percentiles, timed, type Durations } from '../timing.ts';

const WARM_UP = 10;
/** Calls of one statement of SQL: the roll-up folds between them. */
const CALLS_PER_STATEMENT = 50_000;

const said = (value: number): string => value.toLocaleString('en');

type Measured = readonly [name: string, work: () => Promise<unknown>];

async function accountOf({ admin }: LoadedStack): Promise<string> {
  const { rows } = await admin.query<{ id: string }>('select id from accounts');
  const [row] = rows;
  if (row === undefined) throw new Error('no account');
  return row.id;
}

/** Fills the ledger by SQL; entries are folded by the service itself. */
async function fill(stack: LoadedStack, account: string, calls: number, scopes: number) {
  const { admin } = stack;
  await admin.query(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, gen_random_uuid(), '/bench' || n, root.id
     from generate_series(1, $2::integer) n, (select id from scopes where account_id = $1 and path = '/') root`,
    [account, scopes],
  );
  for (let done = 0; done < calls; done += CALLS_PER_STATEMENT) {
    await admin.query(
      `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered, scope_id,
         input_tokens, output_tokens, duration_ms, reserved_at, dispatched_at, finished_at)
       select $1, gen_random_uuid(), (enum_range(null::model_role))[1 + n % 5], 'openai-compatible', 'model-' || n % 2, '1',
         (case when n % 50 = 0 then 'error' else 'success' end)::attempt_state, n % 50 > 0,
         of.ids[1 + n % cardinality(of.ids)], n % 5000, n % 900, n % 2500, at, at, at
       from generate_series($2::integer + 1, least($2::integer + $3::integer, $4::integer)) n,
       lateral (select now() - make_interval(secs => n::bigint * 7919 % 31536000) as at) drawn,
       (select array_agg(id order by path) as ids from scopes where account_id = $1) of`,
      [account, done, CALLS_PER_STATEMENT, calls],
    );
  }
  await admin.query('vacuum analyze');
}

/** Waits until the roll-up of the service has folded everything. */
async function untilFolded({ admin }: LoadedStack): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query('select from usage_entries limit 1');
    if (rowCount === 0) return;
    await sleep(200);
  }
}

async function get(
  { personToken, url }: LoadedStack,
  path: string,
  status: number,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${personToken}` },
  });
  const body: unknown = await answer.json();
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`);
  return body;
}

/** Runs all of them in turns, so that each meets the same machine. */
async function inTurns(
  all: readonly Measured[],
  rounds: number,
): Promise<readonly (readonly [string, Durations])[]> {
  const took = new Map<string, number[]>(all.map(([name]) => [name, []]));
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    for (const [name, work] of all) {
      const { ms } = await timed(work);
      if (round >= WARM_UP) took.get(name)?.push(ms);
    }
  }
  return [...took].map(([name, times]) => [name, percentiles(times)] as const);
}

const { values } = parseArgs({
  options: {
    calls: { type: 'string' },
    scopes: { type: 'string' },
    rounds: { type: 'string' },
    report: { type: 'string' },
  },
});
const numberOf = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual);
const calls = numberOf(10_000_000, 1_000_000).parse(values.calls);
const scopes = numberOf(10_000, 200).parse(values.scopes);
const rounds = numberOf(10_000, 200).parse(values.rounds);

const stack = await startLoadedStack({});
try {
  const account = await accountOf(stack);
  await fill(stack, account, calls, scopes);
  await untilFolded(stack);
  const shown = z
    .object({ data: z.object({ event_count: z.int() }) })
    .parse(await get(stack, '/api/v1/operations/costs', 200));
  const figures = await inTurns(
    [
      [
        'a plain request: the status of a message that is missing',
        () => get(stack, '/api/v1/ingest/01890000-0000-7000-8000-0000000000aa', 404),
      ],
      ['costs, a month by day', () => get(stack, '/api/v1/operations/costs', 200)],
      [
        'costs, a year by model',
        () =>
          get(
            stack,
            `/api/v1/operations/costs?by=model&from=${new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)}`,
            200,
          ),
      ],
      ['costs, a month by scope', () => get(stack, '/api/v1/operations/costs?by=scope', 200)],
      [
        'the sums of one query over the ledger',
        () =>
          stack.admin.query(
            `select role, model, count(*), sum(input_tokens), sum(output_tokens) from provider_attempts
             where account_id = $1 group by role, model`,
            [account],
          ),
      ],
    ],
    rounds,
  );
  const page = [
    `# Costs of ${said(calls)} calls over a year, in ${said(scopes)} scopes`,
    '',
    `\`npm run bench:costs -- --calls ${calls} --scopes ${scopes} --rounds ${rounds}\`. Milliseconds until the whole answer is there, all in turns. The answer counted ${said(shown.data.event_count)} calls.`,
    '',
    '| what | p50 | p95 | p99 |',
    '| --- | --- | --- | --- |',
    ...figures.map(
      ([name, { p50, p95, p99 }]) =>
        `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} |`,
    ),
    '',
  ].join('\n');
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
