import { waitUntilSettled } from '../../../operations/observations/settlement-waiter.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

describe('the status of an observation', () => {
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
    const { nextSettlement } = scene.environment;
    const isSettled = () => scene.environment.isSettled(account, message_id);
    const waiting = waitUntilSettled(
      { caller: agent, nextSettlement, signal },
      isSettled,
      3_600_000,
    );
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
