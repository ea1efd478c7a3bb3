/** Observations that are committed together, on a real Postgres: each has its own outcome. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  recordObservations,
  type NewObservation,
} from '../../../stores/postgres/observations/observations.store.ts';
import { eventually } from '../../support/patience.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { path, Scene } from './scene.ts';

let scene: Scene;
let account: string;
let relay: Caller;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function anAccount(): Promise<void> {
  account = await scene.account();
  relay = await scene.caller(account, { key: 'relay' });
}

const kept = (): Promise<number> =>
  scene.count('select from messages where account_id = $1', [account]);

const transactions = async (): Promise<number> => {
  const rows = await scene.rows(
    'select distinct xmin::text as xmin from messages where account_id = $1',
    [account],
  );
  return rows.length;
};

const settled = (calls: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  Promise.allSettled(calls).then((outcomes) =>
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 'accepted' : String(Reflect.get(outcome.reason, 'code')),
    ),
  );

describe('observations of an account at the same moment', () => {
  test('are few transactions', async () => {
    await anAccount();
    const all = Array.from({ length: 64 }, (_, n) =>
      scene.ingest(relay, {
        peer_key: `p${n % 7}`,
        session_id: `s${n % 5}`,
        content: `I am ${n}.`,
      }),
    );
    expect(new Set(await settled(all))).toEqual(new Set(['accepted']));
    expect(await kept()).toBe(64);
    expect(await transactions()).toBe(1);
  });

  test('each have the rows that they would have alone', async () => {
    const rowsOf = async (together: boolean) => {
      await anAccount();
      const bodies = Array.from({ length: 24 }, (_, n) => ({
        peer_key: n % 4 === 0 ? null : `p${n % 4}`,
        session_id: `s${n % 5}`,
        scope_path: ['/a/b', '/a', '/c/d/e'][n % 3],
        role: n % 6 === 5 ? 'assistant' : 'user',
        content: `I am ${n}.`,
        occurred_at: `2024-05-01T10:00:${10 + n}Z`,
      }));
      if (together) await Promise.all(bodies.map((body) => scene.ingest(relay, body)));
      else for (const body of bodies) await scene.ingest(relay, body);
      return {
        messages: await scene.rows(
          `select m.content, m.role, p.key, p.kind, r.key as relay, s.path, e.external_id, a.status, m.occurred_at,
             (select count(*)::integer from dirty_marks d where d.account_id = $1 and d.unit_id = m.id) as marks,
             (select count(*)::integer from audit_events v where v.account_id = $1 and v.resource_id = m.id
               and v.content_hash <> m.content_hash) as audited
           from messages m join peers p on p.account_id = $1 and p.id = m.speaker_peer_id
             left join peers r on r.account_id = $1 and r.id = m.relay_peer_id
             join scopes s on s.account_id = $1 and s.id = m.scope_id
             join sessions e on e.account_id = $1 and e.id = m.session_id
             join extraction_anchors a on a.account_id = $1 and a.message_id = m.id and a.shard = e.shard
               and a.speaker_peer_id = m.speaker_peer_id and a.scope_id = m.scope_id
           where m.account_id = $1 order by m.recorded_at, m.id`,
          [account],
        ),
        readers: await scene.rows(
          `select s.external_id, o.path, p.key, j.reads_whole_session
           from session_participants j join peers p on p.account_id = $1 and p.id = j.peer_id
             join sessions s on s.account_id = $1 and s.id = j.session_id
             join scopes o on o.account_id = $1 and o.id = j.scope_id
           where j.account_id = $1 order by 1, 2, 3`,
          [account],
        ),
        mailboxes: await scene.count(
          `select from sessions s where s.account_id = $1 and 2 > (
             select count(*) from mailboxes b where b.account_id = $1 and b.shard = s.shard)`,
          [account],
        ),
      };
    };
    const alone = await rowsOf(false);
    expect(alone.messages).toHaveLength(24);
    expect(alone.mailboxes).toBe(0);
    expect(await rowsOf(true)).toEqual(alone);
  });

  test('of a person who is being erased are refused, and of the others accepted', async () => {
    await anAccount();
    await scene.ingest(relay, { peer_key: 'going' });
    await scene.admin.query(
      `update peers set erasing_at = now() where account_id = $1 and key = 'going'`,
      [account],
    );
    const outcomes = await settled(
      ['a', 'going', 'b', 'going', 'c'].map((peer_key) => scene.ingest(relay, { peer_key })),
    );
    expect(outcomes).toEqual(['accepted', 'conflict', 'accepted', 'conflict', 'accepted']);
    expect(await kept()).toBe(4);
  });

  test('with one idempotency key are one observation, or a conflict', async () => {
    await anAccount();
    const options = { idempotencyKey: 'once' };
    const calls = ['tea', 'tea', 'coffee', 'tea'].map((drink) =>
      scene.ingest(relay, { content: `I like ${drink}.` }, options),
    );
    expect(await settled(calls)).toEqual(['accepted', 'accepted', 'conflict', 'accepted']);
    const [first, second] = await Promise.all([calls[0], calls[1]]);
    expect(second).toEqual(first);
    expect(await kept()).toBe(1);
  });

  test('do not use up the idempotency key of one that is refused', async () => {
    await anAccount();
    await scene.ingest(relay, { peer_key: 'going' });
    const erasing = (at: string) =>
      scene.admin.query(
        `update peers set erasing_at = ${at} where account_id = $1 and key = 'going'`,
        [account],
      );
    await erasing('now()');
    const once = () => scene.ingest(relay, { peer_key: 'going' }, { idempotencyKey: 'k' });
    expect(await settled([once(), scene.ingest(relay, {})])).toEqual(['conflict', 'accepted']);
    await erasing('null');
    expect(await settled([once()])).toEqual(['accepted']);
  });

  test('do not wait for one whose speaker another transaction holds', async () => {
    await anAccount();
    await scene.ingest(relay, { peer_key: 'held' });
    await scene.admin.query('begin');
    try {
      await scene.admin.query(
        `select from peers where account_id = $1 and key = 'held' for update`,
        [account],
      );
      const waiting = scene.ingest(relay, { peer_key: 'held' });
      const others = ['a', 'b'].map((peer_key) => scene.ingest(relay, { peer_key }));
      expect(await settled(others)).toEqual(['accepted', 'accepted']);
      expect(await kept()).toBe(3);
      await scene.admin.query('commit');
      expect(await settled([waiting])).toEqual(['accepted']);
    } finally {
      await scene.admin.query('rollback');
    }
  });
});

describe('groups of several processes', () => {
  const observation = (n: number): NewObservation => ({
    credentialId: relay.credentialId,
    callerPeerId: relay.peerId,
    scopePath: path([`/a/b${n % 4}`, `/a-x/b${n % 3}`, '/a', '/c'][n % 4] ?? '/'),
    sessionId: `s${(n * 7) % 10}`,
    namedSpeaker: { key: `p${(n * 11) % 10}`, name: 'somebody', kind: 'human' },
    audience: null,
    role: 'user',
    content: `I am ${n}.`,
    occurredAt: '2024-05-01T10:00:00Z',
    occurredOffsetMinutes: 0,
    traceId: '0'.repeat(32),
    idempotency: null,
  });

  // They wait for each other's locks as long as it takes: a circle of waits would end one of them.
  test('that create the same places in other orders do not wait in a circle', async () => {
    for (let round = 0; round < 8; round += 1) {
      await anAccount();
      const all = Array.from({ length: 30 }, (_, n) => observation(n));
      const groups = [all, all.toReversed(), [...all.slice(15), ...all.slice(0, 15)]];
      await Promise.all(
        groups.map((group) => recordObservations(scene.pool, account, group, null)),
      );
      expect(await kept()).toBe(90);
    }
    const deadlocks = await scene.rows(
      'select deadlocks::integer as n from pg_stat_database where datname = current_database()',
    );
    expect(deadlocks).toEqual([{ n: 0 }]);
  });

  test('whose connections are cut lose nothing that was accepted, and keep nothing twice', async () => {
    await anAccount();
    const send = (n: number) =>
      scene.ingest(relay, { content: `I am ${n}.` }, { idempotencyKey: `k${n}` });
    const cut = async (): Promise<number> => {
      const rows = await scene.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%ingest_observations%'
           and pid <> pg_backend_pid()`,
      );
      return rows.length;
    };
    const ids: string[] = [];
    const sent = (n: number) =>
      eventually(async () => {
        const [outcome] = await Promise.allSettled([send(n)]);
        if (outcome.status === 'fulfilled') ids.push(outcome.value.message_id);
        else expect(outcome.reason).toMatchObject({ code: 'unavailable' });
        return outcome.status === 'fulfilled';
      });
    let cuts = 0;
    for (let next = 0; cuts < 5; next += 100) {
      const all = Promise.all(Array.from({ length: 100 }, (_, index) => sent(next + index)));
      cuts += await cut();
      await all;
    }
    const rows = await scene.rows('select id from messages where account_id = $1 order by id', [
      account,
    ]);
    expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
  });
});
