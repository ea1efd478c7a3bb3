import { waitUntilSettled } from '../../../operations/observations/settlement-waiter.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { eventually } from '../../support/patience.ts';
import { drain, literalExtractor, pipeline } from '../extraction/scene.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const work = (account: string) =>
  drain(scene, account, pipeline(scene, { extract: literalExtractor }));
const NOT_FOUND = { code: 'not_found' };

describe('the status of an observation', () => {
  test('is visible to speaker, participants, relay, curators and admins only', async () => {
    const account = await scene.account();
    const relay = await scene.caller(account, { key: 'relay' });
    const alice = await scene.caller(account, { key: 'alice', kind: 'human' });
    const bob = await scene.caller(account, { key: 'bob', kind: 'human' });
    const late = await scene.caller(account, { key: 'late', kind: 'human' });
    const outsider = await scene.caller(account, { key: 'outsider' });
    const curator = await scene.caller(account, { key: 'curator', role: 'curator' });
    const elsewhere = await scene.caller(account, {
      key: 'elsewhere',
      role: 'curator',
      at: '/other',
    });
    const nobody = await scene.caller(account, { key: null });
    const nameless = await scene.caller(account, { key: null, role: 'account_admin' });

    await scene.ingest(relay, { peer_key: 'bob' });
    const { message_id } = await scene.ingest(relay, { peer_key: 'alice' });
    await scene.ingest(late, {});
    for (const caller of [relay, alice, bob, curator, nameless]) {
      expect(await scene.status(caller, message_id)).toMatchObject({
        message_id,
        status: 'pending',
      });
    }
    for (const caller of [late, outsider, elsewhere, nobody]) {
      await expect(scene.status(caller, message_id)).rejects.toMatchObject(NOT_FOUND);
    }
    const { message_id: after } = await scene.ingest(relay, { peer_key: 'alice' });
    expect(await scene.status(late, after)).toMatchObject({ status: 'pending' });
  });

  test('needs a role at the scope: a deny hides it from its own speaker', async () => {
    const account = await scene.account();
    const alice = await scene.caller(account, { key: 'alice', kind: 'human' });
    const { message_id } = await scene.ingest(alice, {});
    const [grant] = alice.grants;
    if (grant === undefined) throw new Error('no grant');
    const denied = { ...alice, grants: [grant, { ...grant, effect: 'deny' as const }] };
    await expect(scene.status(denied, message_id)).rejects.toMatchObject(NOT_FOUND);
  });

  test('of another account is answered like a random id', async () => {
    const mine = await scene.caller(await scene.account(), { key: 'a', role: 'account_admin' });
    const theirs = await scene.caller(await scene.account(), { key: 'a' });
    const { message_id } = await scene.ingest(theirs, {});
    const refusals = await Promise.all(
      [message_id, uuidv7()].map((id) => scene.status(mine, id).catch((error: unknown) => error)),
    );
    expect(refusals[0]).toMatchObject(NOT_FOUND);
    expect(JSON.stringify(refusals[0])).toBe(JSON.stringify(refusals[1]));
  });

  test('lists what the caller may read, and only the sources it may read', async () => {
    const account = await scene.account();
    const relay = await scene.caller(account, { key: 'relay' });
    const other = await scene.caller(account, { key: 'other' });
    const alice = await scene.caller(account, { key: 'alice', kind: 'human' });
    const curator = await scene.caller(account, { key: 'curator', role: 'curator' });
    await scene.ingest(relay, { peer_key: 'bob', session_id: 'x', content: 'Hello.' });
    const first = await scene.ingest(relay, {
      peer_key: 'alice',
      session_id: 'x',
      content: 'I like tea.',
    });
    const second = await scene.ingest(other, {
      peer_key: 'alice',
      session_id: 'y',
      content: 'I like tea!',
    });
    const held = await scene.ingest(relay, {
      peer_key: 'alice',
      session_id: 'x',
      content: 'level=scope I like rain.',
    });
    expect((await scene.status(relay, first.message_id)).knowledge).toEqual([]);
    await work(account);

    const [seen] = (await scene.status(relay, first.message_id)).knowledge;
    expect(seen).toMatchObject({
      statement: 'I like tea.',
      state: 'provisional',
      source_message_ids: [first.message_id],
      source_count: 2,
    });
    const [own] = (await scene.status(alice, second.message_id)).knowledge;
    expect(own?.source_message_ids).toHaveLength(2);
    // Provisional is for its submitters; held is for the review queue.
    expect((await scene.status(curator, first.message_id)).knowledge).toEqual([]);
    expect((await scene.status(relay, held.message_id)).knowledge).toEqual([]);
  });

  test('hides a statement once it has expired', async () => {
    const account = await scene.account();
    const relay = await scene.caller(account, { key: 'relay' });
    const { message_id } = await scene.ingest(relay, { peer_key: 'alice', content: 'I like tea.' });
    await work(account);
    expect((await scene.status(relay, message_id)).knowledge).toHaveLength(1);
    await scene.rows(
      `update knowledge set expires_at = now() - interval '1 second' where account_id = $1`,
      [account],
    );
    expect((await scene.status(relay, message_id)).knowledge).toEqual([]);
  });
});

describe('waiting', () => {
  test('ends as soon as extraction is settled', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const { message_id } = await scene.ingest(agent, { content: 'I like tea.' });
    // A wait that missed the end would last the hour.
    const { signal } = new AbortController();
    const isSettled = () => scene.environment.isSettled(account, message_id);
    const waiting = waitUntilSettled(isSettled, 3_600_000, signal);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await work(account);
    await waiting;
    const status = await scene.status(agent, message_id, 10_000);
    expect(status.status).toBe('completed');
    expect(status.knowledge).toHaveLength(1);
  });

  test('answers with the current status when the time is up or the client has left', async () => {
    const agent = await scene.caller(await scene.account(), { key: 'agent' });
    const { message_id } = await scene.ingest(agent, {});
    const started = performance.now();
    expect((await scene.status(agent, message_id, 200)).status).toBe('pending');
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
    const leaving = AbortSignal.timeout(50);
    const waits = [leaving, new AbortController().signal].map(async (signal) => {
      const { status } = await scene.status(agent, message_id, 10_000, { signal });
      return [status, signal.aborted];
    });
    expect(await Promise.race(waits)).toEqual(['pending', true]);
    await Promise.all(waits);
  });

  test('serves forty waiters at once', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => (await scene.ingest(agent, {})).message_id),
    );
    const settled = (id: string) =>
      eventually(async () => {
        const { status } = await scene.status(agent, id, 5_000);
        return status !== 'pending' && status;
      });
    const waiting = Promise.all(ids.map(settled));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await work(account);
    expect(await waiting).toEqual(ids.map(() => 'completed'));
  });
});
