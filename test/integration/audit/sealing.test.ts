/** How audit events get their places: in the order in which they happened, once, whoever writes and seals meanwhile. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { hashesAfter } from '../../../domain/audit/chain.ts';
import { eventDigest } from '../../../engine/audit/digest.ts';
import { createSealer } from '../../../engine/audit/sealer.ts';
import { createVerifyChain } from '../../../engine/audit/verify.ts';
import { AuditChainStore } from '../../../stores/postgres/audit/audit-chain.store.ts';
import { eventually } from '../../support/patience.ts';
import { openAuditScene, type AuditScene } from './scene.ts';

const signal = new AbortController().signal;
let scene: AuditScene;
let account: string;

beforeEach(async () => {
  scene = await openAuditScene();
  account = await scene.account('a');
});
afterEach(() => scene.close());

const verified = (accountId = account) =>
  createVerifyChain(scene.store)(accountId, { expectedHead: null, signal });

const sealedInOrder = (abouts: readonly string[]) =>
  abouts.map((about, index) => ({ about, position: index + 1 }));

async function appendSome(count: number): Promise<string[]> {
  const abouts: string[] = [];
  for (let n = 0; n < count; n += 1) abouts.push(await scene.append(account));
  return abouts;
}

/** A connection of the service with an open transaction, in which one event was written. */
async function openWriter(url = scene.appUrl) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(`select set_config('app.account_id', $1, true)`, [account]);
  const about = randomUUID();
  const write = () =>
    client.query(
      `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, resource_id)
       values ($1, gen_random_uuid(), 'access', 'reader.named', 'cli', 'peer', $2)`,
      [account, about],
    );
  return {
    about,
    write,
    async end(how: 'commit' | 'rollback') {
      await client.query(how);
      await client.end();
    },
  };
}

describe('a pass of the sealer', () => {
  test('gives events the positions 1, 2, 3 in the order in which they happened, and a second pass nothing', async () => {
    const abouts = await appendSome(5);
    expect(await scene.seal()).toEqual({ sealed: 5, failed: 0 });
    expect(await scene.chain(account)).toEqual(sealedInOrder(abouts));
    expect(await scene.seal()).toEqual({ sealed: 0, failed: 0 });
    const more = await appendSome(3);
    expect(await scene.seal()).toEqual({ sealed: 3, failed: 0 });
    expect(await scene.chain(account)).toEqual(sealedInOrder([...abouts, ...more]));
    expect(await verified()).toMatchObject({ verified: 8, unsealed: 0, finding: null });
  });

  test('goes through more events than a page and a turn have, of several accounts', async () => {
    const other = await scene.account('b');
    await scene.appendMany(account, 6_200);
    await scene.appendMany(other, 700);
    expect(await scene.seal()).toEqual({ sealed: 6_900, failed: 0 });
    expect(await verified()).toMatchObject({ verified: 6_200, unsealed: 0, finding: null });
    expect(await verified(other)).toMatchObject({ verified: 700, unsealed: 0, finding: null });
  });

  test('leaves what is not older than an open transaction that wrote, and seals it in order afterwards', async () => {
    const before = await appendSome(2);
    const writer = await openWriter();
    await writer.write();
    const later = await appendSome(2);
    expect(await scene.seal()).toEqual({ sealed: 2, failed: 0 });
    expect(await scene.seal()).toEqual({ sealed: 0, failed: 0 });
    await writer.end('commit');
    expect(await scene.seal()).toEqual({ sealed: 3, failed: 0 });
    expect(await scene.chain(account)).toEqual(sealedInOrder([...before, writer.about, ...later]));
  });

  test('does not wait for an open transaction that has written nothing', async () => {
    const writer = await openWriter();
    const before = await appendSome(2);
    expect(await scene.seal()).toEqual({ sealed: 2, failed: 0 });
    await writer.write();
    await writer.end('commit');
    expect(await scene.seal()).toEqual({ sealed: 1, failed: 0 });
    expect(await scene.chain(account)).toEqual(sealedInOrder([...before, writer.about]));
  });

  test('gives the next position to an event that appears after later ones were sealed: within an hour, once', async () => {
    let later = 0;
    const now = () => performance.now() + later;
    const sealer = createSealer({ store: scene.store, onFailure: () => undefined, now });
    // The service may not see transactions of other roles.
    const writer = await openWriter(scene.adminUrl);
    await writer.write();
    const abouts = await appendSome(2);
    expect(await sealer.pass(signal)).toEqual({ sealed: 2, failed: 0 });
    await writer.end('commit');
    expect(await sealer.pass(signal)).toEqual({ sealed: 0, failed: 0 });
    expect(await verified()).toMatchObject({ verified: 2, unsealed: 1, finding: null });
    later = 3_600_000;
    expect(await sealer.pass(signal)).toEqual({ sealed: 1, failed: 0 });
    expect(await sealer.pass(signal)).toEqual({ sealed: 0, failed: 0 });
    expect(await scene.chain(account)).toEqual(sealedInOrder([...abouts, writer.about]));
    expect(await verified()).toMatchObject({ verified: 3, unsealed: 0, finding: null });
    // It does not take back how far sealing has come.
    const [chain] = await scene.rows(
      'select sealed_until = (select max(occurred_at) from audit_events) as kept from audit_chains',
    );
    expect(chain).toEqual({ kept: true });
  });

  test('seals nothing of a transaction that was rolled back', async () => {
    const writer = await openWriter();
    await writer.write();
    await writer.end('rollback');
    expect(await scene.seal()).toEqual({ sealed: 0, failed: 0 });
  });

  test('goes on with other accounts while one cannot be sealed, however often', async () => {
    const others = [await scene.account('b'), await scene.account('c')];
    await appendSome(2);
    // Somebody gave an event a place that the chain does not know: the first position is taken.
    await scene.rows(
      `update audit_events set chain_position = 1, chain_hash = sha256('x') where ctid = (
         select min(ctid) from audit_events)`,
    );
    for (let pass = 1; pass <= 3; pass += 1) {
      for (const other of others) await scene.append(other);
      expect(await scene.seal()).toEqual({ sealed: 2, failed: 1 });
      expect(scene.failures).toHaveLength(pass);
    }
    for (const other of others) {
      expect(await verified(other)).toMatchObject({ verified: 3, finding: null });
    }
    expect((await verified()).finding).toMatchObject({ fault: 'end_differs', position: 0 });
  });
});

