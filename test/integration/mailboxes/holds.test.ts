/** What a drain takes and holds: whose turn it is, how much, and what lost drains held. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { sql, type DatabasePool } from 'slonik';
import { z } from 'zod';
import type { Mailbox } from '../../../domain/actors/names.ts';
import { roomBeside } from '../../../domain/extraction/holds.ts';
import type { HeldAnchorRow } from '../../../stores/postgres/actors/holds.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { insertAccount, type Account } from '../../workflow/observations.ts';

let database: OpenDatabase;
let db: DatabasePool;
let admin: Client;
let store: MailboxesStore;
let account: Account;
let mailbox: Mailbox;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool: db, admin } = database);
  store = new MailboxesStore(db);
});
afterAll(() => database.close());
beforeEach(async () => {
  account = await insertAccount(admin);
  mailbox = { accountId: account.accountId, kind: 'ingest', shard: 0 };
});

interface Backlog {
  readonly speaker: string;
  readonly sessions: number;
  /** In each session. */
  readonly messages: number;
  readonly bytes?: number;
}

/** Messages that wait, as ingest stores them. */
async function wait({ speaker, sessions, messages, bytes = 20 }: Backlog): Promise<void> {
  const { accountId, scopeId, credentialId } = account;
  await admin.query(
    `with speaker as (
       insert into peers (account_id, id, key, name, kind) values ($1, uuidv7(), $4, $4, 'human')
       on conflict on constraint peer_key_is_unique_in_account do update set name = excluded.name returning id
     ), session as (
       insert into sessions (account_id, id, external_id, shard)
       select $1, uuidv7(), uuidv7()::text, 0 from generate_series(1, $5::integer) returning id
     ), linked as (
       insert into session_scopes (account_id, session_id, scope_id) select $1, id, $2 from session
     ), message as (
       insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
         content_hash, occurred_at, occurred_offset_minutes, trace_id)
       select $1, uuidv7(), session.id, $2, speaker.id, $3, 'user', repeat('x', $7::integer), sha256('x'),
         clock_timestamp(), 0, repeat('0', 32)
       from session, speaker, generate_series(1, $6::integer) returning id, session_id, speaker_peer_id
     )
     insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
     select $1, id, session_id, $2, 0, speaker_peer_id from message`,
    [accountId, scopeId, credentialId, speaker, sessions, messages, bytes],
  );
}

async function speakers(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await admin.query<{ message_id: string; key: string }>(
    `select a.message_id, p.key from extraction_anchors a
     join peers p on p.account_id = a.account_id and p.id = a.speaker_peer_id where a.account_id = $1`,
    [account.accountId],
  );
  return new Map(rows.map((row) => [row.message_id, row.key]));
}

async function complete(taken: readonly HeldAnchorRow[]): Promise<void> {
  await admin.query(
    `update extraction_anchors set status = 'completed', completed_at = now(), claim_epoch = null,
       unsettled_attempts = 0
     where account_id = $1 and message_id = any($2)`,
    [account.accountId, taken.map(({ messageId }) => messageId)],
  );
}

/** What a new drain takes. */
async function take(most = 50): Promise<HeldAnchorRow[]> {
  const { epoch } = await store.openDrain(mailbox);
  return store.takeAnchors(mailbox, epoch, most);
}

const sessionsOf = (taken: readonly HeldAnchorRow[]) =>
  new Set(taken.map(({ sessionId }) => sessionId));

test('drains that look at the same time each take from their own mailbox, and one that was overtaken takes nothing', async () => {
  await wait({ speaker: 'ana', sessions: 2, messages: 3 });
  await wait({ speaker: 'bob', sessions: 1, messages: 2 });
  const { accountId } = account;
  // What bob said waits in another mailbox.
  await admin.query(
    `update extraction_anchors a set shard = 1 from peers p
     where a.account_id = $1 and p.account_id = a.account_id and p.id = a.speaker_peer_id and p.key = 'bob'`,
    [accountId],
  );
  const other = { ...mailbox, shard: 1 };
  const overtaken = await store.openDrain(mailbox);
  const first = await store.openDrain(mailbox);
  const second = await store.openDrain(other);
  const [none, ofFirst, ofSecond] = await Promise.all([
    store.takeAnchors(mailbox, overtaken.epoch, 50),
    store.takeAnchors(mailbox, first.epoch, 4),
    store.takeAnchors(other, second.epoch, 50),
  ]);
  const of = await speakers();
  const saidBy = (taken: readonly HeldAnchorRow[]) =>
    taken.map(({ messageId }) => of.get(messageId));
  expect(none).toEqual([]);
  expect(saidBy(ofFirst)).toEqual(Array.from({ length: 4 }, () => 'ana'));
  expect(saidBy(ofSecond)).toEqual(['bob', 'bob']);
});

