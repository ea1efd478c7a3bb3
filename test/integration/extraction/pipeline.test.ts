import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { unitsOfStatements } from '../../../engine/demand.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { Scene } from '../observations/scene.ts';
import {
  candidate,
  drain,
  drainOnce,
  drainShard,
  literalExtractor,
  pipeline,
  statements,
} from './scene.ts';

let scene: Scene;
let account: string;
let agent: Caller;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  account = await scene.account();
  agent = await scene.caller(account, { key: 'agent' });
});

async function anchorOf(messageId: string) {
  const [row] = await scene.rows('select * from extraction_anchors where message_id = $1', [
    messageId,
  ]);
  if (row === undefined) throw new Error('no anchor');
  return row;
}

describe('an extracted observation', () => {
  test('is counted as work of its account by the statements that it yields', async () => {
    const brought: [string, number][] = [];
    const demand = {
      brings: (accountId: string, units: number) => void brought.push([accountId, units]),
    };
    await scene.ingest(agent, { content: 'A list of many.' });
    const processor = pipeline(scene, {
      extract: (request) =>
        Array.from({ length: 20 }, (_, n) => candidate(request, { statement: `Fact ${n}.` })),
      around: (parts) => ({ ...parts, demand }),
    });
    await drain(scene, account, processor);
    expect(brought).toEqual([[account, unitsOfStatements(20)]]);
  });

  test('becomes a provisional statement with sources, submitters, belief, decisions and marks', async () => {
    const { message_id } = await scene.ingest(agent, {
      peer_key: 'alice',
      content: 'I live in Bergen.',
      occurred_at: '2024-03-01T10:00:00Z',
    });
    expect(await drain(scene, account)).toMatchObject({ ok: 1, retry: 0, failed: 0, fenced: 0 });

    const status = await scene.status(agent, message_id);
    expect(status).toMatchObject({ status: 'completed', attempt_count: 1, last_error_class: null });
    expect(status.knowledge).toHaveLength(1);
    const [row] = status.knowledge;
    expect(row).toMatchObject({
      state: 'provisional',
      verification: 'pending_human',
      target_level: 'peer',
      evidence_level: 'direct',
      corroboration_count: 1,
      source_message_ids: [message_id],
      extracting_provider: 'deterministic',
    });
    const id = row?.id;
    const counted = (table: string, also = 'true') =>
      scene.count(`select from ${table} where knowledge_id = $1 and ${also}`, [id]);
    expect(await counted('knowledge_submitters')).toBe(2);
    expect(await counted('belief_periods', 'believed_until is null')).toBe(1);
    expect(await counted('gate_decisions')).toBe(2);
    expect(await counted('lifecycle_events')).toBe(1);
    expect(await counted('run_outputs')).toBe(1);
    expect(await counted('review_items', "kind = 'gate_a_b' and state = 'pending'")).toBe(1);
    expect(await scene.count('select from dirty_marks where unit_id = $1', [id])).toBe(2);
    expect(await scene.count('select from audit_events where resource_id = $1', [id])).toBe(1);
    const [attempt] = await scene.rows(
      'select state, metered, batch_id, mailbox_shard from provider_attempts where $1 = any(anchor_message_ids)',
      [message_id],
    );
    const anchor = await anchorOf(message_id);
    expect(attempt).toMatchObject({
      state: 'success',
      metered: true,
      batch_id: anchor['batch_id'],
      mailbox_shard: anchor['shard'],
    });
    expect(anchor).toMatchObject({ candidate_count: 1, claim_epoch: null });
  });

  test.each(['assistant', 'system', 'tool', 'Assistant'])(
    'said in the role %s is no evidence, and completes without an attempt',
    async (role) => {
      const { message_id } = await scene.ingest(agent, { role, content: 'I live in Bergen.' });
      await drain(scene, account);
      expect(await anchorOf(message_id)).toMatchObject({
        status: 'completed',
        candidate_count: 0,
        attempt_count: 0,
      });
      expect(await statements(scene, account)).toEqual([]);
    },
  );

  test('of an agent that relayed it is never about that agent', async () => {
    await scene.ingest(agent, { content: 'Taking notes now.', role: 'assistant' });
    await scene.ingest(agent, {
      peer_key: 'alice',
      content: 'about=agent The agent lives in Oslo.',
    });
    await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
    expect(await statements(scene, account)).toEqual([]);
  });

  test('is seen with the five messages before it that its speaker could read', async () => {
    const ann = await scene.caller(account, { key: 'ann', kind: 'human' });
    for (let n = 0; n < 7; n += 1) {
      const occurred_at = `2024-01-01T00:0${n}:00Z`;
      await scene.ingest(agent, { peer_key: 'alice', content: `Turn ${n}.`, occurred_at });
    }
    // Ann joins by posting: she reads nothing of what was recorded before.
    await scene.ingest(ann, { content: 'Hello.', occurred_at: '2024-01-01T00:10:00Z' });
    const windows = new Map<string, string[]>();
    const extract = (request: Parameters<typeof literalExtractor>[0]) => {
      windows.set(
        request.anchor.content,
        request.window.map(({ content }) => content),
      );
      return [];
    };
    await drain(scene, account, pipeline(scene, { extract }));
    expect(windows.get('Turn 6.')).toEqual(['Turn 1.', 'Turn 2.', 'Turn 3.', 'Turn 4.', 'Turn 5.']);
    expect(windows.get('Turn 0.')).toEqual([]);
    expect(windows.get('Hello.')).toEqual([]);
  });

  test('is seen with what was said to all, and with what was said to its own audience as far as its speaker reads that', async () => {
    const windows = new Map<string, string[]>();
    const extract = (request: Parameters<typeof literalExtractor>[0]) => {
      windows.set(
        request.anchor.content,
        request.window.map(({ content }) => content),
      );
      return [];
    };
    const turns = [
      ['alice', 'To all.', null],
      ['alice', 'To bo.', ['bo']],
      ['alice', 'To bo again.', ['bo']],
      ['bo', 'From bo to bo.', ['bo']],
      ['cleo', 'From cleo to bo.', ['bo']],
      ['alice', 'To cleo.', ['cleo']],
      ['alice', 'To all again.', null],
    ] as const;
    for (const [nth, [peer_key, content, peers]] of turns.entries()) {
      const occurred_at = `2024-01-01T00:0${nth}:00Z`;
      const audience = peers && { peers };
      await scene.ingest(agent, { peer_key, content, occurred_at, audience });
    }
    await drain(scene, account, pipeline(scene, { extract }));
    expect(Object.fromEntries(windows)).toEqual({
      'To all.': [],
      'To bo.': ['To all.'],
      'To bo again.': ['To all.', 'To bo.'],
      'From bo to bo.': ['To all.', 'To bo.', 'To bo again.'],
      'From cleo to bo.': ['To all.'],
      'To cleo.': ['To all.'],
      'To all again.': ['To all.'],
    });
  });
});

