/** What becomes of questions that nobody answers in time, on the real Postgres, by a clock of the test. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Sweeps } from '../../../engine/lifecycle/sweeps.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from '../governance/laws.ts';
import { Clock, DAY_MS, sweepOut, sweepsOf, SweptAccount } from './scene.ts';

let scene: Scene;
let account: SweptAccount;
let clock: Clock;
let sweeps: Sweeps;
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await SweptAccount.open(scene);
  [statement = ''] = await account.add(1);
  clock = new Clock();
  ({ sweeps } = sweepsOf(scene, clock));
});

const sweep = () => sweepOut(sweeps, account.accountId);
const questions = () =>
  account.rows(
    'select kind, end_reason from questions where account_id = $1 and knowledge_id = $2 order by opened_at, id',
    statement,
  );
const row = async () => {
  const [found] = await account.rows(
    'select state, confidence, verification from knowledge where account_id = $1 and id = $2',
    statement,
  );
  return found ?? {};
};

test('what is extracted asks its subject, and loses confidence when nobody answers for 14 days', async () => {
  expect(await questions()).toEqual([{ kind: 'confirm', end_reason: null }]);
  const { confidence } = await row();
  clock.pass(14 * DAY_MS - 60_000);
  await sweep();
  expect(await questions()).toEqual([{ kind: 'confirm', end_reason: null }]);
  clock.pass(120_000);
  await sweep();
  expect(await questions()).toEqual([{ kind: 'confirm', end_reason: 'unanswered' }]);
  const after = await row();
  expect(after).toMatchObject({ state: 'provisional' });
  expect(after['confidence']).toBeCloseTo(Number(confidence) - 0.15, 5);
  expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  expect(await sweep()).toBe(0);
});

test('what is to be revalidated loses confidence, and becomes stale when its item has aged', async () => {
  await account.arrange(statement, { state: 'active', revalidateAfter: clock.after(DAY_MS) });
  const { confidence } = await row();
  clock.pass(DAY_MS);
  await sweep();
  expect(await row()).toMatchObject({ state: 'needs_revalidation', confidence });
  clock.pass(14 * DAY_MS);
  await sweep();
  expect((await questions()).at(-1)).toEqual({ kind: 'revalidate', end_reason: 'unanswered' });
  expect(await row()).toMatchObject({ state: 'needs_revalidation' });
  expect((await row())['confidence']).toBeCloseTo(Number(confidence) - 0.15, 5);
  clock.pass(DAY_MS);
  await sweep();
  expect(await row()).toMatchObject({ state: 'stale', verification: 'stale' });
  expect((await row())['confidence']).toBeCloseTo(Number(confidence) - 0.15, 5);
  expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  expect(await sweep()).toBe(0);
});

test('an active statement that is due asks its subject whether it still holds', async () => {
  await account.arrange(statement, { state: 'active', revalidateAfter: clock.after(DAY_MS) });
  clock.pass(2 * DAY_MS);
  await sweep();
  expect(await account.state(statement)).toBe('needs_revalidation');
  expect((await questions()).at(-1)).toEqual({ kind: 'revalidate', end_reason: null });
});

test('a statement that expires ends its question with that reason', async () => {
  await account.rows(
    'update knowledge set expires_at = $3 where account_id = $1 and id = $2',
    statement,
    clock.after(DAY_MS),
  );
  clock.pass(2 * DAY_MS);
  await sweep();
  expect(await questions()).toEqual([{ kind: 'confirm', end_reason: 'expired' }]);
});