test('a drain whose look the database refuses fails alone, though others look at the same time', async () => {
  await wait({ speaker: 'ana', sessions: 2, messages: 3 });
  const { epoch } = await store.openDrain(mailbox);
  const noEpoch = 1e30;
  const [taken, refused] = await Promise.allSettled([
    store.takeAnchors(mailbox, epoch, 50),
    store.takeAnchors({ ...mailbox, shard: 1 }, noEpoch, 50),
  ]);
  expect(refused.status).toBe('rejected');
  expect(taken.status === 'fulfilled' && taken.value.length).toBe(6);
});

describe('turns', () => {
  test('a backfill of one session does not delay other sessions of its speaker', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 400 });
    await wait({ speaker: 'ana', sessions: 3, messages: 1 });
    const taken = await take();
    expect(taken).toHaveLength(50);
    expect(sessionsOf(taken).size).toBe(4);
  });

  test('a speaker with very many sessions does not delay other speakers', async () => {
    await wait({ speaker: 'ana', sessions: 300, messages: 3 });
    await wait({ speaker: 'bob', sessions: 1, messages: 2 });
    await wait({ speaker: 'eve', sessions: 1, messages: 1 });
    const of = await speakers();
    const taken = (await take()).map(({ messageId }) => of.get(messageId));
    expect(taken).toHaveLength(50);
    expect(taken.filter((name) => name === 'bob')).toHaveLength(2);
    expect(taken.filter((name) => name === 'eve')).toHaveLength(1);
  });

  test('every session of a speaker has its turn in one round, though each drain is another', async () => {
    await wait({ speaker: 'ana', sessions: 60, messages: 40 });
    await wait({ speaker: 'bob', sessions: 1, messages: 2_000 });
    const seen = new Set<string>();
    // A drain gives Ana at least 24 places, that is three sessions' turns.
    for (let drain = 0; drain < 20; drain += 1) {
      const taken = await take();
      for (const session of sessionsOf(taken)) seen.add(session);
      await complete(taken);
    }
    expect(seen.size).toBe(61);
  });

  test('neighbours of a session are taken together, oldest first', async () => {
    await wait({ speaker: 'ana', sessions: 20, messages: 30 });
    const taken = await take();
    const bySession = Map.groupBy(taken, ({ sessionId }) => sessionId);
    for (const [sessionId, anchors] of bySession) {
      const { rows } = await admin.query<{ message_id: string }>(
        'select message_id from extraction_anchors where session_id = $1 order by message_id limit $2',
        [sessionId, anchors.length],
      );
      expect(anchors.map(({ messageId }) => messageId)).toEqual(rows.map((row) => row.message_id));
    }
    expect(bySession.size).toBeLessThanOrEqual(7);
  });

  test('nothing is taken of a session that the drain holds', async () => {
    await wait({ speaker: 'ana', sessions: 2, messages: 100 });
    const { epoch } = await store.openDrain(mailbox);
    const first = await store.takeAnchors(mailbox, epoch, 8);
    const room = roomBeside(first, 50);
    if (room === null) throw new Error('there is room');
    const second = await store.takeAnchors(mailbox, epoch, room);
    expect(second).toHaveLength(50);
    expect([...sessionsOf(second)].filter((session) => sessionsOf(first).has(session))).toEqual([]);
  });

  test('anchors that failed before get few places, shared by turns among speakers', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 200 });
    await wait({ speaker: 'bob', sessions: 1, messages: 2 });
    await admin.query(
      `update extraction_anchors set status = 'failed', last_error_class = 'request_timeout', failed_at = now()
       where account_id = $1`,
      [account.accountId],
    );
    await wait({ speaker: 'eve', sessions: 1, messages: 100 });
    const of = await speakers();
    const taken = await take();
    const failed = taken
      .filter((anchor) => anchor.failed)
      .map(({ messageId }) => of.get(messageId));
    expect(taken).toHaveLength(50);
    expect(failed.length).toBeLessThanOrEqual(16);
    expect(failed.filter((name) => name === 'bob')).toHaveLength(2);
  });
});

