/**
 * Measures what questions cost the reads that they come with, and writes a page of figures:
 *
 *   npm run bench:questions [-- --open <number>] [--rounds <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes about three minutes.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { copyStatements } from '../load/copies.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone } from '../load/searchable.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { measureReads, type ReadFigure } from './measure.ts';

const SCOPE = '/bench/asked';
const PEOPLE = ['asked-once', 'asked-often', 'asked-never'] as const;

const row = ({ beside, ms, what }: ReadFigure): string =>
  `| ${what} | ${ms.p50.toFixed(1)} | ${ms.p95.toFixed(1)} | ${beside.p50.toFixed(1)} | ${beside.p95.toFixed(1)} |`;

function pageOf(open: number, figures: readonly ReadFigure[]): string {
  return [
    `# Reads with and without questions, ${open.toLocaleString('en')} of them open about one person`,
    '',
    '`npm run bench:questions`. Milliseconds over HTTP. The reads of a round ran one after the other, in another order each',
    'time; the difference is to the read without a session of the same round.',
    '',
    '| read | p50 | p95 | difference, p50 | difference, p95 |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(row),
    '',
  ].join('\n');
}

/** Three people, of whom one has one open question, one has many, and one has none. */
async function fill(stack: LoadedStack, open: number): Promise<void> {
  for (const [at, person] of PEOPLE.entries()) {
    const content = `I keep the lathe with number ${at + 1} in the yard of Ghent.`;
    const observation = { scope_path: SCOPE, session_id: person, peer_key: person, content };
    await sendObservations(stack, () => observation, { clients: 1, amount: 1 });
    await untilDone(stack.admin, SCOPE, at + 1);
  }
  const worker = stack.processes().get('worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker, 'SIGSTOP');
  try {
    await copyStatements(stack.admin, SCOPE, open - 1);
    // The copies are about the person of the first statement: they become those of the second one, with their questions.
    await stack.admin.query(
      `update knowledge k set subject_peer_id = often.id
       from peers often, peers once
       where often.key = $1 and once.key = $2 and k.subject_peer_id = once.id and not exists (
         select from questions q where q.knowledge_id = k.id)`,
      [PEOPLE[1], PEOPLE[0]],
    );
    await stack.admin.query(
      `insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
       select k.account_id, k.id, k.subject_peer_id, k.scope_id, k.state, k.confidence, k.recorded_at
       from knowledge k on conflict do nothing`,
    );
    await stack.admin.query(
      `insert into questions (account_id, id, knowledge_id, scope_id, peer_id, kind, statement_hash, opened_at, deadline_at)
       select k.account_id, gen_random_uuid(), k.id, k.scope_id, k.subject_peer_id, 'confirm', k.statement_hash, now(),
         now() + interval '14 days'
       from knowledge k where k.subject_peer_id is not null and not exists (
         select from questions q where q.knowledge_id = k.id)`,
    );
    await stack.admin.query(
      `update questions set ended_at = now(), end_reason = 'measured'
       where peer_id = (select id from peers where key = $1)`,
      [PEOPLE[2]],
    );
    await stack.admin.query('delete from dirty_marks');
    await stack.admin.query('vacuum analyze');
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}

const { values } = parseArgs({
  options: { open: { type: 'string' }, rounds: { type: 'string' }, report: { type: 'string' } },
});
const bounded = (most: number, unless: number) =>
  z.coerce.number().int().min(10).max(most).default(unless);
const open = bounded(100_000, 10_000).parse(values.open);
const rounds = bounded(10_000, 200).parse(values.rounds);
const stack = await startLoadedStack();
try {
  await fill(stack, open);
  const page = pageOf(open, await measureReads(stack, { people: PEOPLE, rounds, scope: SCOPE }));
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