describe('a failed extraction', () => {
  const failing = (failure: Error) =>
    pipeline(scene, {
      extract: () => {
        throw failure;
      },
    });

  test('of a transient class waits a second, then two, and keeps its observation', async () => {
    const { message_id } = await scene.ingest(agent, {});
    for (const [attempts, seconds] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      await scene.rows('update extraction_anchors set available_at = now() where message_id = $1', [
        message_id,
      ]);
      const before = Date.now();
      expect(
        await drainOnce(scene, account, failing(new ModelFailure('transport_error'))),
      ).toMatchObject({ retry: 1 });
      const after = Date.now();
      const status = await scene.status(agent, message_id);
      expect(status).toMatchObject({
        status: 'failed',
        attempt_count: attempts,
        last_error_class: 'transport_error',
      });
      const next = Date.parse(status.next_attempt_at ?? '');
      expect(next).toBeGreaterThan(before + (seconds - 1) * 1000);
      expect(next).toBeLessThanOrEqual(after + seconds * 1000 + 1);
    }
    await scene.rows('update extraction_anchors set available_at = now() where message_id = $1', [
      message_id,
    ]);
    await drain(scene, account);
    expect(await scene.status(agent, message_id)).toMatchObject({
      status: 'completed',
      attempt_count: 4,
      last_error_class: null,
      next_attempt_at: null,
    });
  });

  test('by a defect is internal_error and tried again', async () => {
    const { message_id } = await scene.ingest(agent, {});
    await drain(scene, account, failing(new TypeError('a defect')));
    expect(await anchorOf(message_id)).toMatchObject({
      status: 'failed',
      last_error_class: 'internal_error',
    });
  });

  test('leaves the other anchors of its batch alone, also when its rows cannot be written', async () => {
    const ids = [];
    for (const content of ['I like tea.', 'I like coffee.', 'I like milk.']) {
      ids.push((await scene.ingest(agent, { content })).message_id);
    }
    const extract = (request: Parameters<typeof literalExtractor>[0]) => [
      candidate(request, {
        statement: request.anchor.content,
        // A time that Postgres cannot read.
        ...(request.anchor.content.includes('coffee')
          ? { relevantFrom: { at: '2024-99-01T00:00:00.000Z', precision: 'day' as const } }
          : {}),
      }),
    ];
    expect(await drain(scene, account, pipeline(scene, { extract }))).toMatchObject({
      ok: 2,
      retry: 1,
    });
    expect((await anchorOf(ids[1] ?? ''))['last_error_class']).toBe('internal_error');
    expect(await statements(scene, account)).toHaveLength(2);
  });
});

