/** How long a sweep of many statements takes that fall due at once, and how another person is served meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LoadedStack } from '../load/stack.ts';
import { percentiles } from '../timing.ts';

const UNDISTURBED_MS = 45_000;
const EVERY_MS = 250;
const LOOK_EVERY_MS = 1_000;
const SWEPT_WITHIN_MS = 20 * 60_000;
const SCOPE = '/bench/live';
/** Requests at the beginning that are not counted. */
const WARM_UP = 20;

/** Milliseconds at the 95th percentile. */
export interface Served {
  readonly accepted: number;
  readonly completed: number;
}

export interface SweepFigures {
  readonly statements: number;
  readonly seconds: number;
  readonly undisturbed: Served;
  readonly beside: Served;
}

const count = z.object({ n: z.coerce.number() });
const duration = z.object({ seconds: z.coerce.number() });
const latency = z.object({ ms: z.coerce.number() });

/** Another person says something, four times a second, until `isOver`. */
async function serve({ admin, apiKey, url }: LoadedStack, isOver: () => boolean): Promise<Served> {
  const { rows } = await admin.query('select now() as since');
  const accepted: number[] = [];
  const say = async (at: number): Promise<void> => {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        scope_path: SCOPE,
        session_id: `live-${at % 8}`,
        peer_key: 'live',
        content: `I sold the anvil with number ${performance.now().toFixed(3)} in Perth.`,
      }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`);
    accepted.push(performance.now() - startedAt);
  };
  const said: Promise<void>[] = [];
  for (let at = 0; !isOver(); at += 1) {
    said.push(say(at));
    await sleep(EVERY_MS);
  }
  await Promise.all(said);
  const completed = await admin.query(
    `select extract(epoch from a.completed_at - m.recorded_at) * 1000 as ms
     from extraction_anchors a
     join messages m on m.account_id = a.account_id and m.id = a.message_id
     join scopes s on s.account_id = m.account_id and s.id = m.scope_id
     where s.path = $1 and m.recorded_at >= $2 and a.completed_at is not null order by m.recorded_at`,
    [SCOPE, rows[0]?.since],
  );
  const toCompleted = completed.rows.map((row) => latency.parse(row).ms);
  return {
    accepted: percentiles(accepted.slice(WARM_UP)).p95,
    completed: percentiles(toCompleted.slice(WARM_UP)).p95,
  };
}

/** Lets all statements of the scope fall due in one transaction, and waits until the schedule has swept them. */
export async function measureSweep(stack: LoadedStack, scope: string): Promise<SweepFigures> {
  const { admin } = stack;
  const endsAt = performance.now() + UNDISTURBED_MS;
  const undisturbed = await serve(stack, () => performance.now() > endsAt);
  await admin.query('set statement_timeout = 0');
  const { rowCount } = await admin.query(
    `update knowledge k set expires_at = now() from scopes s
     where s.account_id = k.account_id and s.id = k.scope_id and s.path = $1
       and k.state in ('proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale')`,
    [scope],
  );
  const statements = rowCount ?? 0;
  const givesUpAt = performance.now() + SWEPT_WITHIN_MS;
  const expired = async (least: number): Promise<boolean> => {
    const { rows } = await admin.query(
      `select count(*) as n from (
         select from knowledge k join scopes s on s.account_id = k.account_id and s.id = k.scope_id
         where s.path = $1 and k.state = 'expired' limit $2) counted`,
      [scope, least],
    );
    return count.parse(rows[0]).n >= least;
  };
  const until = async (least: number): Promise<void> => {
    while (!(await expired(least))) {
      if (performance.now() > givesUpAt) throw new Error('the sweep did not end');
      await sleep(LOOK_EVERY_MS);
    }
  };
  await until(1);
  let isOver = false;
  const [beside] = await Promise.all([
    serve(stack, () => isOver),
    until(statements).finally(() => {
      isOver = true;
    }),
  ]);
  const { rows } = await admin.query(
    `select extract(epoch from max(occurred_at) - min(occurred_at)) as seconds
     from lifecycle_events where reason = 'expired'`,
  );
  return { statements, seconds: duration.parse(rows[0]).seconds, undisturbed, beside };
}
