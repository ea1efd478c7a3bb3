/** A decision that waits has one outcome, whatever happens meanwhile: it is carried out, taken back, or void. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createScheduledDecisions } from '../../../engine/desk/scheduled.ts';
import { execute } from '../../../operations/execute.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { deferReview } from '../../../operations/reviews/defer.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { mergeReview } from '../../../operations/reviews/merge.ts';
import { rejectReview } from '../../../operations/reviews/reject.ts';
import { undoReview } from '../../../operations/reviews/undo.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { redactOwnKnowledge } from '../../../operations/self/redact.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, literalExtractor, pipeline } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from './laws.ts';

const UNDO_SECONDS = 30;

let scene: Scene;
let account: string;
let alice: Caller;
let curator: Caller;
let other: Caller;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const rows = (query: string, ...values: readonly unknown[]) =>
  scene.rows(query, [account, ...values]);

/** A person who can sign in and curates the account, as the database has it too. */
async function curatorNamed(key: string): Promise<Caller> {
  const caller = await scene.caller(account, { key, role: 'curator', kind: 'human' });
  await rows(
    `insert into logins (account_id, id, peer_id, email, password_hash) values ($1, $2, $3, $4, 'x')`,
    uuidv7(),
    caller.peerId,
    `${String(caller.peerId)}@example.org`,
  );
  await rows(
    `insert into grants (account_id, id, peer_id, scope_path, role) values ($1, $2, $3, '/', 'curator')`,
    uuidv7(),
    caller.peerId,
  );
  return caller;
}

beforeEach(async () => {
  account = await scene.account();
  alice = await scene.caller(account, { key: 'alice', kind: 'human' });
  curator = await curatorNamed('cura');
  other = await curatorNamed('otto');
  await say('Alice likes tea.');
  statement = String((await rows('select id from knowledge where account_id = $1'))[0]?.['id']);
});

async function say(content: string): Promise<void> {
  await scene.ingest(alice, { content });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
}

const act = (operation: Parameters<typeof execute>[0], caller: Caller, input: object) =>
  execute(operation, { ...scene.context(caller), sweep: { soon: () => {} } }, input);

async function item(): Promise<Record<string, unknown>> {
  const [found] = await rows(
    'select * from review_items where account_id = $1 and knowledge_id = $2 order by id desc limit 1',
    statement,
  );
  return found ?? {};
}

async function decide(
  operation: Parameters<typeof execute>[0] = approveReview,
  more: object = {},
  by: Caller = curator,
) {
  const { id, version } = await item();
  const asked = { review_id: id, version, undo_seconds: UNDO_SECONDS, ...more };
  await act(operation, by, asked);
  const [run] = await rows(
    "select id from pipeline_runs where account_id = $1 and kind = 'decision' order by id desc limit 1",
  );
  return String(run?.['id']);
}

const undo = async (by: Caller = curator) =>
  act(undoReview, by, { review_id: (await item())['id'] });

/** What the workflow's activity does. */
const look = (runId: string) =>
  createScheduledDecisions(createRefusingInAccount(scene.pool), () => {}).judge({
    accountId: account,
    runId,
  });

/** Lets the time pass in which it can be taken back. */
const pass = () =>
  rows(
    `update scheduled_decisions set due_at = due_at - interval '1 minute', decided_at = decided_at - interval '1 minute'
     where account_id = $1`,
  );

/** The statement, the item, the decision that waited, and what the audit says of them. */
async function outcome() {
  const [row] = await rows(
    'select state, statement from knowledge where account_id = $1 and id = $2',
    statement,
  );
  const { decided_by: by, state, version } = await item();
  const [waited] = await rows(
    'select state, end_reason from scheduled_decisions where account_id = $1',
  );
  const audit = await rows(
    `select action, actor_peer_id from audit_events where account_id = $1 and action like 'review.%'
     order by occurred_at, id`,
  );
  expect(await brokenLaws(scene, account)).toEqual([]);
  return {
    statement: row?.['state'],
    item: [state, version, by],
    waited: waited === undefined ? null : [waited['state'], waited['end_reason']],
    audit: audit.map(({ action, actor_peer_id: who }) => [
      action,
      who === other.peerId ? 'otto' : 'cura',
    ]),
  };
}

const UNTOUCHED = { statement: 'provisional', item: ['pending', 1, null] };

