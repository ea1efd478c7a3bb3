/** How observations are accepted while a pass deletes old calls, and how fast it does, in turns with nothing to delete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import { createObservations } from '../load/observations.ts';
import { sendAtPace } from '../load/paced-load.ts';
import type { LoadedStack } from '../load/stack.ts';
import type { Durations } from '../timing.ts';

const ROUNDS = 3;
const RATE = 20;
const SECONDS = 8;
const SESSIONS = 40;
const LOOK_EVERY_MS = 50;
const ENDS_WITHIN_MS = 5 * 60_000;

export interface RetentionRound {
  readonly undisturbed: Durations;
  readonly beside: Durations;
  /** Rows that the pass deleted in a second, its rests included. */
  readonly perSecond: number;
}

const leftRow = z.object({ n: z.coerce.number() });

/** Finished calls of two years ago. */
async function addOldCalls({ admin }: LoadedStack, rows: number): Promise<void> {
  await admin.query('set statement_timeout = 0');
  await admin.query(
    `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered, input_tokens,
       reserved_at, dispatched_at, finished_at)
     select a.id, uuidv7(interval '-2 years'), 'embedder', 'stub', 'm', '1', 'success', true, 10,
       now() - interval '2 years' + n * interval '1 millisecond', now() - interval '2 years' + n * interval '1 millisecond',
       now() - interval '2 years' + n * interval '1 millisecond'
     from (select id from accounts order by id limit 1) a, generate_series(1, $1::int) n`,
    [rows],
  );
  await admin.query('vacuum analyze provider_attempts');
}

async function oldCalls({ admin }: LoadedStack): Promise<number> {
  const { rows } = await admin.query(
    `select count(*) as n from provider_attempts where reserved_at < now() - interval '400 days'`,
  );
  return leftRow.parse(rows[0]).n;
}

/** Resolves as soon as no more than `most` old calls are left. */
async function untilLeft(stack: LoadedStack, most: number): Promise<void> {
  const givesUpAt = performance.now() + ENDS_WITHIN_MS;
  while ((await oldCalls(stack)) > most) {
    if (performance.now() > givesUpAt) throw new Error('the retention did not end');
    await sleep(LOOK_EVERY_MS);
  }
}

async function round(
  stack: LoadedStack,
  rows: number,
  next: Parameters<typeof sendAtPace>[1],
): Promise<RetentionRound> {
  const load = { rate: RATE, amount: RATE * SECONDS };
  await addOldCalls(stack, rows);
  const undisturbed = await sendAtPace(stack, next, load);
  const pass = vouch(stack, ['retention', 'run'], {}, ENDS_WITHIN_MS);
  await untilLeft(stack, rows - 1);
  const startedAt = performance.now();
  const beside = await sendAtPace(stack, next, load);
  const left = await oldCalls(stack);
  if (left === 0) throw new Error('the retention ended before the load did: take more rows');
  const perSecond = ((rows - left) / (performance.now() - startedAt)) * 1_000;
  const { exitCode } = await pass;
  if (exitCode !== 0) throw new Error('the retention did not complete');
  return { undisturbed, beside, perSecond };
}

export async function measureRetention(
  stack: LoadedStack,
  rows: number,
): Promise<readonly RetentionRound[]> {
  const next = createObservations('retention', SESSIONS);
  await sendAtPace(stack, next, { rate: RATE, amount: RATE * SECONDS });
  const rounds: RetentionRound[] = [];
  for (let at = 0; at < ROUNDS; at += 1) rounds.push(await round(stack, rows, next));
  return rounds;
}
