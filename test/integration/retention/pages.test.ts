/** How a pass goes: in bounded pages, each a transaction, beside ingest and beside other passes, with no count lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { RETENTION_KINDS, type RetentionKind } from '../../../domain/retention/policy.ts';
import { MOST_PRUNED_OF_A_PAGE } from '../../../engine/retention/retention.ts';
import {
  RetentionStore,
  type PrunedPage,
  type RetentionPage,
} from '../../../stores/postgres/retention/retention.store.ts';
import { Scene } from '../observations/scene.ts';
import {
  addCalls,
  addRuns,
  addScope,
  left,
  NEVER,
  prune,
  range,
  retentionOf,
  told,
} from './world.ts';

let scene: Scene;
let account: string;
let store: RetentionStore;
beforeAll(async () => {
  scene = await Scene.open();
  store = new RetentionStore(scene.pool);
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
});

const OLD = range(401.5, 650.5);

/** A store whose pages look at few rows, and which says what each did. */
class SmallPages extends RetentionStore {
  readonly pages: { readonly kind: RetentionKind; readonly pruned: number }[] = [];
  /** Dies after so many pages. */
  lives = Number.POSITIVE_INFINITY;

  override async page(page: RetentionPage): Promise<PrunedPage> {
    if (this.pages.length >= this.lives) throw new Error('the worker has died');
    const done = await super.page({ ...page, limit: 40 });
    this.pages.push({ kind: page.place.kind, pruned: done.pruned });
    return done;
  }
}

const countOf = async (table: string): Promise<number> => {
  const [row] = await scene.rows(`select count(*)::int as n from ${table} where account_id = $1`, [
    account,
  ]);
  return Number(row?.['n']);
};