describe('a decision that can be taken back', () => {
  test('changes nothing before its time, and is then carried out once, in the name of who decided', async () => {
    const runId = await decide();
    expect(await outcome()).toEqual({
      ...UNTOUCHED,
      waited: ['scheduled', null],
      audit: [['review.scheduled', 'cura']],
    });
    const { nextDueInMs } = await look(runId);
    expect(Number(nextDueInMs)).toBeGreaterThan(0);
    expect(Number(nextDueInMs)).toBeLessThanOrEqual(UNDO_SECONDS * 1_000);
    await pass();
    expect(await Promise.all([look(runId), look(runId)])).toContainEqual({ nextDueInMs: null });
    await look(runId);
    expect(await outcome()).toEqual({
      statement: 'active',
      item: ['approved', 2, curator.peerId],
      waited: ['carried_out', null],
      audit: [
        ['review.scheduled', 'cura'],
        ['review.approve', 'cura'],
      ],
    });
    const decisions = await rows(
      "select actor_peer_id, channel from gate_decisions where account_id = $1 and channel = 'api'",
    );
    expect(decisions).toEqual([{ actor_peer_id: curator.peerId, channel: 'api' }]);
    await expect(undo()).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is taken back by a curator, and the item is as it was, for every decision that follows', async () => {
    const first = await decide(rejectReview);
    await undo();
    await pass();
    expect(await look(first)).toEqual({ nextDueInMs: null });
    expect(await outcome()).toMatchObject({ ...UNTOUCHED, waited: ['undone', null] });
    await expect(undo()).rejects.toMatchObject({ code: 'conflict' });
    const second = await decide(rejectReview, {}, other);
    await pass();
    await look(first);
    expect(await outcome()).toMatchObject(UNTOUCHED);
    await look(second);
    expect(await outcome()).toMatchObject({ statement: 'rejected', waited: ['carried_out', null] });
  });

  test('keeps every other decision away until it has ended, and any curator may take it back', async () => {
    await decide();
    await expect(decide(rejectReview, {}, other)).rejects.toMatchObject({ code: 'conflict' });
    await expect(decide(rejectReview, { undo_seconds: 0 }, other)).rejects.toMatchObject({
      code: 'conflict',
    });
    await undo(other);
    expect((await outcome()).audit).toEqual([
      ['review.scheduled', 'cura'],
      ['review.undone', 'otto'],
    ]);
    await decide(rejectReview, { undo_seconds: 0 }, other);
    expect(await outcome()).toMatchObject({ statement: 'rejected' });
  });

  test('has one outcome when it is taken back at the moment in which it is carried out', async () => {
    for (let n = 0; n < 5; n += 1) {
      const runId = await decide(deferReview);
      await pass();
      const [taken] = await Promise.allSettled([undo(), look(runId)]);
      await look(runId);
      const { waited } = await outcome();
      expect(waited).toEqual([taken?.status === 'fulfilled' ? 'undone' : 'carried_out', null]);
    }
  });

  test('is carried out though its run was cancelled, failed or counted as lost', async () => {
    for (const status of ['cancelled', 'failed', 'discarded']) {
      const runId = await decide(deferReview);
      await rows(
        'update pipeline_runs set status = $3::run_status where account_id = $1 and id = $2',
        runId,
        status,
      );
      await pass();
      await look(runId);
      expect((await outcome()).waited).toEqual(['carried_out', null]);
    }
  });

  test('that rewords the statement, and one that merges it, do so when they are due', async () => {
    const edits = await decide(editReview, { statement: 'Alice likes green tea.', approve: true });
    expect(await outcome()).toMatchObject(UNTOUCHED);
    await pass();
    await look(edits);
    const texts = () =>
      rows('select statement, state from knowledge where account_id = $1 order by statement');
    expect(await texts()).toEqual([
      { statement: 'Alice likes green tea.', state: 'active' },
      { statement: 'Alice likes tea.', state: 'superseded' },
    ]);
    expect(
      await rows('select new_statement from scheduled_decisions where account_id = $1'),
    ).toEqual([{ new_statement: null }]);
    const [into] = await rows(
      "select id from knowledge where account_id = $1 and state = 'active'",
    );
    await say('Alice likes oolong.');
    const [said] = await rows(
      "select id from knowledge where account_id = $1 and state = 'provisional'",
    );
    statement = String(said?.['id']);
    const merges = await decide(mergeReview, { into: into?.['id'] });
    await pass();
    await look(merges);
    expect(await outcome()).toMatchObject({
      statement: 'superseded',
      item: ['merged', 2, curator.peerId],
    });
  });

  test('is refused at once where it could not be carried out', async () => {
    const { id } = await item();
    const asked = { review_id: id, version: 7, undo_seconds: UNDO_SECONDS };
    await expect(act(approveReview, curator, asked)).rejects.toMatchObject({ code: 'conflict' });
    const stranger = await scene.caller(account, {
      key: 'stra',
      role: 'curator',
      at: '/x',
      kind: 'human',
    });
    for (const operation of [approveReview, undoReview]) {
      await expect(act(operation, stranger, { ...asked, version: 1 })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await expect(
      act(approveReview, curator, { ...asked, version: 1, undo_seconds: 61 }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await outcome()).toMatchObject({ ...UNTOUCHED, waited: null, audit: [] });
  });
});

describe('a decision that waits is void', () => {
  const close = 'update logins set closed_at = now() where account_id = $1 and peer_id = $2';
  const expire = `update review_items set due_at = clock_timestamp() - interval '10 s' where account_id = $1`;

  test.each<[string, () => Promise<unknown>, string, object]>([
    [
      'the subject contests the statement',
      () => act(contestOwnKnowledge, alice, { knowledge_id: statement }),
      'item_ended',
      { statement: 'contested' },
    ],
    [
      'the subject redacts it',
      () => act(redactOwnKnowledge, alice, { knowledge_id: statement }),
      'item_ended',
      { statement: 'redacted' },
    ],
    [
      'the item has changed',
      () => rows('update review_items set version = version + 1 where account_id = $1'),
      'item_changed',
      { statement: 'provisional', item: ['pending', 2, null] },
    ],
    [
      'the curator has lost the role',
      () => rows('delete from grants where account_id = $1 and peer_id = $2', curator.peerId),
      'role_lost',
      UNTOUCHED,
    ],
    [
      'the curator can no longer sign in',
      () => rows(close, curator.peerId),
      'role_lost',
      UNTOUCHED,
    ],
    ['its deadline has passed', () => rows(expire), 'deadline_passed', UNTOUCHED],
  ])(
    'when %s meanwhile, and an item that lives can be decided again',
    async (_what, happen, reason, left) => {
      const runId = await decide();
      await happen();
      await pass();
      if (reason === 'deadline_passed') {
        await rows(
          `update scheduled_decisions set decided_at = decided_at - interval '1 hour' where account_id = $1`,
        );
      }
      expect(await look(runId)).toEqual({ nextDueInMs: null });
      expect(await outcome()).toMatchObject({ ...left, waited: ['void', reason] });
      expect((await outcome()).audit).toContainEqual(['review.void', 'cura']);
      expect(await look(runId)).toEqual({ nextDueInMs: null });
      if (reason === 'item_ended') return;
      await decide(rejectReview, { undo_seconds: 0 }, other);
      expect(await outcome()).toMatchObject({ statement: 'rejected' });
    },
  );

  test('when the end that it gives the statement has passed', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const runId = await decide(approveReview, { expires_at: soon });
    await rows(
      `update scheduled_decisions set expires_at = expires_at - interval '1 hour' where account_id = $1`,
    );
    await pass();
    await look(runId);
    expect(await outcome()).toMatchObject({ ...UNTOUCHED, waited: ['void', 'deadline_passed'] });
  });

  test.each([
    ['redacted', (id: unknown) => act(redactOwnKnowledge, alice, { knowledge_id: id })],
    [
      'deleted',
      (id: unknown) => rows('delete from knowledge where account_id = $1 and id = $2', id),
    ],
  ])('when the statement that it merges into is %s', async (_how, loses) => {
    await say('Alice likes oolong.');
    const [into] = await rows(
      'select id from knowledge where account_id = $1 and id <> $2',
      statement,
    );
    const runId = await decide(mergeReview, { into: into?.['id'] });
    await loses(into?.['id']);
    await pass();
    await look(runId);
    expect(await outcome()).toMatchObject({
      statement: 'provisional',
      waited: ['void', 'not_possible'],
    });
  });
});