describe('bounds', () => {
  test('a drain holds no more bytes than its room, and windows count', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 60, bytes: 200_000 });
    const taken = await take();
    const bytes = taken.reduce((sum, anchor) => sum + anchor.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024);
    // 0, 1, 2 … 5 earlier ones beside each.
    expect(taken.slice(0, 4).map((anchor) => anchor.bytes / 200_000)).toEqual([1, 2, 3, 4]);
  });

  test('a single message that has more is taken alone', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 10, bytes: 1_048_576 });
    let taken = await take();
    const sizes: number[] = [];
    while (taken.length > 0) {
      sizes.push(taken.length);
      await complete(taken);
      taken = await take();
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10);
    expect(sizes.slice(1)).toEqual(sizes.slice(1).map(() => 1));
  });

  test('a drain reads a few hundred rows of a hundred thousand that wait in 5,000 sessions', async () => {
    await wait({ speaker: 'ana', sessions: 4_900, messages: 20 });
    for (let n = 0; n < 100; n += 1) await wait({ speaker: `s${n}`, sessions: 1, messages: 20 });
    // Autovacuum does so within a minute; a plan made for an empty table would say nothing of this one.
    await admin.query('analyze extraction_anchors, messages');
    const { epoch } = await store.openDrain(mailbox);
    const read = z.object({ relname: z.string(), seq: z.number(), idx: z.number() });
    const rows = await withAccount(db, account.accountId, async (tx) => {
      const taken = await new MailboxesStore(tx).takeAnchors(mailbox, epoch, 50);
      expect(taken).toHaveLength(50);
      expect(await new MailboxesStore(tx).nextDueInMs(mailbox, epoch)).toBe(0);
      return tx.any(sql.type(read)`
        select relname, seq_tup_read as seq, idx_tup_fetch as idx from pg_stat_xact_user_tables
        where relname in ('extraction_anchors', 'messages')`);
    });
    for (const { seq, idx } of rows) {
      expect(seq).toBe(0);
      expect(idx).toBeLessThanOrEqual(20 * 50 + 100);
    }
  });
});

describe('an attempt', () => {
  async function anchors(): Promise<Record<string, unknown>[]> {
    const { rows } = await admin.query(
      `select status, attempt_count, unsettled_attempts, last_error_class from extraction_anchors
       where account_id = $1 order by message_id`,
      [account.accountId],
    );
    return rows;
  }
  const elapse = () =>
    admin.query(
      `update extraction_anchors set available_at = now() - interval '1 s' where account_id = $1`,
      [account.accountId],
    );

  test('is counted when it is taken and given back with a release', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 1 });
    const { epoch } = await store.openDrain(mailbox);
    await store.takeAnchors(mailbox, epoch, 50);
    expect(await anchors()).toMatchObject([{ attempt_count: 1, unsettled_attempts: 1 }]);
    await store.releaseHolds(mailbox, epoch);
    expect(await anchors()).toMatchObject([{ attempt_count: 0, unsettled_attempts: 0 }]);
  });

  test('that is lost with its drain makes the groups smaller until each stands alone', async () => {
    await wait({ speaker: 'ana', sessions: 5, messages: 8 });
    expect(await take()).toHaveLength(40);
    const once = await take();
    expect(once).toHaveLength(8);
    expect(once.every(({ lostHolds }) => lostHolds === 1)).toBe(true);
    // Those are put off; others that were lost once are held meanwhile.
    await elapse();
    const twice = (await take()).filter(({ lostHolds }) => lostHolds === 2);
    expect(twice.length).toBeLessThanOrEqual(1);
  });

  test('that was lost is put off, so that its neighbours go first', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 20 });
    const [killer] = await take(1);
    expect(await take(1)).toMatchObject([{ messageId: killer?.messageId }]);
    const [next] = await take(1);
    expect(next?.messageId).not.toBe(killer?.messageId);
  });

  test('that is lost ten times in a row is terminal, and costs nothing if it succeeds before', async () => {
    await wait({ speaker: 'ana', sessions: 1, messages: 1 });
    for (let deaths = 0; deaths < 10; deaths += 1) {
      expect(await take()).toHaveLength(1);
      await elapse();
    }
    expect(await anchors()).toMatchObject([{ status: 'pending', attempt_count: 10 }]);
    expect(await take()).toEqual([]);
    expect(await anchors()).toMatchObject([
      {
        status: 'terminal',
        last_error_class: 'internal_error',
        attempt_count: 10,
        unsettled_attempts: 0,
      },
    ]);
  });
});
