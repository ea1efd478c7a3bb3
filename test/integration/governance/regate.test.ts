import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import { createRegate } from '../../../engine/knowledge/regate.ts';
import type { RegatePageReport } from '../../../domain/governance/regate.ts';
import { AccountsStore } from '../../../stores/postgres/identity/accounts.store.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { RegateStore } from '../../../stores/postgres/knowledge/regate.store.ts';
import { RunsStore } from '../../../stores/postgres/runs/runs.store.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { subjectLocks } from '../../../stores/postgres/subject-locks.ts';

let scene: Scene;
let account: string;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
});

/** Says these things one after the other under the rules in force, by two people so that wide cells can place. */
async function say(accountId: string, ...contents: readonly string[]): Promise<void> {
  const agent = await scene.caller(accountId, { key: `agent-${uuidv7()}` });
  for (const peer of ['alice', 'bob']) {
    for (const content of contents) {
      const body = { peer_key: peer, content: `about=alice ${content}` };
      await scene.ingest(agent, body);
    }
  }
  await drain(scene, accountId, pipeline(scene, { extract: literalExtractor }));
}

function newRun(accountId: string): Promise<string> {
  return createInAccount(scene.pool)(accountId, (stores) =>
    stores.runs.enter({ kind: 'regate', traceId: '0'.repeat(32) }),
  );
}

function regateOf(pageRows?: number) {
  return createRegate(
    {
      store: new RegateStore(scene.pool),
      newId: () => uuidv7(),
      ring: (mailbox) => void scene.rung.push(mailbox),
    },
    pageRows,
  );
}

/** All pages of a new run, as the workflow asks for them. */
async function regate(accountId: string, pageRows?: number): Promise<RegatePageReport[]> {
  const runId = await newRun(accountId);
  const pages: RegatePageReport[] = [];
  let afterId: string | null = null;
  do {
    const page = await regateOf(pageRows).page({ accountId, runId, afterId });
    pages.push(page);
    afterId = page.nextAfterId;
  } while (afterId !== null);
  return pages;
}

async function change(accountId: string, preset: GatePreset) {
  await usePreset(scene, accountId, preset);
  return regate(accountId);
}

async function states(accountId: string): Promise<Record<string, unknown>> {
  const rows = await scene.rows(
    `select statement, state || ' ' || target_level || ' ' || (select path from scopes s where s.id = k.scope_id)
       as at from knowledge k where account_id = $1 order by statement`,
    [accountId],
  );
  return Object.fromEntries(rows.map((row) => [String(row['statement']), row['at']]));
}

const everything = (accountId: string) =>
  scene.rows(
    `select to_jsonb(k) as row, (select count(*)::int from belief_periods b where b.knowledge_id = k.id) as periods,
       (select count(*)::int from gate_decisions d where d.knowledge_id = k.id) as decisions,
       (select count(*)::int from lifecycle_events e where e.knowledge_id = k.id) as events,
       (select max(generation)::int from dirty_marks m where m.unit_id = k.id) as generation
     from knowledge k where account_id = $1 order by id`,
    [accountId],
  );

