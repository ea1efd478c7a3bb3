/** How long each step of an erasure takes, and how another person is served meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import type { LoadedStack } from '../load/stack.ts';
import { percentiles } from '../timing.ts';
import { stepsOf, type StepFigure } from './history.ts';

const UNDISTURBED_MS = 60_000;
const EVERY_MS = 250;
const LOOK_EVERY_MS = 1_000;
const COMPLETE_WITHIN_MS = 45 * 60_000;
const SCOPE = '/bench/live';
const WARM_UP = 20;

/** Milliseconds at the 95th percentile, by what was asked. */
type Served = Readonly<Record<string, number>>;

export interface ErasureFigures {
  readonly steps: readonly StepFigure[];
  readonly counts: { readonly messages: number; readonly statements: number };
  readonly undisturbed: Served;
  readonly beside: Served;
}

const entered = z.object({ id: z.uuid() });
const count = z.object({ n: z.coerce.number() });

/** Another person says something and searches, four times a second each, until `isOver`. */
function serve({ apiKey, url }: LoadedStack, isOver: () => boolean) {
  const latencies = new Map<string, number[]>();
  const ask = async (what: string, path: string, json: object): Promise<void> => {
    const startedAt = performance.now();
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    latencies.set(what, [...(latencies.get(what) ?? []), performance.now() - startedAt]);
  };
  const run = async (): Promise<Served> => {
    const asked: Promise<void>[] = [];
    for (let at = 0; !isOver(); at += 1) {
      const said = {
        scope_path: SCOPE,
        session_id: `live-${at % 8}`,
        peer_key: 'live',
        content: `I sold the anvil with number ${performance.now().toFixed(3)} in Perth.`,
      };
      asked.push(ask('observation accepted', '/api/v1/ingest', said));
      asked.push(ask('search', '/api/v1/search', { scope_path: SCOPE, query: `anvil ${at}` }));
      await sleep(EVERY_MS);
    }
    await Promise.all(asked);
    return Object.fromEntries(
      [...latencies].map(([what, all]) => [what, percentiles(all.slice(WARM_UP)).p95]),
    );
  };
  return run();
}

/** From accepted to searchable, of what the other person said since, by the instants of the database. */
async function searchableP95({ admin }: LoadedStack, since: string): Promise<number> {
  const { rows } = await admin.query(
    `select coalesce(percentile_disc(0.95) within group (
       order by 1000 * extract(epoch from a.completed_at - m.recorded_at)), 0) as n
     from extraction_anchors a
     join messages m on m.account_id = a.account_id and m.id = a.message_id
     join scopes s on s.account_id = a.account_id and s.id = a.scope_id
     where s.path = $1 and m.recorded_at > $2::timestamptz`,
    [SCOPE, since],
  );
  return count.parse(rows[0]).n;
}

async function served(stack: LoadedStack, isOver: () => boolean): Promise<Served> {
  const { rows } = await stack.admin.query<{ now: string }>('select now()::text as now');
  const figures = await serve(stack, isOver);
  return {
    ...figures,
    'accepted to searchable': await searchableP95(stack, rows[0]?.now ?? ''),
  };
}

async function countOf({ admin }: LoadedStack, query: string, person: string): Promise<number> {
  const { rows } = await admin.query(`select count(*) as n ${query}`, [person]);
  return count.parse(rows[0]).n;
}

async function untilComplete({ admin }: LoadedStack, id: string): Promise<void> {
  const giveUpAt = performance.now() + COMPLETE_WITHIN_MS;
  for (;;) {
    const { rowCount } = await admin.query(
      "select from erasure_requests where id = $1 and state = 'completed'",
      [id],
    );
    if (rowCount === 1) return;
    if (performance.now() > giveUpAt) throw new Error('the erasure is not complete');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Serves another person alone, then beside the erasure of `person`. */
export async function measureErasure(stack: LoadedStack, person: string): Promise<ErasureFigures> {
  const counts = {
    messages: await countOf(
      stack,
      'from messages m join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id where p.key = $1',
      person,
    ),
    statements: await countOf(
      stack,
      'from knowledge k join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id where p.key = $1',
      person,
    ),
  };
  const aloneUntil = performance.now() + UNDISTURBED_MS;
  const undisturbed = await served(stack, () => performance.now() > aloneUntil);
  const { exitCode, value } = await vouch(stack, ['peer', 'erase', '--peer', person]);
  if (exitCode !== 0) throw new Error('vouch peer erase failed');
  const { id } = entered.parse(value);
  let isComplete = false;
  const [beside] = await Promise.all([
    served(stack, () => isComplete),
    untilComplete(stack, id).finally(() => {
      isComplete = true;
    }),
  ]);
  return { steps: await stepsOf(stack.temporalAddress, id), counts, undisturbed, beside };
}
