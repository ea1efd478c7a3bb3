/** Sends observations through the extractor and measures rate, calls and tokens. */
import { z } from 'zod';
import { sendObservations } from '../load/http-load.ts';
import { createObservations } from '../load/observations.ts';
import { untilDone } from '../load/searchable.ts';
import type { LoadedStack } from '../load/stack.ts';

export interface BatchingLoad {
  readonly run: string;
  readonly amount: number;
  readonly sessions: number;
  readonly clients: number;
}

export interface BatchingFigures {
  readonly messages: number;
  /** Completed messages a second, from the first recorded to the last completed. */
  readonly perSecond: number;
  /** Calls that were answered; `failedCalls` counts the others. */
  readonly calls: number;
  readonly failedCalls: number;
  /** Tokens, sent and answered, that the provider reported for a message. */
  readonly tokensPerMessage: number;
}

const figuresRow = z.object({
  messages: z.coerce.number(),
  seconds: z.coerce.number(),
  calls: z.coerce.number(),
  failed_calls: z.coerce.number(),
  tokens: z.coerce.number(),
});

/** Sends the observations as fast as they are accepted and waits until all are completed. */
export async function measureBatching(
  stack: LoadedStack,
  { run, amount, sessions, clients }: BatchingLoad,
): Promise<BatchingFigures> {
  await sendObservations(stack, createObservations(run, sessions), { clients, amount });
  const scope = `/bench/${run}`;
  await untilDone(stack.admin, scope, amount);
  const { rows } = await stack.admin.query(
    `with here as (select account_id, id from scopes where path = $1), observed as (
       select count(*) as messages,
         extract(epoch from max(a.completed_at) - min(m.recorded_at)) as seconds
       from here join extraction_anchors a on a.account_id = here.account_id and a.scope_id = here.id
       join messages m on m.account_id = a.account_id and m.id = a.message_id
     ), asked as (
       select count(*) filter (where p.state = 'success') as calls,
         count(*) filter (where p.state <> 'success') as failed_calls,
         coalesce(sum(p.input_tokens + p.output_tokens), 0) as tokens
       from here join provider_attempts p on p.account_id = here.account_id and p.scope_id = here.id
       where p.role = 'ingest_extractor'
     )
     select * from observed, asked`,
    [scope],
  );
  const { messages, seconds, calls, failed_calls, tokens } = figuresRow.parse(rows[0]);
  return {
    messages,
    perSecond: messages / seconds,
    calls,
    failedCalls: failed_calls,
    tokensPerMessage: tokens / messages,
  };
}
