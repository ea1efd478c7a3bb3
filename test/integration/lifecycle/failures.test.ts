/** What fails each time holds up nothing else, and the accounts in which something is due are found. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Sweeps } from '../../../engine/lifecycle/sweeps.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { Scene } from '../observations/scene.ts';
import { brokenLaws } from '../governance/laws.ts';
import {
  Clock,
  DAY_MS,
  HOUR_MS,
  isoOf,
  sweepOut,
  sweepsOf,
  SweptAccount,
  type Arranged,
  type Failure,
} from './scene.ts';

let scene: Scene;
let account: SweptAccount;
let clock: Clock;
let sweeps: Sweeps;
let failures: Failure[];
let statement: string;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await SweptAccount.open(scene);
  [statement = ''] = await account.add(1);
  clock = new Clock();
  ({ failures, sweeps } = sweepsOf(scene, clock));
});

const sweep = () => sweepOut(sweeps, account.accountId);
const arrange = (arranged: Arranged) => account.arrange(statement, arranged);

describe('what fails each time', () => {
  /** Postgres refuses changes of these statements. */
  const refuse = (condition: string) =>
    scene.admin.query(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise check_violation; end $$;
      create trigger refuse before update on knowledge for each row when (${condition}) execute function refuse()`);
  const mend = () => scene.admin.query('drop trigger refuse on knowledge');
  const setAside = () =>
    account.rows(
      'select knowledge_id, attempts, next_attempt_at from sweep_setbacks where account_id = $1',
    );

  test('is set aside, tried at longer intervals, shown by ready, and its neighbours are swept', async () => {
    const others = await account.add(150);
    for (const id of [statement, ...others]) {
      await account.arrange(id, { state: 'active', expiresAt: clock.after(HOUR_MS) });
    }
    clock.pass(2 * HOUR_MS);
    await refuse(`old.id = '${statement}'`);
    try {
      expect(await sweep()).toBe(150);
      expect(failures).toEqual([
        { what: 'page', kind: 'expiry' },
        { what: 'statement', kind: 'expiry' },
      ]);
      expect(await setAside()).toMatchObject([{ knowledge_id: statement, attempts: 1 }]);
      expect(await account.state(statement)).toBe('active');
      expect(await new ReadinessStore(scene.pool).sweeps()).toMatchObject({ setAside: 1 });
      // A minute must pass before it is tried again, and then two.
      expect(await sweep()).toBe(0);
      clock.pass(60_000);
      await sweep();
      clock.pass(60_000);
      await sweep();
      const [row] = await setAside();
      expect(row?.['attempts']).toBe(2);
      expect(isoOf(row?.['next_attempt_at'])).toBe(clock.after(60_000));
    } finally {
      await mend();
    }
    clock.pass(60_000);
    expect(await sweep()).toBe(1);
    expect(await account.state(statement)).toBe('expired');
    expect(await setAside()).toEqual([]);
    expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  });

  test('in one account leaves another account alone', async () => {
    const other = await SweptAccount.open(scene);
    const [theirs = ''] = await other.add(1);
    const expiresAt = clock.after(HOUR_MS);
    await arrange({ state: 'active', expiresAt });
    await other.arrange(theirs, { state: 'active', expiresAt });
    clock.pass(DAY_MS);
    const due = new Set<string>();
    let afterId: string | null = null;
    do {
      const look: Awaited<ReturnType<Sweeps['accountsDue']>> = await sweeps.accountsDue(afterId);
      for (const id of look.accountIds) due.add(id);
      afterId = look.nextAfterId;
    } while (afterId !== null);
    expect([due.has(account.accountId), due.has(other.accountId)]).toEqual([true, true]);
    await refuse(`old.account_id = '${account.accountId}'`);
    try {
      for (const id of due) await sweepOut(sweeps, id);
    } finally {
      await mend();
    }
    expect(await other.state(theirs)).toBe('expired');
    expect(await account.state(statement)).toBe('active');
  });

  test('is known after a process died in the page: the page is done once more, one by one', async () => {
    const others = await account.add(2);
    for (const id of [statement, ...others]) {
      await account.arrange(id, { state: 'active', expiresAt: clock.after(HOUR_MS) });
    }
    clock.pass(DAY_MS);
    // The attempt of the process that died.
    await account.rows(
      `insert into sweep_setbacks (account_id, kind, knowledge_id, next_attempt_at) values ($1, 'expiry', null, now())`,
    );
    expect(await sweep()).toBe(3);
    expect(failures).toEqual([]);
    expect(await setAside()).toEqual([]);
  });
});

describe('the accounts of a sweep', () => {
  test('are those in which something is due, and no other', async () => {
    const find = async () => (await sweeps.accountsDue(null)).accountIds;
    await arrange({ state: 'active' });
    expect(await find()).not.toContain(account.accountId);
    const kinds: readonly ((at: string) => Arranged)[] = [
      (at) => ({ state: 'active', expiresAt: at }),
      (at) => ({ state: 'active', revalidateAfter: at }),
      (at) => ({
        state: 'provisional',
        items: [{ kind: 'gate_a_b', state: 'pending', dueAt: at }],
      }),
    ];
    for (const kind of kinds) {
      await arrange(kind(clock.after(HOUR_MS)));
      expect(await find()).not.toContain(account.accountId);
      clock.pass(HOUR_MS);
      expect(await find()).toContain(account.accountId);
      await sweep();
      expect(await find()).not.toContain(account.accountId);
    }
  });

  test('are found page by page', async () => {
    const store = sweepsOf(scene, clock).sweeps;
    for (let n = 0; n < 3; n += 1) {
      const one = await SweptAccount.open(scene);
      const [id = ''] = await one.add(1);
      await one.arrange(id, { state: 'active', expiresAt: clock.iso });
    }
    const { accountIds } = await store.accountsDue(null);
    const after = await store.accountsDue(accountIds[0] ?? null);
    expect(after.accountIds).toEqual(accountIds.slice(1));
  });
});