describe('a change from strict to assisted', () => {
  beforeEach(() =>
    say(account, 'Alice likes tea.', 'as=personal Alice hums.', 'level=scope Alice rows.'),
  );

  test('is recorded in every history of the statement', async () => {
    await scene.rows('delete from dirty_marks where account_id = $1', [account]);
    scene.rung.length = 0;
    await change(account, 'assisted');
    const [row] = await scene.rows(
      `select k.id, k.verification, k.row_version::int as version, k.revalidate_after > now() as revalidated,
         (select jsonb_agg(jsonb_build_array(b.state, b.believed_until is null) order by b.believed_from)
          from belief_periods b where b.knowledge_id = k.id) as beliefs,
         (select jsonb_agg(jsonb_build_array(d.gate, d.decision, d.reason, d.channel, d.rule_id is not null,
            d.review_item_id is not null) order by d.gate) from gate_decisions d
          where d.knowledge_id = k.id and d.to_state = 'active') as decisions,
         (select jsonb_agg(jsonb_build_array(r.kind, r.state, r.decided_at is not null, r.decided_by))
          from review_items r where r.knowledge_id = k.id) as reviews,
         (select jsonb_agg(jsonb_build_array(e.from_state, e.to_state, e.reason)) from lifecycle_events e
          where e.knowledge_id = k.id and e.from_state is not null) as events,
         (select jsonb_agg(jsonb_build_array(a.action, a.actor_kind)) from audit_events a
          where a.resource_id = k.id and a.action = 'knowledge.changed_state') as audit
       from knowledge k where k.account_id = $1 and k.state = 'active'`,
      [account],
    );
    expect(row).toMatchObject({
      verification: 'auto_verified',
      revalidated: true,
      beliefs: [
        ['provisional', false],
        ['active', true],
      ],
      decisions: [
        ['gate_a', 'keep', 'rule_accepts', 'pipeline', true, true],
        ['gate_b', 'place', 'rule_accepts', 'pipeline', true, true],
      ],
      reviews: [['gate_a_b', 'approved', true, null]],
      events: [['provisional', 'active', 'gates_rerun']],
      audit: [['knowledge.changed_state', 'pipeline']],
    });
    const marks = await scene.rows(
      'select engine, unit_id from dirty_marks where account_id = $1 order by engine',
      [account],
    );
    expect(marks).toEqual([
      { engine: 'qdrant', unit_id: row?.['id'] },
      { engine: 'meilisearch', unit_id: row?.['id'] },
    ]);
    expect(scene.rung).toEqual([{ accountId: account, kind: 'projection', shard: 0 }]);
    expect(
      await scene.count(
        "select from mailboxes where account_id = $1 and kind = 'projection' and shard = 0",
        [account],
      ),
    ).toBe(1);
  });

  test('that is replayed or run again changes nothing more', async () => {
    await usePreset(scene, account, 'assisted');
    const runId = await newRun(account);
    const page = () => regateOf().page({ accountId: account, runId, afterId: null });
    expect(await page()).toEqual({ rows: 3, placed: 1, nextAfterId: null });
    const before = await everything(account);
    expect(await page()).toEqual({ rows: 0, placed: 0, nextAfterId: null });
    expect(await regate(account)).toEqual([{ rows: 2, placed: 0, nextAfterId: null }]);
    expect(await everything(account)).toEqual(before);
  });

  test('leaves other accounts alone', async () => {
    const other = await scene.account();
    await say(other, 'Alice likes tea.');
    await usePreset(scene, other, 'assisted');
    const before = await everything(other);
    await change(account, 'assisted');
    expect(await everything(other)).toEqual(before);
    // Not even the run of one account, called with the id of another, is found.
    const runId = await newRun(account);
    const crossed = regateOf().page({ accountId: other, runId, afterId: null });
    expect(await crossed).toEqual({ rows: 0, placed: 0, nextAfterId: null });
    expect(await everything(other)).toEqual(before);
  });
});

describe('a change to unattended', () => {
  test('places proposals at their level and rejects nothing', async () => {
    await say(
      account,
      'level=scope Alice rows.',
      'level=account Alice runs.',
      'level=scope as=personal Alice hums.',
      'as=restricted Alice hides.',
    );
    expect(await change(account, 'unattended')).toMatchObject([{ rows: 4, placed: 3 }]);
    expect(await states(account)).toEqual({
      'Alice hides.': 'provisional peer /team',
      'Alice hums.': 'active scope /team',
      'Alice rows.': 'active scope /team',
      'Alice runs.': 'active account /',
    });
    const consents = 'select status, verified, channel from consents where account_id = $1';
    expect(await scene.rows(consents, [account])).toEqual([
      { status: 'granted', verified: true, channel: 'pipeline' },
    ]);
    const marked = await scene.rows(
      `select distinct s.path from dirty_marks u join scopes s on s.id = u.scope_id
       join knowledge k on k.id = u.unit_id where u.account_id = $1 and k.statement = 'Alice runs.'`,
      [account],
    );
    expect(marked).toEqual([{ path: '/' }]);
  });

  test('widens no statement that was believed before, and overrides no refusal by a subject', async () => {
    await say(
      account,
      'level=scope Alice rows.',
      'level=account Alice runs.',
      'level=scope Alice sings.',
      'level=scope Alice skis.',
    );
    await scene.rows(
      `update belief_periods b set state = 'active' from knowledge k
       where k.id = b.knowledge_id and k.account_id = $1 and k.statement = 'Alice rows.'`,
      [account],
    );
    await scene.rows(
      `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, status, channel, decided_at)
       select account_id, gen_random_uuid(), id, subject_peer_id, scope_id, 'denied', 'api', now()
       from knowledge where account_id = $1 and statement = 'Alice runs.'`,
      [account],
    );
    await scene.rows(
      `update review_items r set kind = 'gate_b' from knowledge k
       where k.id = r.knowledge_id and k.account_id = $1 and k.statement = 'Alice sings.'`,
      [account],
    );
    expect(await change(account, 'unattended')).toMatchObject([{ rows: 4, placed: 1 }]);
    expect(await states(account)).toMatchObject({
      'Alice rows.': 'held scope /team',
      'Alice runs.': 'held account /team',
      'Alice sings.': 'held scope /team',
      'Alice skis.': 'active scope /team',
    });
  });
});

