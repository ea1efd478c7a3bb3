/** Neighbours of a session in one call: who is asked about together, and what becomes of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { BatchingParameters } from '../../../domain/extraction/batching.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import {
  extractionMaterial,
  startStubOpenAi,
  type StubBehaviour,
  type StubOpenAi,
} from '../../support/stub-openai.ts';
import { Scene } from '../observations/scene.ts';
import {
  anchorsWith,
  drain,
  drainOnce,
  pipeline,
  statements,
  type PipelineOptions,
} from './scene.ts';

let scene: Scene;
let stub: StubOpenAi;
let account: string;
let agent: Caller;
let since: number;
beforeAll(async () => {
  scene = await Scene.open();
  stub = await startStubOpenAi();
});
afterAll(async () => {
  await stub.close();
  await scene.close();
});
beforeEach(async () => {
  account = await scene.account();
  agent = await scene.caller(account, { key: 'agent' });
  since = stub.requests.length;
});

const BATCHING: BatchingParameters = { anchors: 4, tokens: 12_000 };
const extractor = (options: PipelineOptions = {}) =>
  pipeline(scene, { endpoint: stub.baseUrl, batching: BATCHING, ...options });

/** Alice says it, through the agent, unless another caller or speaker is named. */
async function say(
  content: string,
  more: Readonly<Record<string, unknown>> = {},
  caller: Caller = agent,
): Promise<string> {
  const speaker = caller === agent ? { peer_key: 'alice' } : {};
  return (await scene.ingest(caller, { ...speaker, content, ...more })).message_id;
}

async function sayAll(...contents: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) ids.push(await say(content));
  return ids;
}

/** The anchors of each request to the provider, by their text. */
const calls = () =>
  stub.requests
    .slice(since)
    .map(({ body }) => extractionMaterial(body).map(({ anchor_message: { text } }) => text));

const anchorRow = z.object({
  status: z.string(),
  attempts: z.number(),
  errorClass: z.string().nullable(),
  batchId: z.string().nullable(),
});

/** In the order of the ids. */
async function anchors(ids: readonly string[]): Promise<z.infer<typeof anchorRow>[]> {
  const rows = await scene.rows(
    `select status, attempt_count::integer as attempts, last_error_class as "errorClass",
       batch_id as "batchId" from extraction_anchors where message_id = any($1)
     order by array_position($1, message_id)`,
    [ids],
  );
  return z.array(anchorRow).length(ids.length).parse(rows);
}

const dueNow = () =>
  scene.rows('update extraction_anchors set available_at = now() where account_id = $1', [account]);

/** Completed anchors without exactly one batch that has ledger rows naming them, or outputs of another one. */
const unreconciled = () =>
  scene.rows(
    `select a.message_id from extraction_anchors a
     where a.account_id = $1 and a.status = 'completed' and a.attempt_count > 0
       and (not exists (select from provider_attempts p where p.account_id = a.account_id
           and p.batch_id = a.batch_id and a.message_id = any(p.anchor_message_ids) and p.state = 'success')
         or exists (select from run_outputs o where o.account_id = a.account_id
           and o.message_id = a.message_id and o.batch_id is distinct from a.batch_id))`,
    [account],
  );

