/** A contest has one outcome, whoever is early, late or away: the rows decide, and the workflow only looks at them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../../domain/errors.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createContests } from '../../../engine/knowledge/contests.ts';
import { execute } from '../../../operations/execute.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { rejectReview } from '../../../operations/reviews/reject.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from './laws.ts';

const DAY_MS = 86_400_000;

let scene: Scene;
let account: string;
let alice: Caller;
let curator: Caller;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  curator = await scene.caller(account, { key: 'cura', role: 'curator', kind: 'human' });
  await scene.ingest(alice, { content: 'Alice likes tea.' });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  statement = String((await rows('select id from knowledge where account_id = $1'))[0]?.['id']);
});

const rows = (query: string, ...values: readonly unknown[]) =>
  scene.rows(query, [account, ...values]);
const act = (operation: Parameters<typeof execute>[0], caller: Caller, input: object) =>
  execute(operation, { ...scene.context(caller), sweep: { soon: () => {} } }, input);
const contest = () => act(contestOwnKnowledge, alice, { knowledge_id: statement });

interface Contest {
  readonly item: Record<string, unknown>;
  readonly runId: string;
}

/** The latest contest: its item and its run. */
async function latest(): Promise<Contest> {
  const [item] = await rows(
    "select * from review_items where account_id = $1 and kind = 'contest' order by id desc limit 1",
  );
  const [run] = await rows(
    "select id from pipeline_runs where account_id = $1 and kind = 'contest' and target_id = $2",
    item?.['id'],
  );
  return { item: item ?? {}, runId: String(run?.['id']) };
}

/** What the workflow's activity does. */
const look = (runId: string) =>
  createContests(createInAccount(scene.pool), () => {}).judge({ accountId: account, runId });

/** Lets time pass for an item. */
const pass = (id: unknown, ms: number) =>
  rows(
    'update review_items set due_at = due_at - make_interval(secs => $3 / 1000.0) where account_id = $1 and id = $2',
    id,
    ms,
  );

const decide = (operation: typeof approveReview | typeof rejectReview, { item }: Contest) =>
  act(operation, curator, { review_id: item['id'], version: item['version'] });

/** State of the statement, ends of its contests, and how often it left `contested`. */
async function outcome() {
  const [row] = await rows(
    'select state from knowledge where account_id = $1 and id = $2',
    statement,
  );
  const contests = await rows(
    "select state, end_reason from review_items where account_id = $1 and kind = 'contest' order by id",
  );
  const left = await rows(
    "select reason from lifecycle_events where account_id = $1 and from_state = 'contested'",
  );
  expect(await brokenLaws(scene, account)).toEqual([]);
  return { state: row?.['state'], contests, left: left.map(({ reason }) => reason) };
}