describe('a run', () => {
  const run = async (runId: string) =>
    (
      await scene.rows(
        `select status, attempt_count, last_error_class, processed_at is not null as processed
         from pipeline_runs where id = $1`,
        [runId],
      )
    )[0];

  test('works page by page and completes with the last page', async () => {
    await say(
      account,
      'Alice likes tea.',
      'Alice likes rain.',
      'Alice likes maps.',
      'Alice likes owls.',
    );
    await usePreset(scene, account, 'assisted');
    const runId = await newRun(account);
    const one = await regateOf(3).page({ accountId: account, runId, afterId: null });
    expect(one).toMatchObject({ rows: 3, placed: 3, nextAfterId: expect.any(String) });
    expect(await run(runId)).toMatchObject({ status: 'running', attempt_count: 1 });
    const two = await regateOf(3).page({ accountId: account, runId, afterId: one.nextAfterId });
    expect(two).toEqual({ rows: 1, placed: 1, nextAfterId: null });
    expect(await run(runId)).toEqual({
      status: 'completed',
      attempt_count: 1,
      last_error_class: null,
      processed: true,
    });
  });

  test('that was cancelled does nothing more; one that failed may begin again', async () => {
    await say(account, 'Alice likes tea.');
    await usePreset(scene, account, 'assisted');
    const end = (runId: string, status: 'cancelled' | 'failed') =>
      createInAccount(scene.pool)(account, ({ runs }) =>
        runs.end(runId, status, status === 'failed' ? 'transport_error' : null),
      );
    const cancelled = await newRun(account);
    await end(cancelled, 'cancelled');
    const page = (runId: string) => regateOf().page({ accountId: account, runId, afterId: null });
    expect(await page(cancelled)).toEqual({ rows: 0, placed: 0, nextAfterId: null });
    expect(await run(cancelled)).toMatchObject({ status: 'cancelled', processed: true });

    const failed = await newRun(account);
    await end(failed, 'failed');
    expect(await run(failed)).toMatchObject({
      status: 'failed',
      last_error_class: 'transport_error',
    });
    expect(await page(failed)).toMatchObject({ placed: 1 });
    await end(failed, 'failed');
    expect(await run(failed)).toMatchObject({ status: 'completed', last_error_class: null });
  });

  test('leaves its work to a run that waits to begin, which looks at everything', async () => {
    await say(account, 'Alice likes tea.', 'Alice likes rain.');
    await usePreset(scene, account, 'assisted');
    const early = await newRun(account);
    const page = (runId: string) => regateOf(1).page({ accountId: account, runId, afterId: null });
    expect(await page(early)).toMatchObject({ rows: 1, placed: 1 });
    const late = await newRun(account);
    expect(await page(early)).toEqual({ rows: 0, placed: 0, nextAfterId: null });
    expect(await run(early)).toMatchObject({ status: 'completed' });
    expect(await page(late)).toMatchObject({ rows: 1, placed: 1 });
  });

  test('begins after a change that joined it, and is not joined once it begins', async () => {
    const runId = await newRun(account);
    const begin = (): Promise<unknown> =>
      withAccount(scene.pool, account, async (tx) => {
        await tx.query(sql.unsafe`set local lock_timeout = '150ms'`);
        return new RunsStore(tx, account).begin(runId, true);
      });
    const join = () =>
      withAccount(scene.pool, account, (tx) => new RunsStore(tx, account).lockWaiting('regate'));
    await withAccount(scene.pool, account, async (tx) => {
      expect(await new RunsStore(tx, account).lockWaiting('regate')).toBe(runId);
      await expect(begin()).rejects.toThrow();
    });
    await withAccount(scene.pool, account, async (tx) => {
      expect(await new RunsStore(tx, account).begin(runId, true)).toBe(true);
      // The change does not wait for the page, which may wait for the change.
      expect(await join()).toBeNull();
    });
    expect(await join()).toBeNull();
  });

  test('sees every decision by the old rules, because the change of preset waits for them', async () => {
    const change = (): Promise<unknown> =>
      withAccount(scene.pool, account, async (tx) => {
        await tx.query(sql.unsafe`set local lock_timeout = '150ms'`);
        return new AccountsStore(tx, account).lockPreset();
      });
    await withAccount(scene.pool, account, async (tx) => {
      await tx.query(sql.unsafe`${subjectLocks(account, [uuidv7()])}`);
      await expect(change()).rejects.toThrow();
    });
    expect(await change()).toBe('strict');
  });
});