describe('several sealers at once', () => {
  test('seal every event once while others go on writing', async () => {
    const accounts = [account, await scene.account('b'), await scene.account('c')];
    for (const id of accounts) await scene.appendMany(id, 1_500);
    let failed = 0;
    const writing = Promise.all(
      accounts.map(async (id) => {
        for (let n = 0; n < 60; n += 1) await scene.append(id);
      }),
    );
    const sealing = Promise.all(
      Array.from({ length: 4 }, async () => {
        const sealer = createSealer({ store: scene.store, onFailure: () => undefined });
        for (let pass = 0; pass < 8; pass += 1) failed += (await sealer.pass(signal)).failed;
      }),
    );
    await Promise.all([writing, sealing]);
    await scene.seal();
    expect(failed).toBe(0);
    for (const id of accounts) {
      expect(await verified(id)).toMatchObject({ verified: 1_560, unsealed: 0, finding: null });
    }
  });

  test('that do not know of each other do not both continue the same end', async () => {
    await appendSome(4);
    const [first, second] = await scene.rows('select id from audit_events order by occurred_at');
    const sealOne = async (id: unknown): Promise<unknown> => {
      const client = new Client({ connectionString: scene.appUrl });
      await client.connect();
      try {
        await client.query(`select set_config('app.account_id', $1, false)`, [account]);
        const { rows } = await client.query<{ sealed: boolean }>(
          `select seal_audit_events(0, array[$1]::uuid[], array[sha256('x')]) as sealed`,
          [id],
        );
        return rows[0]?.sealed;
      } finally {
        await client.end();
      }
    };
    const answers = await Promise.all([sealOne(first?.['id']), sealOne(second?.['id'])]);
    expect(answers.toSorted()).toEqual([false, true]);
    const places = await scene.chain(account);
    expect(places.filter(({ position }) => position !== null)).toHaveLength(1);
  });
});

