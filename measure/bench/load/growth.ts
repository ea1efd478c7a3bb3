/** Scenarios in which the cost must not grow with earlier observations, each on a service of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { median } from '../timing.ts';
import { copyNames, copyStatements } from './copies.ts';
import { sendObservations } from './http-load.ts';
import { createObservations } from './observations.ts';
import { sendAtPace } from './paced-load.ts';
import { untilDone, untilNothingIsMarked } from './searchable.ts';
import type { LoadedStack } from './stack.ts';
import { createWaves } from './waves.ts';

const SESSIONS = 40;
const WAVES = 10;
const PERSON = 'anna';
const WARM_UP = 200;

/** Completed observations a second. */
export interface Rates {
  readonly rates: readonly number[];
  /** The last rate divided by the first, or the second kind's rate divided by the first kind's. */
  readonly ratio: number;
}

const session = (run: string, number: number): string => `load-${run}-${number % SESSIONS}`;

/** Sentences that are all new, from eight people in turn. */
function uniqueOf(run: string): Parameters<typeof createWaves>[2] {
  const next = createObservations(run, SESSIONS);
  return () => next();
}

/** Compiles code, opens connections and wakes actors, so that no wave includes that cost. */
async function warmUp(stack: LoadedStack): Promise<void> {
  await createWaves(stack, 'warm', uniqueOf('warm')).wave(WARM_UP);
}

async function lastByFirst(
  stack: LoadedStack,
  run: string,
  amount: number,
  content: (number: number) => string,
): Promise<Rates> {
  await warmUp(stack);
  const waves = createWaves(stack, run, (number) => ({
    session_id: session(run, number),
    peer_key: PERSON,
    content: content(number),
  }));
  const rates: number[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) rates.push(await waves.wave(amount / WAVES));
  return { rates, ratio: (rates.at(-1) ?? 0) / (rates[0] ?? 1) };
}

const SENTENCE = 'I bought the kettle with number 7 in Bergen.';

/** The same sentence of the same person, 10,000 times. */
export function measureRepeated(stack: LoadedStack): Promise<Rates> {
  return lastByFirst(stack, 'repeated', 10_000, () => SENTENCE);
}

/** 2,000 statements about one person. */
export function measureSubject(stack: LoadedStack): Promise<Rates> {
  return lastByFirst(stack, 'subject', 2_000, (at) => `I own the easel with number ${at}.`);
}

/** 5,000 new sentences and 5,000 times the same one, in turns; the second rate divided by the first. */
export async function measureUnique(stack: LoadedStack): Promise<Rates> {
  await warmUp(stack);
  const [turns, amount] = [5, 1_000];
  const unique = createWaves(stack, 'unique', uniqueOf('unique'));
  const repeated = createWaves(stack, 'same', (number) => ({
    session_id: session('same', number),
    peer_key: PERSON,
    content: SENTENCE,
  }));
  const rates: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    rates[0].push(await unique.wave(amount));
    rates[1].push(await repeated.wave(amount));
  }
  const [first, second] = [median(rates[0]), median(rates[1])];
  return { rates: [first, second], ratio: second / first };
}

const ROUNDS = 3;
const ROUND_AMOUNT = 600;

/** The rate of observations that are new, before and after `grow`. */
async function beforeAndAfter(
  stack: LoadedStack,
  grow: (scope: string) => Promise<void>,
): Promise<Rates> {
  await warmUp(stack);
  const waves = createWaves(stack, 'grown', uniqueOf('grown'));
  const measure = async (): Promise<number> => {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rates.push(await waves.wave(ROUND_AMOUNT));
    return median(rates);
  };
  const before = await measure();
  await grow('/bench/grown');
  const after = await measure();
  return { rates: [before, after], ratio: after / before };
}

/** Long enough, because the worker writes a few hundred statements a second to both indexes. */
export const INDEXED_WITHIN_MS = 12 * 60_000;

/** An empty database against one with `amount` statements about one person in the same scope. */
export function measureFilled(stack: LoadedStack, amount: number): Promise<Rates> {
  return beforeAndAfter(stack, async (scope) => {
    await copyStatements(stack.admin, scope, amount);
    await untilNothingIsMarked(stack.admin, INDEXED_WITHIN_MS);
  });
}

/** An empty account against one with `amount` scopes and as many people. */
export function measureNames(stack: LoadedStack, amount: number): Promise<Rates> {
  return beforeAndAfter(stack, (scope) => copyNames(stack.admin, scope, amount));
}

export interface BackfillFigures {
  /** Milliseconds from accepted to completed of the live sessions, without and beside the backfill. */
  readonly undisturbed: number;
  readonly beside: number;
  readonly ratio: number;
}

const LIVE_RATE = 5;
const LIVE_SECONDS = 15;
const BACKFILL = 3_000;
const p95Row = z.object({ p95: z.coerce.number() });

async function liveP95(stack: LoadedStack, scope: string): Promise<number> {
  const { rows } = await stack.admin.query(
    `select percentile_disc(0.95) within group (
       order by 1000 * extract(epoch from a.completed_at - m.recorded_at)) as p95
     from extraction_anchors a
     join messages m on m.account_id = a.account_id and m.id = a.message_id
     join scopes s on s.account_id = a.account_id and s.id = a.scope_id
     where s.path = $1`,
    [scope],
  );
  return p95Row.parse(rows[0]).p95;
}

/** Live sessions at a steady pace, alone and then beside a backfill of 3,000 in one session of the same account. */
export async function measureBackfill(stack: LoadedStack): Promise<BackfillFigures> {
  await warmUp(stack);
  const live = async (run: string): Promise<number> => {
    const amount = LIVE_RATE * LIVE_SECONDS;
    await sendAtPace(stack, createObservations(run, 20), { rate: LIVE_RATE, amount });
    await untilDone(stack.admin, `/bench/${run}`, amount);
    return liveP95(stack, `/bench/${run}`);
  };
  const undisturbed = await live('live-alone');
  const backfill = sendObservations(stack, createObservations('backfill', 1), {
    clients: 8,
    amount: BACKFILL,
  });
  await sleep(2_000);
  const beside = await live('live-beside');
  await backfill;
  await untilDone(stack.admin, '/bench/backfill', BACKFILL);
  return { undisturbed, beside, ratio: beside / undisturbed };
}