describe('a contest', () => {
  test.each(['proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'])(
    'of a statement that is %s waits a day, and a dismissal brings that state back',
    async (state) => {
      await rows(
        `with k as (update knowledge set state = $3::knowledge_state,
             held_scope_id = case when $3 = 'held' then scope_id end where account_id = $1 and id = $2)
         , b as (update belief_periods set state = $3::knowledge_state where account_id = $1 and knowledge_id = $2)
         update lifecycle_events set to_state = $3::knowledge_state where account_id = $1 and knowledge_id = $2`,
        statement,
        state,
      );
      await contest();
      const waiting = await latest();
      const { nextDueInMs } = await look(waiting.runId);
      expect(Math.abs(Number(nextDueInMs) - DAY_MS)).toBeLessThan(60_000);
      await decide(approveReview, waiting);
      const [row] = await rows(
        'select state from knowledge where account_id = $1 and id = $2',
        statement,
      );
      expect(row).toEqual({ state });
      expect(await look(waiting.runId)).toEqual({ nextDueInMs: null });
    },
  );

  test.each(['superseded', 'expired', 'rejected', 'redacted', 'retracted'])(
    'of a statement that is %s is refused',
    async (state) => {
      await rows(
        'update knowledge set state = $3::knowledge_state where account_id = $1 and id = $2',
        statement,
        state,
      );
      await expect(contest()).rejects.toMatchObject({ code: 'conflict' });
    },
  );

  test('said twice is one contest', async () => {
    await contest();
    await contest();
    expect(
      await rows(
        "select count(*)::int as n from pipeline_runs where account_id = $1 and kind = 'contest'",
      ),
    ).toEqual([{ n: 1 }]);
  });

  test('after a dismissal is a new one, with a day and a run of its own', async () => {
    await contest();
    const first = await latest();
    await decide(approveReview, first);
    await contest();
    const second = await latest();
    expect(second.item['id']).not.toBe(first.item['id']);
    expect(await look(first.runId)).toEqual({ nextDueInMs: null });
    expect(Number((await look(second.runId)).nextDueInMs)).toBeGreaterThan(DAY_MS - 60_000);
    await decide(rejectReview, second);
    expect(await outcome()).toMatchObject({
      state: 'rejected',
      left: ['curator_approved', 'curator_rejected'],
    });
  });

  test('that nobody decides is escalated once, and a day later decided for the subject, once', async () => {
    await contest();
    const { item, runId } = await latest();
    await pass(item['id'], DAY_MS);
    expect(Number((await look(runId)).nextDueInMs)).toBeGreaterThan(DAY_MS - 60_000);
    expect(Number((await look(runId)).nextDueInMs)).toBeGreaterThan(DAY_MS - 60_000);
    expect((await outcome()).contests).toEqual([{ state: 'escalated', end_reason: null }]);
    await pass(item['id'], DAY_MS);
    expect(await look(runId)).toEqual({ nextDueInMs: null });
    expect(await look(runId)).toEqual({ nextDueInMs: null });
    expect(await outcome()).toEqual({
      state: 'rejected',
      contests: [{ state: 'rejected', end_reason: 'contest_unanswered' }],
      left: ['contest_unanswered'],
    });
  });

  test('that nobody looked at over both deadlines gives administrators their day', async () => {
    await contest();
    const { item, runId } = await latest();
    await pass(item['id'], 5 * DAY_MS);
    expect(Number((await look(runId)).nextDueInMs)).toBeGreaterThan(DAY_MS - 60_000);
    expect((await outcome()).state).toBe('contested');
  });

  test('whose run was counted as lost goes on where its workflow turns up again', async () => {
    await contest();
    const { item, runId } = await latest();
    await look(runId);
    await rows(
      "update pipeline_runs set status = 'discarded' where account_id = $1 and id = $2",
      runId,
    );
    await pass(item['id'], DAY_MS);
    expect(Number((await look(runId)).nextDueInMs)).toBeGreaterThan(DAY_MS - 60_000);
    await pass(item['id'], DAY_MS);
    expect(await look(runId)).toEqual({ nextDueInMs: null });
    expect((await outcome()).left).toEqual(['contest_unanswered']);
  });

  test('is decided by a curator also after its escalation', async () => {
    await contest();
    const before = await latest();
    await pass(before.item['id'], DAY_MS);
    await look(before.runId);
    await expect(decide(approveReview, before)).rejects.toMatchObject({ code: 'conflict' });
    await decide(approveReview, await latest());
    await look(before.runId);
    expect((await outcome()).left).toEqual(['curator_approved']);
  });

  test('ends with the statement that its subject redacts meanwhile', async () => {
    await contest();
    const { runId } = await latest();
    await act(redactOwnKnowledge, alice, { knowledge_id: statement });
    expect(await look(runId)).toEqual({ nextDueInMs: null });
    expect(await outcome()).toEqual({
      state: 'redacted',
      contests: [{ state: 'closed', end_reason: 'subject_redacted' }],
      left: ['subject_redacted'],
    });
  });

  test('has one outcome when decisions and the deadline race', async () => {
    for (let round = 0; round < 12; round += 1) {
      const said = await scene.ingest(alice, {
        session_id: uuidv7(),
        content: `Alice likes tea number ${round}.`,
      });
      await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
      const [row] = await rows(
        'select knowledge_id as id from provenance where account_id = $1 and message_id = $2',
        said.message_id,
      );
      statement = String(row?.['id']);
      await contest();
      const waiting = await latest();
      await pass(waiting.item['id'], DAY_MS);
      if (round % 2 === 0) {
        await look(waiting.runId);
        await pass(waiting.item['id'], DAY_MS);
      }
      const now = await latest();
      const ends = await Promise.allSettled([
        decide(approveReview, now),
        look(waiting.runId),
        decide(rejectReview, now),
        look(waiting.runId),
      ]);
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(Refusal);
      }
      const left = await rows(
        "select reason from lifecycle_events where account_id = $1 and knowledge_id = $2 and from_state = 'contested'",
        statement,
      );
      expect(left.length).toBeLessThanOrEqual(1);
      const { item } = await latest();
      expect([round, left.length]).toEqual([round, item['decided_at'] === null ? 0 : 1]);
    }
    expect(await brokenLaws(scene, account)).toEqual([]);
  });
});

describe('while a statement is contested', () => {
  const say = async (content: string, scope_path: string) => {
    await scene.ingest(alice, { content, scope_path, session_id: content });
    await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  };

  async function gateItem() {
    const [item] = await rows(
      "select id, version from review_items where account_id = $1 and kind = 'gate_a_b' and decided_at is null order by id desc limit 1",
    );
    return { review_id: item?.['id'], version: item?.['version'] };
  }

  test('no other one takes its words at its place, and one may once the contest is upheld', async () => {
    await usePreset(scene, account, 'unattended');
    await say('about=alice level=peer as=public Alice likes rain.', '/');
    const [said] = await rows(
      "select id from knowledge where account_id = $1 and statement = 'Alice likes rain.'",
    );
    statement = String(said?.['id']);
    await contest();
    await say('about=alice level=account as=public Alice lives in Oslo.', '/team');
    const edit = { ...(await gateItem()), statement: 'Alice likes rain.', approve: true };
    await expect(act(editReview, curator, edit)).rejects.toMatchObject({ code: 'conflict' });
    expect(await gateItem()).toEqual({ review_id: edit.review_id, version: edit.version });

    await decide(rejectReview, await latest());
    await act(editReview, curator, edit);
    expect(await outcome()).toMatchObject({ state: 'rejected' });
    const open = await rows(
      "select statement from knowledge where account_id = $1 and statement = 'Alice likes rain.' and id <> $2",
      statement,
    );
    expect(open).toHaveLength(1);
  });
});