describe('a page', () => {
  test('looks at 10,000 rows at most, whatever it is asked', async () => {
    await addCalls(scene, account, { what: 'old', days: range(401, 401 + 10_499) });
    const place = { kind: 'attempts', at: null, afterId: null } as const;
    const first = await store.page({ accountId: account, place, days: 400, limit: 1_000_000 });
    expect(first.pruned).toBe(MOST_PRUNED_OF_A_PAGE);
    const { next } = first;
    if (next === null) throw new Error('another page follows');
    const second = await store.page({ accountId: account, place: next, days: 400, limit: 10_000 });
    expect(second).toEqual({ pruned: 500, next: null });
    expect(await countOf('provider_attempts')).toBe(0);
  });

  test('passes over what stays, once in a pass', async () => {
    await addCalls(scene, account, { what: 'open', state: 'reserved', days: OLD });
    await addCalls(scene, account, { what: 'due', days: OLD });
    const small = new SmallPages(scene.pool);
    await prune(retentionOf(scene, {}, { store: small }), account);
    const attempts = small.pages.filter(({ kind }) => kind === 'attempts');
    // 500 rows by 40, and none of them twice.
    expect(attempts).toHaveLength(13);
    expect(attempts.every(({ pruned }) => pruned <= 40)).toBe(true);
    expect(await left(scene, account, 'provider_attempts')).toEqual({ open: OLD });
  });

  test('that is repeated does nothing more, and counts nothing twice', async () => {
    await addCalls(scene, account, { what: 'due', days: OLD });
    const page = {
      accountId: account,
      place: { kind: 'attempts', at: null, afterId: null },
      days: 400,
      limit: 10_000,
    } as const;
    expect(await store.page(page)).toEqual({ pruned: 250, next: null });
    expect(await store.page(page)).toEqual({ pruned: 0, next: null });
    await store.tell(account);
    await store.tell(account);
    expect(await told(scene, account)).toEqual([{ attempts: 250 }]);
  });

  test('that fails at its last word has deleted nothing and marked nothing', async () => {
    const scope = await addScope(scene, account, '/team');
    await addCalls(scene, account, { what: 'due', role: 'ingest_extractor', scope, days: OLD });
    await scene.rows(`
      create function refuse_tally() returns trigger language plpgsql as $$ begin raise check_violation; end $$`);
    await scene.rows(`
      create trigger refuse_tally before insert on retention_tallies for each row
        when (new.account_id = '${account}') execute function refuse_tally()`);
    const failed: RetentionKind[] = [];
    const retention = retentionOf(scene, {}, { report: (kind) => void failed.push(kind) });
    await addRuns(scene, account, { what: 'run', kind: 'regate', status: 'running', days: OLD });
    const turn = await retention.turn({
      accountId: account,
      place: null,
      signal: NEVER,
      onPruned: () => {},
    });
    expect(turn).toEqual({ rows: 0, failed: 1, next: null });
    expect(failed).toEqual(['attempts']);
    expect(await countOf('provider_attempts')).toBe(250);
    expect(await countOf('pruned_scopes')).toBe(0);
    await scene.rows('drop trigger refuse_tally on retention_tallies');
    expect(await prune(retentionOf(scene), account)).toEqual({ attempts: 250 });
  });

  test('locks rows of what it deletes, and of nothing that is written when something is said', async () => {
    await addCalls(scene, account, { what: 'due', days: OLD });
    await addRuns(scene, account, { what: 'run', kind: 'regate', status: 'completed', days: OLD });
    const functions = ['runs', 'attempts', 'usage_days', 'request_days', 'gate_decisions'];
    const client = new Client({ connectionString: scene.database.appUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('app.account_id', $1, true)", [account]);
      for (const name of [...functions, 'lifecycle_events', 'tokens']) {
        await client.query(`select * from prune_${name}($1, 30, null, null, 10000)`, [account]);
      }
      const { rows } = await client.query<{ relname: string; mode: string }>(
        `select distinct c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
         where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
      );
      const written = rows.filter(({ mode }) => mode !== 'AccessShareLock');
      expect(new Set(written.map(({ mode }) => mode))).toEqual(new Set(['RowExclusiveLock']));
      expect(written.map(({ relname }) => relname).toSorted()).toEqual([
        'activity_entries',
        'browser_sessions',
        'credentials',
        'gate_decisions',
        'lifecycle_events',
        'pipeline_runs',
        'provider_attempts',
        'pruned_scopes',
        'request_days',
        'token_days',
        'usage_days',
        'usage_scope_days',
        'usage_totals',
      ]);
      const read = rows.map(({ relname }) => relname);
      expect(read).not.toContain('messages');
      expect(read).not.toContain('extraction_anchors');
    } finally {
      await client.end();
    }
  });
});

describe('a pass', () => {
  test('that dies between two pages is repeated from the beginning, and the audit log counts every row once', async () => {
    await addCalls(scene, account, { what: 'due', days: OLD });
    await addCalls(scene, account, { what: 'open', state: 'dispatched', days: OLD });
    await addRuns(scene, account, { what: 'run', kind: 'regate', status: 'completed', days: OLD });
    for (const lives of [1, 4, 9]) {
      const store = new SmallPages(scene.pool);
      store.lives = lives;
      const dying = retentionOf(scene, {}, { store });
      await expect(prune(dying, account)).rejects.toThrow('the worker has died');
      expect(await told(scene, account)).toEqual([]);
    }
    await prune(retentionOf(scene, {}, { store: new SmallPages(scene.pool) }), account);
    expect(await told(scene, account)).toEqual([{ attempts: 250, runs: 250 }]);
    expect(await left(scene, account, 'provider_attempts')).toEqual({ open: OLD });
    expect(await countOf('pipeline_runs')).toBe(0);
    expect(await countOf('retention_tallies')).toBe(0);
  });

  test('beside another one deletes nothing twice, and both together tell of every row', async () => {
    await addCalls(scene, account, { what: 'due', days: OLD });
    await addRuns(scene, account, { what: 'run', kind: 'regate', status: 'completed', days: OLD });
    const passes = Array.from({ length: 4 }, () =>
      prune(retentionOf(scene, {}, { store: new SmallPages(scene.pool) }), account),
    );
    const done = await Promise.all(passes);
    const sum = (kind: RetentionKind) => done.reduce((all, one) => all + (one[kind] ?? 0), 0);
    expect([sum('attempts'), sum('runs')]).toEqual([250, 250]);
    const counted = (await told(scene, account)).map((one) => Object(one));
    const tolds = (kind: RetentionKind) =>
      counted.reduce<number>((all, one) => all + Number(one[kind] ?? 0), 0);
    expect([tolds('attempts'), tolds('runs')]).toEqual([250, 250]);
  });

  test('leaves alone what is written meanwhile', async () => {
    await addCalls(scene, account, { what: 'due', days: range(401, 2_400) });
    const agent = await scene.caller(account, { key: 'agent' });
    const over = new AbortController();
    let written = 0;
    const writing = (async () => {
      while (!over.signal.aborted || written === 0) {
        await scene.ingest(agent, { content: `I have ${written} boats.`, session_id: 's' });
        await addCalls(scene, account, { what: 'new', days: [0] });
        await addCalls(scene, account, { what: 'reserved', state: 'reserved', days: [500] });
        written += 1;
      }
    })();
    await prune(retentionOf(scene, {}, { store: new SmallPages(scene.pool) }), account);
    over.abort();
    await writing;
    const kept = await left(scene, account, 'provider_attempts');
    expect([kept['due'], kept['new']?.length, kept['reserved']?.length]).toEqual([
      undefined,
      written,
      written,
    ]);
    expect([await countOf('messages'), await countOf('extraction_anchors')]).toEqual([
      written,
      written,
    ]);
  });

  test('leaves a run that starts again while its page waits for the row', async () => {
    await addRuns(scene, account, { what: 'run', kind: 'regate', status: 'discarded', days: [40] });
    const other = new Client({ connectionString: scene.database.adminUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(
        `update pipeline_runs set status = 'pending', dispatched_at = null, processed_at = null where account_id = $1`,
        [account],
      );
      const pruning = prune(retentionOf(scene), account);
      // The page waits for the row: only then may the other one commit.
      for (let waits = false; !waits;) {
        const rows = await scene.rows(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        waits = rows.length > 0;
      }
      await other.query('commit');
      expect(await pruning).toEqual({});
      expect(await left(scene, account, 'pipeline_runs')).toEqual({ run: [40] });
    } finally {
      await other.end();
    }
  });
});

describe('the service', () => {
  async function asService(query: string): Promise<void> {
    const client = new Client({ connectionString: scene.database.appUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('app.account_id', $1, true)", [account]);
      await client.query(query);
    } finally {
      await client.end();
    }
  }

  test.each([
    'pipeline_runs',
    'provider_attempts',
    'gate_decisions',
    'lifecycle_events',
    'messages',
    'audit_events',
    'extraction_budgets',
    'review_items',
    'consents',
    'erasure_requests',
    'pruned_scopes',
  ])('may delete nothing of %s', async (table) => {
    await expect(asService(`delete from ${table}`)).rejects.toThrow('permission denied');
  });

  test('may prune neither in another account nor what is younger than a day', async () => {
    const other = await scene.account();
    for (const kind of RETENTION_KINDS) {
      await expect(
        asService(`select * from prune_${kind}('${other}', 30, null, null, 10)`),
      ).rejects.toThrow('in the account of the transaction only');
      for (const days of ['0', '-1', 'null']) {
        await expect(
          asService(`select * from prune_${kind}('${account}', ${days}, null, null, 10)`),
        ).rejects.toThrow('rows are kept for a day at least');
      }
    }
  });
});