describe('the fence', () => {
  test('does not let a superseded drain write', async () => {
    const { message_id } = await scene.ingest(agent, {});
    const { shard: found } = await anchorOf(message_id);
    const shard = Number(found);
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const mailboxes = new MailboxesStore(scene.pool);
    const { epoch } = await mailboxes.openDrain(mailbox);
    const anchors = await mailboxes.takeAnchors(mailbox, epoch, 10);

    // While the first drain asks its model, a second takes over and finishes.
    const overtaken = pipeline(scene, {
      extract: (request) => [candidate(request, { statement: 'Written by a zombie.' })],
    });
    await drainShard(scene, account, shard);
    const signal = new AbortController().signal;
    expect(await overtaken.process({ accountId: account, shard, epoch, anchors }, signal)).toEqual({
      ok: 0,
      retry: 0,
      failed: 0,
      fenced: 1,
    });
    const found2 = await statements(scene, account);
    expect(found2.map((row) => row['statement'])).not.toContain('Written by a zombie.');
    expect(found2).toHaveLength(1);
  });

  test('also holds between loading and committing', async () => {
    const { message_id } = await scene.ingest(agent, {});
    const shard = Number((await anchorOf(message_id))['shard']);
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const mailboxes = new MailboxesStore(scene.pool);
    const { epoch } = await mailboxes.openDrain(mailbox);
    const anchors = await mailboxes.takeAnchors(mailbox, epoch, 10);
    let overtake: Promise<unknown> = Promise.resolve();
    const processor = pipeline(scene, {
      extract: (request) => {
        overtake = scene.rows(
          'update extraction_anchors set claim_epoch = claim_epoch + 1 where account_id = $1',
          [account],
        );
        return [candidate(request, { statement: 'Too late.' })];
      },
    });
    // The ledger's last entry, a round trip after the extraction, lets the other drain win.
    const report = await processor.process(
      { accountId: account, shard, epoch, anchors },
      new AbortController().signal,
    );
    await overtake;
    expect(report).toMatchObject({ ok: 0, fenced: 1 });
    expect(await statements(scene, account)).toEqual([]);
  });

  test('a database that goes away during a call ends the batch and costs no attempt', async () => {
    const { message_id } = await scene.ingest(agent, {});
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const failing = pipeline(scene, {
      around: (parts) => ({
        ...parts,
        gateway: { ...parts.gateway, extract: () => Promise.reject(away) },
      }),
    });
    await expect(drain(scene, account, failing)).rejects.toBe(away);
    expect(await anchorOf(message_id)).toMatchObject({ status: 'pending', last_error_class: null });
    await drain(scene, account, pipeline(scene));
    expect(await anchorOf(message_id)).toMatchObject({ status: 'completed', attempt_count: 1 });
  });

  test('an anchor whose statements were committed before is only indexed and completed', async () => {
    const { message_id } = await scene.ingest(agent, {});
    const killed = Object.assign(new Error('killed here'), { code: '57P01' });
    const crash = pipeline(scene, { index: () => Promise.reject(killed) });
    await expect(drain(scene, account, crash)).rejects.toThrow('killed here');
    const between = await anchorOf(message_id);
    expect(between).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(between['extracted_at']).not.toBeNull();

    const indexed: string[][] = [];
    const resumed = pipeline(scene, {
      extract: () => {
        throw new Error('asked twice');
      },
      index: () => {
        indexed.push([]);
        return Promise.resolve('acknowledged');
      },
    });
    expect(await drain(scene, account, resumed)).toMatchObject({ ok: 1 });
    expect(indexed).toHaveLength(1);
    expect(await anchorOf(message_id)).toMatchObject({ status: 'completed', attempt_count: 1 });
    expect(await statements(scene, account)).toHaveLength(1);
  });

  test('an anchor completes although the index is overdue', async () => {
    const { message_id } = await scene.ingest(agent, {});
    await drain(scene, account, pipeline(scene, { index: () => Promise.resolve('overdue') }));
    expect((await scene.status(agent, message_id)).status).toBe('completed');
  });

  test('an aborted batch keeps its holds and fails no anchor', async () => {
    const { message_id } = await scene.ingest(agent, {});
    const shard = Number((await anchorOf(message_id))['shard']);
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const mailboxes = new MailboxesStore(scene.pool);
    const { epoch } = await mailboxes.openDrain(mailbox);
    const anchors = await mailboxes.takeAnchors(mailbox, epoch, 10);
    const batch = { accountId: account, shard, epoch, anchors };
    await pipeline(scene).process(batch, AbortSignal.abort());
    expect(await anchorOf(message_id)).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      claim_epoch: String(epoch),
    });
    await mailboxes.releaseHolds(mailbox, epoch);
    expect(await anchorOf(message_id)).toMatchObject({ attempt_count: 0, unsettled_attempts: 0 });
  });
});
