/** Notices that wake who waits for extractions, on a real Postgres. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitUntilSettled } from '../../../operations/observations/settlement-waiter.ts';
import { Settlements } from '../../../stores/postgres/observations/settlements.ts';
import { eventually } from '../../support/patience.ts';
import { Scene } from './scene.ts';

const AN_HOUR_MS = 3_600_000;
const NOBODY_LEAVES = new AbortController().signal;

let scene: Scene;
let account: string;
beforeAll(async () => {
  scene = await Scene.open();
  account = await scene.account();
});
afterAll(() => scene.close());

const tell = (accountId: string) =>
  scene.rows(`select pg_notify('vouch_settled', $1)`, [accountId]);

const listeners = (): Promise<number> =>
  scene.count(
    `select from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );

/** Waits, telling the account again and again, until it is heard: the connection opens when somebody first waits. */
async function heard(settlements: Settlements): Promise<void> {
  let isHeard = false;
  const next = settlements.next(account, AN_HOUR_MS, NOBODY_LEAVES).then(() => (isHeard = true));
  await eventually(async () => {
    await tell(account);
    return isHeard;
  });
  await next;
}

describe('who waits for an account', () => {
  test('is woken by its notice, and not by that of another account', async () => {
    const settlements = new Settlements(scene.database.appUrl);
    try {
      await heard(settlements);
      const woken: string[] = [];
      const leaving = new AbortController();
      const waits = ['other', account].map((accountId) =>
        settlements
          .next(accountId, AN_HOUR_MS, leaving.signal)
          .then(() => woken.push(leaving.signal.aborted ? `${accountId} left` : accountId)),
      );
      await tell(account);
      await waits[1];
      leaving.abort();
      await waits[0];
      expect(woken).toEqual([account, 'other left']);
    } finally {
      await settlements.close();
    }
  });

  test('is woken by an end that came before the connection was open', async () => {
    const settlements = new Settlements(scene.database.appUrl);
    await settlements.next(account, AN_HOUR_MS, NOBODY_LEAVES);
    await settlements.close();
    expect(await settlements.next(account, 1, NOBODY_LEAVES)).toBeUndefined();
  });

  test('is woken again after the connection was cut', async () => {
    const settlements = new Settlements(scene.database.appUrl);
    try {
      await heard(settlements);
      await eventually(async () => (await listeners()) === 1);
      await scene.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen %'`,
      );
      await eventually(async () => (await listeners()) === 0);
      await eventually(async () => {
        await settlements.next(account, 1, NOBODY_LEAVES);
        return (await listeners()) === 1;
      });
      await heard(settlements);
    } finally {
      await settlements.close();
    }
    await eventually(async () => (await listeners()) === 0);
  });
});

test('a wait whose notices are lost ends all the same', async () => {
  const settlements = new Settlements('postgres://nobody@127.0.0.1:1/nowhere');
  const caller = await scene.caller(account, { key: 'agent' });
  let questions = 0;
  await waitUntilSettled(
    {
      caller,
      signal: NOBODY_LEAVES,
      nextSettlement: (...waiting) => settlements.next(...waiting),
    },
    async () => (questions += 1) === 3,
    AN_HOUR_MS,
  );
  expect(questions).toBe(3);
  await settlements.close();
});
