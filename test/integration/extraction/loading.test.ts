/** Batches of an account that begin at about the same time are read together; what cannot be read fails its own batch. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DatabaseTransactionConnection, QuerySqlToken } from 'slonik';
import {
  AnchorsStore,
  type SizedHold,
} from '../../../stores/postgres/observations/anchors.store.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { Scene } from '../observations/scene.ts';
import { SHARDS } from './scene.ts';

const SESSIONS = 24;

let scene: Scene;
let account: string;
let batches: readonly (readonly SizedHold[])[];
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  for (let n = 0; n < SESSIONS; n += 1) {
    await scene.ingest(agent, {
      session_id: `session-${n}`,
      peer_key: 'alice',
      content: `Tea ${n}.`,
    });
  }
  const mailboxes = new MailboxesStore(scene.pool);
  const taken = await Promise.all(
    SHARDS.map(async (shard) => {
      const mailbox = { accountId: account, kind: 'ingest', shard } as const;
      const { epoch } = await mailboxes.openDrain(mailbox);
      const anchors = await mailboxes.takeAnchors(mailbox, epoch, 50);
      return anchors.map(({ bytes, messageId }) => ({ bytes, epoch, messageId }));
    }),
  );
  batches = taken.filter((holds) => holds.length > 0);
});

/** The object with other methods of these names. */
function withMethods<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(of, name) {
      const from = name in methods ? methods : of;
      const value: unknown = Reflect.get(from, name);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

/** The database, which counts transactions, and in which no query for one row succeeds that names the message. */
function watched(poison: string | null) {
  const one = (tx: DatabaseTransactionConnection) => async (query: QuerySqlToken) => {
    if (poison !== null && JSON.stringify(query.values).includes(poison)) {
      throw new TypeError('a row that cannot be read');
    }
    return tx.one(query);
  };
  const seen = { transactions: 0 };
  const db = withMethods(scene.pool, {
    transaction: (work: (tx: DatabaseTransactionConnection) => Promise<unknown>) => {
      seen.transactions += 1;
      return scene.pool.transaction((tx) => work(withMethods(tx, { one: one(tx) })));
    },
  });
  return { db, seen };
}

const ids = (holds: readonly SizedHold[]) => holds.map(({ messageId }) => messageId);

test('batches that begin together are read in one transaction, and each gets its anchors', async () => {
  const { db, seen } = watched(null);
  const store = new AnchorsStore(db);
  expect(batches.length).toBeGreaterThan(2);
  const loaded = await Promise.all(batches.map((holds) => store.load(account, holds)));
  expect(seen.transactions).toBe(1);
  for (const [at, holds] of batches.entries()) {
    const read = loaded[at]?.anchors.map(({ message_id: id }) => id) ?? [];
    expect(read).toEqual(expect.arrayContaining(ids(holds)));
  }
});

test('an anchor that cannot be read fails the batch that holds it, and no other', async () => {
  const poison = batches[1]?.[0]?.messageId ?? '';
  const store = new AnchorsStore(watched(poison).db);
  const loaded = await Promise.allSettled(batches.map((holds) => store.load(account, holds)));
  expect(loaded.map(({ status }) => status)).toEqual(
    batches.map((_, at) => (at === 1 ? 'rejected' : 'fulfilled')),
  );
});

test('an anchor that another drain took is not read', async () => {
  const store = new AnchorsStore(scene.pool);
  const [overtaken = [], ...others] = batches;
  await scene.rows(
    'update extraction_anchors set claim_epoch = claim_epoch + 1 where account_id = $1 and message_id = any($2)',
    [account, ids(overtaken)],
  );
  const loaded = await Promise.all(batches.map((holds) => store.load(account, holds)));
  const read = new Set(loaded.flatMap(({ anchors }) => anchors.map(({ message_id: id }) => id)));
  expect(read).toEqual(new Set(others.flatMap(ids)));
});
