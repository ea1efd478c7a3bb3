/**
 * What building and reading cost in a large scope. `npm run bench:context` runs it with more statements and rounds, and
 * writes a page of figures; a test run looks at counts alone.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Caller } from '../../../domain/identity/caller.ts';
import { percentiles, timed } from '../../../measure/bench/timing.ts';
import type { AccountScene } from '../search/account.ts';
import { openContextScene, type ContextScene } from './scene.ts';

const shape = z.object({
  VOUCH_CONTEXT_STATEMENTS: z.coerce.number().int().min(1_000).max(1_000_000).default(10_000),
  VOUCH_CONTEXT_ROUNDS: z.coerce.number().int().min(1).max(1_000).default(20),
  VOUCH_CONTEXT_REPORT: z.string().min(1).optional(),
});
// oxlint-disable-next-line node/no-process-env
const given = shape.parse(process.env);
const { VOUCH_CONTEXT_STATEMENTS: STATEMENTS, VOUCH_CONTEXT_ROUNDS: ROUNDS } = given;
const { VOUCH_CONTEXT_REPORT: REPORT } = given;
const PEOPLE = 20;
const EDITS = 100;

let scene: ContextScene;
let account: AccountScene;
let reader: Caller;

beforeAll(async () => {
  scene = await openContextScene();
  scene.model = (statements) => `A summary of ${statements.length}.`;
  account = await scene.account();
  reader = await account.caller({ peer: 'person-1' });
  const first = await account.statement({ text: 'The depot opens.', sensitivity: 'internal' });
  for (let n = 0; n < PEOPLE; n += 1) await account.peer(`person-${n}`);
  const columns = `kind, evidence_level, sensitivity, target_level, state, verification, corroboration_count,
    extracting_provider, pipeline_version`;
  await scene.sql(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, statement, statement_hash, text_source_hash,
       text_occurred_at, recorded_at, updated_at, confidence, ${columns})
     select k.account_id, gen_random_uuid(), k.scope_id, p.id, 'The depot has the number ' || n || '.',
       sha256(n::text::bytea), k.text_source_hash, at, at, at, 0.5 + (n % 50) / 100.0, ${columns}
     from knowledge k, generate_series(1, $3::integer) n,
       lateral (select k.recorded_at - make_interval(mins => n) as at) moment,
       lateral (select id from peers where account_id = k.account_id and key = 'person-' || (n % $4::integer)) p
     where k.account_id = $1 and k.id = $2`,
    [account.id, first, STATEMENTS - 1, PEOPLE],
  );
  await account.statement({ text: 'Elsewhere it rains.', path: '/other', subject: null });
  await account.statement({ text: 'Elsewhere it snows.', path: '/other', subject: null });
  await account.statement({ text: 'Elsewhere it is dry.', path: '/other', subject: null });
  await scene.sql('analyze knowledge');
}, 300_000);
afterAll(() => scene.close());

const size = STATEMENTS.toLocaleString('en');
const note = (lines: readonly string[]): void => {
  if (REPORT !== undefined) appendFileSync(REPORT, `${lines.join('\n')}\n\n`);
};

const revisions = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = await scene.sql(
    `select kind || ' ' || scope_id || ' ' || target_id as key, revision from projections where account_id = $1`,
    [account.id],
  );
  return new Map(rows.map((row) => [String(row['key']), String(row['revision'])]));
};

test('a hundred edits build the cards that they touch once, and ask for their summaries alone', async () => {
  await scene.settle();
  expect(scene.failures).toEqual([]);
  const before = await revisions();
  // A card of each of two scopes, and a profile of each person.
  expect(before.size).toBe(PEOPLE + 2);
  const built = scene.calls;
  expect(built).toBe(PEOPLE + 2);
  const edited = await scene.sql(
    `select k.id from knowledge k join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
     where k.account_id = $1 and p.key = 'person-7' order by k.id limit $2`,
    [account.id, EDITS],
  );
  for (const { id } of edited) {
    await scene.sql(
      `update knowledge set confidence = 1, row_version = row_version + 1, updated_at = clock_timestamp() where id = $1`,
      [id],
    );
  }
  const done = await scene.settle();
  expect(done).toMatchObject({ written: 2, removed: 0 });
  // The card of the scope, its names, and one profile.
  expect(done.built).toBe(3);
  expect(scene.calls - built).toBe(2);
  const after = await revisions();
  const changed = [...after].filter(([key, revision]) => before.get(key) !== revision);
  expect(changed.map(([key]) => key.split(' ')[0]).toSorted()).toEqual([
    'peer_profile',
    'scope_card',
  ]);
  note([
    `${EDITS} edits of one person among ${size} statements: ${done.built} places built of ${before.size} cards and profiles,`,
    `${done.written} rows written, ${scene.calls - built} summaries asked for.`,
  ]);
}, 300_000);

test('a context is read whole, whether or not something waits to be built', async () => {
  const taken = new Map<string, number[]>();
  const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const { ms } = await timed(work);
    taken.set(what, [...(taken.get(what) ?? []), ms]);
  };
  const both = async (state: string): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(`search \`fast\`, ${state}`, () =>
        scene.search(reader, { profile: 'fast', query: '' }),
      );
      await measure(`context, ${state}`, async () => {
        const data = await scene.context(reader);
        expect(data.scope_cards).toHaveLength(1);
        expect(data.peer_profile).toHaveLength(1);
      });
    }
  };
  await both('nothing waits');
  await scene.sql(
    `update knowledge set row_version = row_version + 1
     where id in (select id from knowledge where account_id = $1 order by salience desc limit 2000)`,
    [account.id],
  );
  await both('all sources have changed');
  const lines = [...taken].map(([what, all]) => {
    const { p50, p95 } = percentiles(all);
    return `| ${size} | ${what} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`;
  });
  const head = ['| statements | read | p50 ms | p95 ms |', '| --- | --- | --- | --- |'];
  note([...head, ...lines]);
}, 600_000);