describe('neighbours of a session', () => {
  test('share calls in their order, and each anchor has its batch, its attempt and its statements', async () => {
    const contents = Array.from({ length: 10 }, (_, n) => `I own ${n} boats.`);
    const ids = await sayAll(...contents);
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 10, retry: 0, failed: 0 });
    expect(calls()).toEqual([contents.slice(0, 4), contents.slice(4, 8), contents.slice(8)]);

    const rows = await anchors(ids);
    expect(rows.every(({ status, attempts }) => status === 'completed' && attempts === 1)).toBe(
      true,
    );
    const ledger = await scene.rows(
      `select batch_id, anchor_message_ids, claim_epoch from provider_attempts
       where account_id = $1 order by id`,
      [account],
    );
    expect(ledger.map((row) => row['anchor_message_ids'])).toEqual([
      ids.slice(0, 4),
      ids.slice(4, 8),
      ids.slice(8),
    ]);
    expect(rows.map(({ batchId }) => batchId)).toEqual(
      ledger.flatMap((row) => (row['anchor_message_ids'] as string[]).map(() => row['batch_id'])),
    );
    expect(new Set(ledger.map((row) => row['batch_id'])).size).toBe(3);
    expect(await unreconciled()).toEqual([]);
    const sources = await scene.rows(
      'select knowledge_id, message_id from provenance where account_id = $1',
      [account],
    );
    expect(sources.map((row) => row['message_id']).toSorted()).toEqual(ids.toSorted());
    expect(await statements(scene, account)).toHaveLength(10);
  });

  test('are extracted in one call each when batching is off', async () => {
    await sayAll('I own a boat.', 'I own a car.');
    await drain(scene, account, pipeline(scene, { endpoint: stub.baseUrl }));
    expect(calls()).toEqual([['I own a boat.'], ['I own a car.']]);
  });

  test('share no call with another session or scope', async () => {
    await say('I own a boat.');
    await say('I own a car.', { session_id: 's2' });
    await say('I own a bike.', { scope_path: '/team/inner' });
    await say('I own a sled.', { scope_path: '/team/inner' });
    await drain(scene, account, extractor());
    expect(calls().toSorted()).toEqual([
      ['I own a bike.', 'I own a sled.'],
      ['I own a boat.'],
      ['I own a car.'],
    ]);
  });

  test('are shown with the assistant turns between them, which are never extracted themselves', async () => {
    await say('I own a boat.');
    await say('Which colour?', { role: 'assistant', peer_key: 'agent' });
    await say('Red.');
    await drain(scene, account, extractor());
    expect(calls()).toEqual([['I own a boat.', 'Red.']]);
    const [, red] = extractionMaterial(stub.requests.at(-1)?.body ?? {});
    expect(red?.earlier_messages.map(({ text }) => text)).toEqual([
      'I own a boat.',
      'Which colour?',
    ]);
  });

  test('are not sent to the extractor again once their statements were committed', async () => {
    const [first] = await sayAll('I own a boat.', 'I own a car.');
    const away = Object.assign(new Error('killed here'), { code: '57P01' });
    const killed = extractor({ index: () => Promise.reject(away) });
    await expect(drain(scene, account, killed)).rejects.toThrow('killed here');
    expect(await anchors([first ?? ''])).toMatchObject([{ status: 'pending', attempts: 1 }]);
    await sayAll('I own a bike.', 'I own a sled.');
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 4 });
    expect(calls()).toEqual([
      ['I own a boat.', 'I own a car.'],
      ['I own a bike.', 'I own a sled.'],
    ]);
    expect(await unreconciled()).toEqual([]);
  });
});

