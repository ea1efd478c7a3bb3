/** What people said of items, and decisions that wait, when somebody of them is erased. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createScheduledDecisions } from '../../../engine/desk/scheduled.ts';
import { execute } from '../../../operations/execute.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { editReview } from '../../../operations/reviews/edit.ts';
import { openReview } from '../../../operations/reviews/open.ts';
import { contestOwnKnowledge } from '../../../operations/self/contest.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { erase } from './erase.ts';

let scene: Scene;
let account: string;
let alice: Caller;
let bob: Caller;
let curator: Caller;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  await usePreset(scene, account, 'unattended');
  const human = { kind: 'human' } as const;
  alice = await scene.caller(account, { key: 'alice', ...human });
  bob = await scene.caller(account, { key: 'bob', ...human });
  curator = await scene.caller(account, { key: 'cura', role: 'curator', ...human });
  await scene.ingest(alice, { content: 'Hello.', session_id: 's' });
  await scene.ingest(bob, { content: 'about=alice Alice likes tea.', session_id: 's' });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  const [found] = await rows(
    "select id from knowledge where account_id = $1 and statement = 'Alice likes tea.'",
  );
  statement = String(found?.['id']);
});

const rows = (query: string, ...values: readonly unknown[]) =>
  scene.rows(query, [account, ...values]);
const act = (operation: Parameters<typeof execute>[0], caller: Caller, input: object) =>
  execute(operation, { ...scene.context(caller), sweep: { soon: () => {} } }, input);
const erased = (who: Caller) => erase(scene, account, String(who.peerId), 'proportionate', 1);
const row = async () =>
  (
    await rows(
      'select state, statement from knowledge where account_id = $1 and id = $2',
      statement,
    )
  )[0];
const words = () => rows('select reason from review_words where account_id = $1');

async function scheduled(operation: typeof approveReview | typeof editReview, more: object = {}) {
  const [item] = await rows(
    'select id, version from review_items where account_id = $1 and knowledge_id = $2',
    statement,
  );
  await act(operation, curator, {
    review_id: item?.['id'],
    version: item?.['version'],
    undo_seconds: 60,
    ...more,
  });
}

test('the words of a curator and the decisions of hers that wait go with the curator', async () => {
  await act(openReview, curator, { knowledge_id: statement, reason: 'Bob jokes.' });
  await scheduled(editReview, { statement: 'Alice likes green tea.' });
  await erased(curator);
  expect(await words()).toEqual([]);
  expect(await rows('select from scheduled_decisions where account_id = $1')).toEqual([]);
  const [run] = await rows(
    "select id from pipeline_runs where account_id = $1 and kind = 'decision'",
  );
  const decisions = createScheduledDecisions(createInAccount(scene.pool), () => {});
  const judged = await decisions.judge({ accountId: account, runId: String(run?.['id']) });
  expect(judged).toEqual({ nextDueInMs: null });
  expect(await row()).toEqual({ state: 'active', statement: 'Alice likes tea.' });
});

test('what is said of a statement goes with its subject', async () => {
  await act(contestOwnKnowledge, alice, { knowledge_id: statement, reason: 'I never did.' });
  expect(await words()).toHaveLength(1);
  await erased(alice);
  expect(await words()).toEqual([]);
});

test('what is said of a statement goes with the text of the statement, when its only source is erased', async () => {
  await act(openReview, curator, { knowledge_id: statement, reason: 'Bob jokes about tea.' });
  await scheduled(approveReview);
  await erased(bob);
  expect(await row()).toEqual({ state: 'retracted', statement: null });
  expect(await words()).toEqual([]);
});
