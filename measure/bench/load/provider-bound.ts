/**
 * How much of a slow provider's concurrency a drain uses. Each answer of the stub takes long; the service may have so many
 * calls of one role and account open at a time. What it could reach at most is their number by the time of an answer.
 */
import { z } from 'zod';
import { sendObservations } from './http-load.ts';
import { createObservations } from './observations.ts';
import { untilDone } from './searchable.ts';
import type { LoadedStack } from './stack.ts';

/** How long the stub takes for an answer, as a large model does. */
export const ANSWER_MS = 800;
const SLOTS = 16;
/** Three quarters of the slots are for one role of one account: `engine/models/calls.ts`. */
const OF_ONE_ROLE = 12;
export const PROVIDER_SETTINGS = { SERVICE_CONCURRENT_MODEL_CALLS: String(SLOTS) };

const SESSIONS = 600;
const AMOUNT = 2_400;
/** The first and the last tenth of the calls are left out: the slots fill and empty then. */
const LEFT_OUT = 0.1;

export interface ProviderFigures {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly observationsPerSecond: number;
  /** Calls a second by those that the slots allow. */
  readonly ratio: number;
}

const figuresRow = z.object({
  calls: z.coerce.number(),
  within: z.coerce.number(),
  seconds: z.coerce.number(),
  drained: z.coerce.number(),
});

export async function measureProvider(stack: LoadedStack): Promise<ProviderFigures> {
  const run = 'provider';
  await sendObservations(stack, createObservations(run, SESSIONS), { clients: 16, amount: AMOUNT });
  await untilDone(stack.admin, `/bench/${run}`, AMOUNT);
  const { rows } = await stack.admin.query(
    `with ended as (
       select finished_at, dispatched_at, percent_rank() over (order by finished_at) as place
       from provider_attempts where role = 'ingest_extractor' and state = 'success')
     select count(*) as calls, count(*) filter (where place > $1 and place <= 1 - $1) as within,
       extract(epoch from max(finished_at) filter (where place <= 1 - $1)
         - max(finished_at) filter (where place <= $1)) as seconds,
       extract(epoch from max(finished_at) - min(dispatched_at)) as drained
     from ended`,
    [LEFT_OUT],
  );
  const { calls, within, seconds, drained } = figuresRow.parse(rows[0]);
  const callsPerSecond = within / seconds;
  return {
    calls,
    callsPerSecond,
    observationsPerSecond: AMOUNT / drained,
    ratio: callsPerSecond / (OF_ONE_ROLE / (ANSWER_MS / 1_000)),
  };
}
