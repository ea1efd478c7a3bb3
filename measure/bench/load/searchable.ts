/**
 * Measures the time from accepted to searchable: an observation is `completed` once the index that searches ask has
 * acknowledged its statements. Both instants are the database's own. Also measures the cost for Temporal, by the
 * server's counter.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import { createObservations } from './observations.ts';
import { sendObservations } from './http-load.ts';
import { sendAtPace } from './paced-load.ts';
import type { LoadedStack } from './stack.ts';

const PATIENCE_MS = 300_000;

export interface SearchableFigures {
  readonly messages: number;
  /** Milliseconds from accepted to completed. */
  readonly p50: number;
  readonly p95: number;
  /** Completed observations a second, from the first accepted to the last completed. */
  readonly perSecond: number;
  /** Transitions of workflow state, for 1,000 observations. */
  readonly transitionsPerThousand: number;
}

const figuresRow = z.object({
  messages: z.coerce.number(),
  p50: z.coerce.number(),
  p95: z.coerce.number(),
  seconds: z.coerce.number(),
});

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Waits until `expected` observations of the scope with ids after `afterId` are completed. */
export async function untilDone(
  admin: Client,
  scope: string,
  expected: number,
  afterId = FIRST_ID,
): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await admin.query(
      `select count(*)::int as done from extraction_anchors a
       join scopes s on s.account_id = a.account_id and s.id = a.scope_id
       where s.path = $1 and a.message_id > $2 and a.status = 'completed'`,
      [scope, afterId],
    );
    const { done } = z.object({ done: z.int() }).parse(rows[0]);
    if (done === expected) return;
    if (performance.now() > giveUpAt) throw new Error(`${done} of ${expected} were completed`);
    await sleep(100);
  }
}

/** Waits until there are no dirty marks, so that both indexes are up to date. */
export async function untilNothingIsMarked(
  admin: Client,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while ((await admin.query('select from dirty_marks limit 1')).rowCount !== 0) {
    if (performance.now() > giveUpAt) throw new Error('marks are left');
    await sleep(100);
  }
}

/** How often the Temporal server has written the state of a workflow in the service's namespace. */
export async function transitions(stack: LoadedStack): Promise<number> {
  const text = await (await fetch(stack.temporalMetricsUrl)).text();
  let sum = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith('state_transition_count_count{')) continue;
    if (line.includes('namespace="vouch"')) sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}

/** By then the actors are asleep, so that their last steps are counted with the load that woke them. */
export const ACTORS_SLEEP_MS = 65_000;

export interface SearchableLoad {
  readonly run: string;
  readonly amount: number;
  readonly sessions: number;
  readonly clients: number;
  /** Observations a second; when absent, as fast as they are accepted. */
  readonly rate?: number;
}

/** Sends `amount` observations and waits until all are searchable and both indexes are up to date. */
export async function fill(stack: LoadedStack, load: SearchableLoad): Promise<void> {
  const next = createObservations(load.run, load.sessions);
  const { rate, clients, amount } = load;
  if (rate === undefined) await sendObservations(stack, next, { clients, amount });
  else await sendAtPace(stack, next, { rate, amount });
  await untilDone(stack.admin, `/bench/${load.run}`, load.amount);
  await untilNothingIsMarked(stack.admin);
}

/** Runs `fill` and reads how long each observation took, and the cost for Temporal. */
export async function measureSearchable(
  stack: LoadedStack,
  load: SearchableLoad,
): Promise<SearchableFigures> {
  const { admin } = stack;
  const before = await transitions(stack);
  await fill(stack, load);
  const { rows } = await admin.query(
    `select count(*) as messages,
       percentile_disc(0.5) within group (order by took) as p50,
       percentile_disc(0.95) within group (order by took) as p95,
       extract(epoch from max(completed_at) - min(recorded_at)) as seconds
     from (select a.completed_at, m.recorded_at,
         1000 * extract(epoch from a.completed_at - m.recorded_at) as took
       from extraction_anchors a
       join messages m on m.account_id = a.account_id and m.id = a.message_id
       join scopes s on s.account_id = a.account_id and s.id = a.scope_id
       where s.path = $1) as observed`,
    [`/bench/${load.run}`],
  );
  const { messages, p50, p95, seconds } = figuresRow.parse(rows[0]);
  await sleep(ACTORS_SLEEP_MS);
  const written = (await transitions(stack)) - before;
  return {
    messages,
    p50,
    p95,
    perSecond: messages / seconds,
    transitionsPerThousand: (1000 * written) / messages,
  };
}
