/** What each sweep makes of statements and items, on the real Postgres, by a clock of the test. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CONTEST_GRACE_MS } from '../../../domain/governance/sweeps.ts';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import type { Sweeps } from '../../../engine/lifecycle/sweeps.ts';
import { approveReview } from '../../../operations/reviews/approve.ts';
import { deferReview } from '../../../operations/reviews/defer.ts';
import { execute } from '../../../operations/execute.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
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
} from './scene.ts';

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
const arrange = (arranged: Arranged) => account.arrange(statement, arranged);

const curatorOf = ({ accountId }: SweptAccount) =>
  scene.caller(accountId, { key: 'cura', role: 'curator', kind: 'human' });

/** Whether the subject is shown the statement, now or as it was believed at an instant. */
async function isShown(at: string, asOf: string | null): Promise<boolean> {
  const scopes = await account.rows('select id from scopes where account_id = $1');
  const scopeIds = scopes.map(({ id }) => String(id));
  const reader = { posture: 'peer', peerId: account.subject.peerId ?? '' } as const;
  const rows = await createInAccount(scene.pool)(account.accountId, ({ knowledge }) =>
    knowledge.read({
      selection: { by: 'ids', ids: [statement] },
      visible: visibleByDefault({ scopeIds, reader, at }),
      reader: { reader, scopeIds },
      asOf,
    }),
  );
  return rows.length === 1;
}

describe('expiry', () => {
  test.each(['proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'] as const)(
    'ends a statement that is %s, closes its items with the reason, and records it',
    async (state) => {
      await scene.rows('delete from dirty_marks where account_id = $1', [account.accountId]);
      const kind = state === 'active' ? 'gate_b' : 'gate_a_b';
      const isWaiting = state === 'needs_revalidation' || state === 'stale';
      const item = { kind: isWaiting ? 'revalidation' : kind, state: 'pending' } as const;
      const items = [{ ...item, dueAt: clock.after(30 * DAY_MS) }];
      await arrange({ state, expiresAt: clock.after(HOUR_MS), items });
      expect(await sweep()).toBe(0);
      clock.pass(2 * HOUR_MS);
      expect(await sweep()).toBe(1);
      expect(await account.state(statement)).toBe('expired');
      expect(await account.items(statement)).toMatchObject([
        { kind: item.kind, state: 'closed', end_reason: 'expired' },
      ]);
      const events = await account.rows(
        `select from_state, reason, occurred_at from lifecycle_events where account_id = $1 and to_state = 'expired'`,
      );
      expect(events).toMatchObject([{ from_state: state, reason: 'expired' }]);
      expect(isoOf(events[0]?.['occurred_at'])).toBe(clock.iso);
      const audited = await account.rows(
        `select metadata from audit_events where account_id = $1 and action = 'knowledge.changed_state'`,
      );
      expect(audited).toMatchObject([{ metadata: { state: 'expired' } }]);
      const marks = await account.rows(
        'select engine from dirty_marks where account_id = $1 order by 1',
      );
      expect(marks).toHaveLength(2);
      expect(await brokenLaws(scene, account.accountId)).toEqual([]);
      expect(await sweep()).toBe(0);
    },
  );

  test('ends the period at the instant of expiry, however late the sweep comes', async () => {
    const expiresAt = clock.after(HOUR_MS);
    await arrange({ state: 'active', expiresAt });
    clock.pass(40 * DAY_MS);
    await sweep();
    const [active, expired] = await account.periods(statement);
    expect([active?.['state'], expired?.['state']]).toEqual(['active', 'expired']);
    expect([isoOf(active?.['believed_until']), isoOf(expired?.['believed_from'])]).toEqual([
      expiresAt,
      expiresAt,
    ]);
    const at = (ms: number) => new Date(Date.parse(expiresAt) + ms).toISOString();
    // Expiry is judged at the instant that is asked about.
    expect(await isShown(at(-1), at(-1))).toBe(true);
    expect(await isShown(at(0), at(0))).toBe(false);
    expect(await isShown(at(HOUR_MS), at(HOUR_MS))).toBe(false);
    expect(await isShown(clock.iso, null)).toBe(false);
  });

  test('reads the same before and after the sweep, now and in the past', async () => {
    const expiresAt = clock.after(HOUR_MS);
    await arrange({ state: 'active', expiresAt });
    clock.pass(3 * HOUR_MS);
    const instants = [-HOUR_MS / 2, -1, 0, 1, HOUR_MS].map((ms) =>
      new Date(Date.parse(expiresAt) + ms).toISOString(),
    );
    const seen = async () => [
      await isShown(clock.iso, null),
      ...(await Promise.all(instants.map((at) => isShown(at, at)))),
    ];
    const before = await seen();
    await sweep();
    expect(before).toEqual([false, true, true, false, false, false]);
    expect(await seen()).toEqual(before);
  });

  test('does not touch a contested statement, and ends it once the contest is dismissed', async () => {
    const items = [{ kind: 'contest', state: 'pending', dueAt: clock.after(30 * DAY_MS) }] as const;
    await arrange({ state: 'contested', expiresAt: clock.iso, items });
    clock.pass(DAY_MS);
    expect(await sweep()).toBe(0);
    expect(await account.state(statement)).toBe('contested');
    const curator = await curatorOf(account);
    const [open] = await account.rows(
      'select id, version from review_items where account_id = $1 and decided_at is null',
    );
    const asked = { review_id: open?.['id'], version: open?.['version'] };
    await execute(approveReview, scene.context(curator), asked);
    expect(await account.state(statement)).toBe('active');
    expect(await sweep()).toBe(1);
    expect(await account.state(statement)).toBe('expired');
    // The period after the contest began after the statement's time was over: it is empty.
    const periods = await account.periods(statement);
    expect(periods.map(({ state }) => state)).toEqual(['contested', 'active', 'expired']);
    expect(isoOf(periods[1]?.['believed_until'])).toBe(isoOf(periods[1]?.['believed_from']));
    expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  });
});