describe('a speaker who joins a session late', () => {
  test('shares no call that shows messages from before the speaker joined', async () => {
    const ann = await scene.caller(account, { key: 'ann', kind: 'human' });
    const early = ['I own a boat.', 'I own a car.', 'My door code is secret.'];
    await sayAll(...early);
    // Ann joins by posting: she reads nothing of what was recorded before.
    await say('I own a bike.', {}, ann);
    for (let n = 0; n < 4; n += 1) {
      await say(`I own ${n} sleds.`);
      await say(`I own ${n} carts.`, {}, ann);
    }
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 12 });

    const annAnchors = calls().flatMap((texts) => texts.filter((text) => /bike|carts/.test(text)));
    expect(annAnchors).toHaveLength(5);
    for (const { body } of stub.requests.slice(since)) {
      const documents = extractionMaterial(body);
      const isAnns = documents.some(({ anchor_message: { speaker_key } }) => speaker_key === 'ann');
      const sent = JSON.stringify(body['messages']);
      if (isAnns) expect(early.filter((text) => sent.includes(text))).toEqual([]);
    }
    // The others of the session go on sharing theirs, and so does she once nothing older is shown.
    expect(calls()[0]).toEqual(early);
    expect(
      calls().some(
        (texts) =>
          texts.some((text) => /sleds/.test(text)) && texts.some((text) => /carts/.test(text)),
      ),
    ).toBe(true);
  });

  test('but may read the whole session shares calls with the others', async () => {
    await say('I own a boat.');
    await say('I own a car.', { peer_key: 'bob' });
    await drain(scene, account, extractor());
    expect(calls()).toEqual([['I own a boat.', 'I own a car.']]);
  });

  test('is recognised by which messages the database says each peer may read', async () => {
    const ann = await scene.caller(account, { key: 'ann', kind: 'human' });
    const before = await say('I own a boat.');
    const own = await say('I own a bike.', {}, ann);
    const after = await say('I own a car.');
    const seen: Record<string, readonly string[]> = {};
    const reading = extractor({
      around: (parts) => ({
        ...parts,
        anchors: anchorsWith(parts.anchors, {
          load: async (...given) => {
            const rows = await parts.anchors.load(...given);
            for (const { peer_id, message_ids } of rows.readers) seen[peer_id] = message_ids;
            return rows;
          },
        }),
      }),
    });
    await drain(scene, account, reading);
    expect(seen[ann.peerId ?? '']?.toSorted()).toEqual([own, after].toSorted());
    expect(
      Object.values(seen)
        .map((ids) => ids.length)
        .toSorted(),
    ).toEqual([2, 3]);
    expect(Object.values(seen).find((ids) => ids.length === 3)).toContain(before);
  });
});