describe('a sealer that dies within a page', () => {
  test('leaves nothing half sealed, and the next one goes on from the end of the chain', async () => {
    const abouts = await appendSome(3);
    await scene.seal();
    abouts.push(...(await appendSome(3)));
    await scene.admin.query('begin');
    await scene.admin.query('select from audit_chains for update');
    const pass = scene.seal();
    const held = await eventually(async () => {
      const waiting = await scene.rows(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and usename = 'vouch_app'`,
      );
      return waiting[0];
    });
    await scene.rows('select pg_terminate_backend($1)', [held['pid']]);
    await pass;
    await scene.admin.query('commit');
    expect((await scene.chain(account)).map(({ position }) => position)).toEqual([
      1,
      2,
      3,
      null,
      null,
      null,
    ]);
    await eventually(async () => (await scene.seal()).sealed === 3);
    expect(await scene.chain(account)).toEqual(sealedInOrder(abouts));
    expect(await verified()).toMatchObject({ verified: 6, finding: null });
  });
});

describe('a database that was restored from a logical backup', () => {
  test('is sealed on from where the chain ended, and has the heads of before', async () => {
    const abouts = await appendSome(4);
    await scene.seal();
    const head = (await verified()).head.hash;
    abouts.push(...(await appendSome(2)));

    const restored = await openAuditScene();
    try {
      // What a dump and a restore do with rows: each as text, and nothing of the transactions that wrote them.
      for (const table of ['accounts', 'audit_events', 'audit_chains']) {
        const kept = await scene.rows(`select row_to_json(t)::text as row from ${table} t`);
        for (const { row } of kept) {
          await restored.rows(
            `insert into ${table} select * from json_populate_record(null::${table}, $1)`,
            [row],
          );
        }
      }
      const again = randomUUID();
      await restored.rows(
        `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, resource_id)
         values ($1, gen_random_uuid(), 'access', 'reader.named', 'cli', 'peer', $2)`,
        [account, again],
      );
      expect(await restored.seal()).toEqual({ sealed: 3, failed: 0 });
      expect(await restored.chain(account)).toEqual(sealedInOrder([...abouts, again]));
      const options = { expectedHead: head, signal };
      expect(await createVerifyChain(restored.store)(account, options)).toMatchObject({
        verified: 7,
        finding: null,
      });
    } finally {
      await restored.close();
    }
  });
});

describe('the service', () => {
  const asService = async (
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<unknown> => {
    const client = new Client({ connectionString: scene.appUrl });
    await client.connect();
    try {
      await client.query(`select set_config('app.account_id', $1, false)`, [account]);
      return (await client.query(statement, [...values])).rows[0];
    } finally {
      await client.end();
    }
  };

  test('can change, remove and place no event, and say nothing of the end of a chain', async () => {
    await scene.append(account);
    await scene.seal();
    for (const statement of [
      "update audit_events set action = 'other.done'",
      'update audit_events set chain_position = 7',
      'delete from audit_events',
      'truncate audit_events',
      `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, chain_position, chain_hash)
         values ('${account}', gen_random_uuid(), 'access', 'a.b', 'cli', 'peer', 9, sha256('x'))`,
      `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, occurred_at)
         values ('${account}', gen_random_uuid(), 'access', 'a.b', 'cli', 'peer', now())`,
      'update audit_chains set position = 0',
      'delete from audit_chains',
      `insert into audit_chains (account_id, position, hash) values ('${account}', 0, sha256('x'))`,
    ]) {
      await expect(asService(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('seals events of its account that have no place, at the end of the chain, each with a hash, and no others', async () => {
    const sealIds = (after: number, ids: readonly unknown[], hashes: number) =>
      asService(
        `select seal_audit_events($1, $2::uuid[], array(
           select sha256('x') from generate_series(1, $3::integer))) as sealed`,
        [after, ids, hashes],
      );
    const other = await scene.account('b');
    await scene.append(other);
    await scene.append(account);
    await scene.seal();
    await scene.append(account);
    const [foreign] = await scene.rows('select id from audit_events where account_id = $1', [
      other,
    ]);
    const [sealed, open] = await scene.rows(
      'select id from audit_events where account_id = $1 order by chain_position nulls last',
      [account],
    );
    const message = 'only unsealed events of the account are sealed';
    for (const id of [foreign?.['id'], sealed?.['id'], randomUUID()]) {
      await expect(sealIds(1, [id], 1)).rejects.toMatchObject({ message });
      await expect(sealIds(1, [open?.['id'], id], 2)).rejects.toMatchObject({ message });
    }
    await expect(sealIds(1, [open?.['id'], open?.['id']], 2)).rejects.toMatchObject({ message });
    const counts = 'every event that is sealed has one hash';
    await expect(sealIds(1, [], 0)).rejects.toMatchObject({ message: counts });
    await expect(sealIds(1, [open?.['id']], 2)).rejects.toMatchObject({ message: counts });
    for (const after of [0, 2]) {
      expect(await sealIds(after, [open?.['id']], 1)).toEqual({ sealed: false });
    }
    expect(await scene.seal()).toEqual({ sealed: 1, failed: 0 });
    expect(await verified()).toMatchObject({ verified: 2, finding: null });
  });
});

test('a page whose hashes cannot be made leaves the chain as it was', async () => {
  await appendSome(2);
  const store = new AuditChainStore(scene.pool);
  const page = { after: null, everything: false, limit: 10 };
  const failing = (): never => {
    throw new Error('no hash');
  };
  await expect(store.sealPage(account, page, failing, {})).rejects.toThrow('no hash');
  expect(await verified()).toMatchObject({ verified: 0, unsealed: 2, finding: null });
  await store.sealPage(account, page, (events, end) => hashesAfter(end, events, eventDigest), {});
  expect(await verified()).toMatchObject({ verified: 2, unsealed: 0, finding: null });
});
