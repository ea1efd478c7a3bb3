/**
 * Measures how fast audit events are sealed while observations come in, and writes a page of figures:
 *
 *   npm run bench:audit [-- --events <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about two minutes with 100,000 events.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import { createObservations } from '../load/observations.ts';
import { sendAtPace } from '../load/paced-load.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { timed, type Durations } from '../timing.ts';

/** Observations a second. */
const RATE = 50;
const ALONE_SECONDS = 10;
const LOOK_EVERY_MS = 250;
const GIVE_UP_AFTER_MS = 10 * 60_000;

const verified = z.object({ intact: z.literal(true), verified: z.int(), unsealed: z.int() });
const idRow = z.object({ id: z.uuid() });

interface Figures {
  readonly accounts: number;
  readonly sealedSeconds: number;
  readonly accepted: number;
  readonly beside: Durations;
}

async function accountIds({ admin }: LoadedStack, count: number): Promise<readonly string[]> {
  const { rows } = await admin.query('select id from accounts order by created_at limit 1');
  const own = idRow.parse(rows[0]).id;
  const others = Array.from({ length: count - 1 }, () => randomUUID());
  for (const id of others) {
    await admin.query('insert into accounts (id, key, name) values ($1, $2, $2)', [
      id,
      `bench-${id}`,
    ]);
  }
  return [own, ...others];
}

/** Makes the events as superuser, in one transaction: to the sealer they appear all at once. */
function fill({ admin }: LoadedStack, ids: readonly string[], events: number): Promise<unknown> {
  return admin.query(
    `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, resource_id, metadata,
       content_hash)
     select account, gen_random_uuid(), 'observation', 'bench.filled', 'pipeline', 'message', gen_random_uuid(),
       jsonb_build_object('number', n, 'operation', 'memory.search'), sha256('x')
     from unnest($1::uuid[]) account, generate_series(1, $2::integer / cardinality($1::uuid[])) n`,
    [ids, events],
  );
}

/** Until none of the made events waits, or until it took ten times as long as it may. */
async function untilSealed({ admin }: LoadedStack): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const { rowCount } = await admin.query(
      `select from audit_events where chain_position is null and action = 'bench.filled' limit 1`,
    );
    if (rowCount === 0) return;
    if (performance.now() > giveUpAt) throw new Error('the events are not sealed');
    await sleep(LOOK_EVERY_MS);
  }
}

async function measure(stack: LoadedStack, accounts: number, events: number): Promise<Figures> {
  const next = createObservations(`audit-${accounts}`, 16);
  const ids = await accountIds(stack, accounts);
  await sendAtPace(stack, next, { rate: RATE, amount: RATE * 2 });
  await fill(stack, ids, events);
  const state = { isOver: false };
  const sealing = timed(() => untilSealed(stack)).finally(() => {
    state.isOver = true;
  });
  let accepted = 0;
  let worst: Durations = { p50: 0, p95: 0, p99: 0 };
  while (!state.isOver) {
    const second = await sendAtPace(stack, next, { rate: RATE, amount: RATE });
    accepted += RATE;
    worst = second.p95 > worst.p95 ? second : worst;
  }
  const { ms } = await sealing;
  return { accounts, sealedSeconds: ms / 1_000, accepted, beside: worst };
}

function pageOf(
  events: number,
  alone: Durations,
  figures: readonly Figures[],
  walk: string,
): string {
  return [
    `# ${events.toLocaleString('en')} unsealed audit events`,
    '',
    `\`npm run bench:audit\`. ${RATE} observations a second come in meanwhile, and are extracted.`,
    '',
    '| accounts | all sealed after, seconds | observations meanwhile | p95 of the worst second, ms |',
    '| --- | --- | --- | --- |',
    `| before |  | ${RATE * ALONE_SECONDS} | ${alone.p95.toFixed(1)} (of ${ALONE_SECONDS} seconds) |`,
    ...figures.map(
      ({ accepted, accounts, beside, sealedSeconds }) =>
        `| ${accounts} | ${sealedSeconds.toFixed(1)} | ${accepted} | ${beside.p95.toFixed(1)} |`,
    ),
    '',
    walk,
    '',
  ].join('\n');
}

const { values } = parseArgs({
  options: { events: { type: 'string' }, report: { type: 'string' } },
});
const events = z.coerce
  .number()
  .int()
  .min(1_000)
  .max(10_000_000)
  .default(100_000)
  .parse(values.events);
const stack = await startLoadedStack();
try {
  const warm = createObservations('audit-alone', 16);
  await sendAtPace(stack, warm, { rate: RATE, amount: RATE * 5 });
  const alone = await sendAtPace(stack, warm, { rate: RATE, amount: RATE * ALONE_SECONDS });
  const figures = [await measure(stack, 1, events), await measure(stack, 10, events)];
  const walk = await timed(() => vouch(stack, ['audit', 'verify', '--account', 'community']));
  const report = verified.parse(walk.value.value);
  const page = pageOf(
    events,
    alone,
    figures,
    `\`vouch audit verify\` walked over ${report.verified.toLocaleString('en')} events in ${(walk.ms / 1_000).toFixed(1)} s.`,
  );
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