describe('in a call for several anchors', () => {
  const THREE = ['I own a boat.', 'I own a car.', 'I own a bike.'] as const;
  const entry = (id: string | undefined, ...found: readonly unknown[]) => ({
    anchor_id: id,
    statements: found,
  });

  test('an anchor that every answer leaves out is terminal, and the others are completed', async () => {
    const ids = await sayAll(...THREE);
    const partial: StubBehaviour = { kind: 'answers', answers: [entry(ids[0]), entry(ids[2])] };
    stub.script(partial, partial, partial);
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 2, failed: 1 });
    expect(calls()).toEqual([[...THREE], ['I own a car.'], ['I own a car.']]);
    expect((await anchors(ids))[1]).toMatchObject({
      status: 'terminal',
      attempts: 1,
      errorClass: 'structured_validation_failed',
    });
    expect(await unreconciled()).toEqual([]);
  });

  test.each([
    [{ kind: 'filtered' }, 'terminal', 'provider_content_filtered'],
    [{ kind: 'truncated' }, 'repairable', 'provider_output_truncated'],
    [{ kind: 'status', status: 413 }, 'repairable', 'source_too_large'],
  ] as const)(
    'an anchor that fails by %j fails alone: each anchor of the call is extracted again by itself',
    async (how, status, errorClass) => {
      const ids = await sayAll(...THREE);
      const events: unknown[] = [];
      const report = (event: string, fields: object): void => void events.push([event, fields]);
      stub.script(how, { kind: 'default' }, how, { kind: 'default' });
      const processor = extractor({ around: (parts) => ({ ...parts, report }) });
      expect(await drain(scene, account, processor)).toMatchObject({ ok: 2, failed: 1 });
      expect(calls()).toEqual([[...THREE], ...THREE.map((text) => [text])]);
      const rows = await anchors(ids);
      expect(rows.map((row) => row.status)).toEqual(['completed', status, 'completed']);
      expect(rows[1]).toMatchObject({ errorClass, attempts: 1 });
      // A batch of its own for each, and one for the call that failed for all.
      expect(new Set(rows.map(({ batchId }) => batchId)).size).toBe(3);
      expect(
        await scene.count('select from provider_attempts where account_id = $1', [account]),
      ).toBe(4);
      expect(await unreconciled()).toEqual([]);
      expect(events).toEqual([
        ['extraction.batch_split', { anchors: 3 }],
        ['extraction.failed', { class: errorClass }],
      ]);
    },
  );

  test('a transient failure costs each anchor one attempt, and they share a call again', async () => {
    const ids = await sayAll(...THREE);
    stub.script({ kind: 'status', status: 503 });
    expect(await drainOnce(scene, account, extractor())).toMatchObject({ retry: 3 });
    for (const row of await anchors(ids)) {
      expect(row).toMatchObject({
        status: 'failed',
        attempts: 1,
        errorClass: 'provider_upstream_error',
      });
    }
    await dueNow();
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 3 });
    expect(calls()).toEqual([[...THREE], [...THREE]]);
    const rows = await anchors(ids);
    expect(rows.map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
    expect(await unreconciled()).toEqual([]);
  });

  test('a transient failure that repeats splits the call, so that the other anchors complete', async () => {
    const ids = await sayAll(...THREE);
    const down: StubBehaviour = { kind: 'status', status: 500 };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      stub.script(down);
      await dueNow();
      await drainOnce(scene, account, extractor());
    }
    stub.script(down);
    await dueNow();
    expect(await drainOnce(scene, account, extractor())).toMatchObject({ ok: 2, retry: 1 });
    expect(calls().slice(-3)).toEqual(THREE.map((text) => [text]));
    expect((await anchors(ids))[0]).toMatchObject({ status: 'failed', attempts: 4 });
  });

  test('anchors that the circuit keeps back have no attempt and no batch', async () => {
    const ids = await sayAll(...THREE);
    const blocked = new ModelFailure('circuit_open', { retryAfterMs: 5_000 });
    const processor = extractor({
      around: (parts) => ({
        ...parts,
        gateway: { ...parts.gateway, extractBatch: () => Promise.reject(blocked) },
      }),
    });
    expect(await drainOnce(scene, account, processor)).toMatchObject({ retry: 3 });
    for (const row of await anchors(ids)) {
      expect(row).toMatchObject({ status: 'failed', attempts: 0, batchId: null });
    }
  });

  test('a cancelled call keeps every hold and fails no anchor', async () => {
    const ids = await sayAll(...THREE);
    const [row] = await scene.rows('select shard from extraction_anchors where message_id = $1', [
      ids[0],
    ]);
    const shard = Number(row?.['shard']);
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const mailboxes = new MailboxesStore(scene.pool);
    const { epoch } = await mailboxes.openDrain(mailbox);
    const taken = await mailboxes.takeAnchors(mailbox, epoch, 10);
    const controller = new AbortController();
    stub.script({ kind: 'hang' });
    const asked = stub.requests.length;
    const work = extractor().process(
      { accountId: account, shard, epoch, anchors: taken },
      controller.signal,
    );
    while (stub.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await work;
    for (const row of await anchors(ids)) expect(row).toMatchObject({ status: 'pending' });
    const held = 'select from extraction_anchors where account_id = $1 and claim_epoch = $2';
    expect(await scene.count(held, [account, epoch])).toBe(3);
    expect(
      await scene.rows(
        'select state, cardinality(anchor_message_ids) as n from provider_attempts where account_id = $1',
        [account],
      ),
    ).toEqual([{ state: 'cancelled', n: 3 }]);
    await mailboxes.releaseHolds(mailbox, epoch);
    for (const row of await anchors(ids)) expect(row).toMatchObject({ attempts: 0 });
  });

  test('a lost database connection ends the batch, and the anchors are not extracted one by one', async () => {
    const ids = await sayAll(...THREE);
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const failing = extractor({
      around: (parts) => ({
        ...parts,
        gateway: { ...parts.gateway, extractBatch: () => Promise.reject(away) },
      }),
    });
    await expect(drain(scene, account, failing)).rejects.toBe(away);
    expect(calls()).toEqual([]);
    for (const row of await anchors(ids)) expect(row).toMatchObject({ status: 'pending' });
    expect(await drain(scene, account, extractor())).toMatchObject({ ok: 3 });
    for (const row of await anchors(ids)) expect(row).toMatchObject({ attempts: 1 });
  });
});