describe('revalidation', () => {
  test('asks a person whether an active statement still holds, two weeks at most', async () => {
    const items = [{ kind: 'gate_b', state: 'pending', dueAt: clock.after(30 * DAY_MS) }] as const;
    await arrange({ state: 'active', revalidateAfter: clock.after(DAY_MS), items });
    expect(await sweep()).toBe(0);
    clock.pass(DAY_MS);
    expect(await sweep()).toBe(1);
    const [row] = await account.rows(
      'select state, verification from knowledge where account_id = $1',
    );
    expect(row).toEqual({ state: 'needs_revalidation', verification: 'stale' });
    const asked = await account.items(statement);
    expect(asked).toMatchObject([
      { kind: 'gate_b', state: 'closed', end_reason: 'revalidation_due' },
      { kind: 'revalidation', state: 'pending', reason: 'revalidation_due' },
    ]);
    expect(isoOf(asked[1]?.['due_at'])).toBe(clock.after(14 * DAY_MS));
    const decisions = await account.rows(
      `select gate, decision, channel, to_state from gate_decisions where account_id = $1
       and reason = 'revalidation_due'`,
    );
    expect(decisions).toEqual([
      { gate: 'gate_b', decision: 'defer', channel: 'pipeline', to_state: 'needs_revalidation' },
    ]);
    expect(await isShown(clock.iso, null)).toBe(false);
    expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  });

  test('that nobody answers is escalated, and a day later the statement is stale and stays in the queue', async () => {
    await arrange({ state: 'active', revalidateAfter: clock.after(0) });
    await sweep();
    clock.pass(14 * DAY_MS);
    await sweep();
    const [escalated] = await account.items(statement);
    expect(escalated).toMatchObject({ state: 'escalated', past_ageing: false });
    expect(isoOf(escalated?.['escalated_at'])).toBe(clock.iso);
    expect(isoOf(escalated?.['due_at'])).toBe(clock.after(DAY_MS));
    expect(await account.state(statement)).toBe('needs_revalidation');
    clock.pass(DAY_MS);
    await sweep();
    expect(await account.state(statement)).toBe('stale');
    expect(await account.items(statement)).toMatchObject([
      { kind: 'revalidation', state: 'escalated', past_ageing: true },
    ]);
    expect(await brokenLaws(scene, account.accountId)).toEqual([]);
    clock.pass(300 * DAY_MS);
    expect(await sweep()).toBe(0);
  });
});

describe('ageing', () => {
  const pending = (kind: 'contest' | 'gate_a_b' | 'gate_b') =>
    [{ kind, state: 'pending', dueAt: clock.after(HOUR_MS) }] as const;

  test.each([
    ['gate_a_b', 'provisional'],
    ['gate_b', 'active'],
  ] as const)(
    'escalates an overdue item %s once and for good: nobody coming decides nothing',
    async (kind, state) => {
      await arrange({ state, items: pending(kind) });
      clock.pass(2 * HOUR_MS);
      await sweep();
      expect(await account.items(statement)).toMatchObject([
        { kind, state: 'escalated', past_ageing: true },
      ]);
      const audited = await account.rows(
        "select resource_type from audit_events where account_id = $1 and action = 'review.escalated'",
      );
      expect(audited).toEqual([{ resource_type: 'review_item' }]);
      clock.pass(300 * DAY_MS);
      expect(await sweep()).toBe(0);
      expect(await account.state(statement)).toBe(state);
      expect(await brokenLaws(scene, account.accountId)).toEqual([]);
    },
  );

  test('escalates a contest and rejects the statement a day after the escalation', async () => {
    await arrange({ state: 'contested', items: pending('contest') });
    clock.pass(3 * DAY_MS);
    await sweep();
    expect(await account.items(statement)).toMatchObject([{ state: 'escalated' }]);
    // Its workflow has acted by then, unless it was lost.
    clock.pass(DAY_MS + CONTEST_GRACE_MS - 1);
    expect(await sweep()).toBe(0);
    clock.pass(1);
    await sweep();
    expect(await account.state(statement)).toBe('rejected');
    expect(await account.items(statement)).toMatchObject([
      { state: 'rejected', end_reason: 'contest_unanswered' },
    ]);
    expect(await brokenLaws(scene, account.accountId)).toEqual([]);
  });

  test('begins anew after a deferral, and leaves what waits for consent', async () => {
    const curator = await curatorOf(account);
    await arrange({ state: 'provisional', items: pending('gate_a_b') });
    clock.pass(2 * HOUR_MS);
    await sweep();
    const [open] = await account.rows(
      'select id, version from review_items where account_id = $1 and decided_at is null',
    );
    const asked = { review_id: open?.['id'], version: open?.['version'] };
    await execute(deferReview, scene.context(curator), asked);
    expect(await account.items(statement)).toMatchObject([
      { state: 'deferred', past_ageing: false },
    ]);
    clock.pass(2 * DAY_MS);
    await sweep();
    expect(await account.items(statement)).toMatchObject([{ state: 'escalated' }]);
    const items = [{ kind: 'gate_a_b', state: 'awaiting_consent', dueAt: clock.iso }] as const;
    await arrange({ state: 'provisional', items });
    clock.pass(300 * DAY_MS);
    expect(await sweep()).toBe(0);
  });
});
