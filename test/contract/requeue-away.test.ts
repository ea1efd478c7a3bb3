/** Requeue while Temporal is away: reset and not told is 503, and the request may be sent again. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Mailbox } from '../../domain/actors/names.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { requeueExtraction } from '../../operations/extraction/requeue.ts';
import { createActors } from '../../runtime/actors/actors.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { Doorbell } from '../../runtime/actors/doorbell.ts';
import { createRefusingInAccount } from '../../stores/postgres/in-account.ts';
import { Scene } from '../integration/observations/scene.ts';
import { dataOf } from '../support/service.ts';
import { openDoor, type FakeDoor } from '../support/fake-door.ts';
import { refusal } from './answers.ts';

let scene: Scene;
let door: FakeDoor;
let caller: Caller;
let messageId: string;
let isAway = true;
const rung: Mailbox[] = [];
const away = openActorClient({ address: '127.0.0.1:1', namespace: 'vouch', identity: 'test' });

beforeAll(async () => {
  scene = await Scene.open();
  const unreachable = createActors({ client: away, queuePrefix: 'away', buildSha: 'dev' });
  const doorbell = new Doorbell({
    actors: {
      ring: async (mailbox, deadlineMs) => {
        if (isAway) await unreachable.ring(mailbox, deadlineMs);
        else rung.push(mailbox);
      },
    },
    looks: async () => [],
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  door = await openDoor({
    operations: { requeueExtraction },
    environment: { inAccount: createRefusingInAccount(scene.pool), doorbell },
    authenticate: async () => caller,
  });
});
afterAll(async () => {
  await door.close();
  await away.connection.close();
  await scene.close();
});

beforeEach(async () => {
  isAway = true;
  rung.length = 0;
  const accountId = await scene.account();
  caller = await scene.caller(accountId, { key: 'boss', role: 'account_admin' });
  messageId = (await scene.ingest(caller, {})).message_id;
  await becomes('terminal');
});

async function becomes(status: 'terminal' | 'completed'): Promise<void> {
  await scene.admin.query(
    `update extraction_anchors set status = $2::extraction_status, attempt_count = 3,
       last_error_class = case $2 when 'terminal' then 'provider_content_filtered'::error_class end,
       completed_at = case $2 when 'completed' then now() end
     where message_id = $1`,
    [messageId, status],
  );
}

const anchor = async () =>
  (
    await scene.rows(
      'select status, attempt_count, requeue_token from extraction_anchors where message_id = $1',
      [messageId],
    )
  )[0];

const requeue = (headers: Readonly<Record<string, string>> = {}) => {
  const path = `/api/v1/operations/ingest/${messageId}/requeue`;
  return door.call({ method: 'POST', path, token: 'any', headers });
};

test('a requeue while Temporal is away is 503 and keeps its reset; the next request gets its run', async () => {
  const unheard = await requeue();
  expect(refusal(unheard)).toEqual([503, 'unavailable']);
  expect(Number(unheard.headers['retry-after'])).toBeGreaterThan(0);
  const reset = await anchor();
  expect(reset).toMatchObject({ status: 'pending', attempt_count: 0 });
  expect(refusal(await requeue())).toEqual([503, 'unavailable']);

  isAway = false;
  const heard = await requeue();
  expect(heard.status).toBe(202);
  expect(dataOf(heard)['run_id']).toBe(reset?.['requeue_token']);
  expect(rung).toEqual([
    { accountId: caller.accountId, kind: 'ingest', shard: expect.any(Number) },
  ]);
  // Heard: from now on a request speaks for itself.
  expect(refusal(await requeue())).toEqual([409, 'conflict']);
  const audited = await scene.rows(
    `select id from audit_events where action = 'extraction.requeued' and resource_id = $1`,
    [messageId],
  );
  expect(audited).toHaveLength(1);
});

test.each(['completed', 'terminal'] as const)(
  'a repeated requeue gets the same run when the observation became %s meanwhile',
  async (status) => {
    await requeue();
    const runId = (await anchor())?.['requeue_token'];
    await becomes(status);
    isAway = false;
    const heard = await requeue();
    expect([heard.status, dataOf(heard)['run_id']]).toEqual([202, runId]);
    // What is done is not done again; what was given up again is.
    const expected = status === 'completed' ? 'completed' : 'pending';
    expect(await anchor()).toMatchObject({ status: expected, requeue_token: null });
  },
);

test('an idempotency key does not keep the 503 as its answer', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  expect(refusal(await requeue(headers))).toEqual([503, 'unavailable']);
  const runId = (await anchor())?.['requeue_token'];
  expect(refusal(await requeue(headers))).toEqual([503, 'unavailable']);
  isAway = false;
  for (let n = 0; n < 2; n += 1) {
    const heard = await requeue(headers);
    expect([heard.status, dataOf(heard)['run_id']]).toEqual([202, runId]);
  }
  expect(rung).toHaveLength(1);
});
