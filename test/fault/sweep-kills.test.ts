/**
 * A process that sweeps is killed within a page, when statements are changed and items, decisions and marks are not yet
 * written: nothing of the page is left but that it was tried, and the next turn does all of it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { brokenLaws } from '../integration/governance/laws.ts';
import {
  Clock,
  HOUR_MS,
  sweepOut,
  sweepsOf,
  SweptAccount,
} from '../integration/lifecycle/scene.ts';
import { Scene } from '../integration/observations/scene.ts';
import { eventually } from '../support/patience.ts';
import { triedAgain } from '../support/tried-again.ts';

triedAgain();

const PROCESS = fileURLToPath(new URL('harness/sweep-process.ts', import.meta.url));
/** Two pages and a half. */
const STATEMENTS = 250;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Everything that a sweep of the account writes. */
const written = (account: SweptAccount) =>
  account.rows(
    `select (select count(*)::int from knowledge where account_id = $1 and state = 'expired') as expired,
       (select count(*)::int from belief_periods where account_id = $1 and state = 'expired') as periods,
       (select count(*)::int from lifecycle_events where account_id = $1 and reason = 'expired') as events,
       (select count(*)::int from review_items where account_id = $1 and end_reason = 'expired') as items,
       (select count(*)::int from audit_events where account_id = $1 and metadata ->> 'state' = 'expired') as audited`,
  );
const all = (n: number) => [{ expired: n, periods: n, events: n, items: n, audited: n }];

function start(account: SweptAccount): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', PROCESS, scene.database.appUrl];
  return spawn(process.execPath, [...args, account.accountId], { stdio: 'ignore' });
}

/** A mark of the last statement of a page, entered and not committed, in whose way the page comes. */
async function standInTheWay(account: SweptAccount, id: string): Promise<Client> {
  const client = new Client({ connectionString: scene.database.adminUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select account_id, 'qdrant', 'statement', id, scope_id, 0 from knowledge where account_id = $1 and id = $2
     on conflict (account_id, engine, unit, unit_id) do update set shard = 0`,
    [account.accountId, id],
  );
  return client;
}

async function killedAt(account: SweptAccount, id: string): Promise<void> {
  const inTheWay = await standInTheWay(account, id);
  const swept = start(account);
  try {
    await eventually(async () => {
      const waiting = await scene.rows(
        `select from pg_stat_activity where wait_event_type = 'Lock' and usename = 'vouch_app'
           and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    const ended = once(swept, 'exit');
    swept.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
  } finally {
    swept.kill('SIGKILL');
    await inTheWay.query('rollback');
    await inTheWay.end();
  }
  await eventually(async () => {
    const connected = await scene.rows(
      `select from pg_stat_activity where usename = 'vouch_app' and datname = current_database()
         and state <> 'idle'`,
    );
    return connected.length === 0;
  });
}

test('a page in which its process is killed is whole or not there, and the next turn finishes', async () => {
  const account = await SweptAccount.open(scene);
  const ids = await account.add(STATEMENTS);
  const clock = new Clock();
  // In the order of their ids, all at an hour ago.
  for (const [n, id] of ids.entries()) {
    await account.rows(
      'update knowledge set expires_at = $3 where account_id = $1 and id = $2',
      id,
      new Date(Date.parse(clock.iso) - HOUR_MS + n).toISOString(),
    );
  }
  await killedAt(account, ids[99] ?? '');
  expect(await written(account)).toEqual(all(0));
  const attempts = await account.rows(
    'select knowledge_id, attempts from sweep_setbacks where account_id = $1',
  );
  expect(attempts).toEqual([{ knowledge_id: null, attempts: 1 }]);
  // The first page is done one by one now, in the seconds of a turn; the process dies at its third statement.
  await killedAt(account, ids[2] ?? '');
  expect(await written(account)).toEqual(all(2));
  const { failures, sweeps } = sweepsOf(scene, clock);
  await sweepOut(sweeps, account.accountId);
  // The statement that was tried when the process died waits a minute.
  expect(await written(account)).toEqual(all(STATEMENTS - 1));
  clock.pass(HOUR_MS);
  await sweepOut(sweeps, account.accountId);
  expect(await written(account)).toEqual(all(STATEMENTS));
  expect(await account.rows('select from sweep_setbacks where account_id = $1')).toEqual([]);
  expect(failures).toEqual([]);
  expect(await brokenLaws(scene, account.accountId)).toEqual([]);
});
