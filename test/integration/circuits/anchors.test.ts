/** What an extractor's circuit means for the anchors of its account: until when they wait, and what wakes them. */
import { TEST_SECRET_KEY } from '../../support/database.ts';
import { holdKeysBy } from '../../../runtime/container/forgetting.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { CircuitKey, CircuitStore } from '../../../domain/models/circuit.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import {
  createExtractionPipeline,
  type BatchProcessor,
} from '../../../engine/extraction/pipeline.ts';
import { AnchorsStore } from '../../../stores/postgres/observations/anchors.store.ts';
import { CircuitsStore } from '../../../stores/postgres/models/circuits.store.ts';
import { isDatabaseGone } from '../../../stores/postgres/errors.ts';
import { KnowledgeCommitStore } from '../../../stores/postgres/knowledge/commit.store.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { SHARDS, drain, drainOnce } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';

const RULES = { failures: 1, openMs: 3_600_000 };
const PROBE_MS = 7_200_000;

let scene: Scene;
let circuits: CircuitStore;
let mailboxes: MailboxesStore;
let accountId: string;
let key: CircuitKey;

beforeAll(async () => {
  scene = await Scene.open();
  circuits = new CircuitsStore(scene.pool);
  mailboxes = new MailboxesStore(scene.pool);
});
afterAll(() => scene.close());
beforeEach(async () => {
  accountId = await scene.account();
  key = { accountId, role: 'ingest_extractor', provider: 'openai-compatible', model: 'tiny:1b' };
});

/** In sessions of their own unless all go to one mailbox; answers how one is asked for. */
async function observe(count: number, account = accountId, session?: string) {
  const agent = await scene.caller(account, { key: `agent-${uuidv7()}` });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const session_id = session ?? `s${n}`;
    const content = `I saw number ${n}.`;
    ids.push((await scene.ingest(agent, { session_id, content })).message_id);
  }
  return { ids, statuses: () => Promise.all(ids.map((id) => scene.status(agent, id))) };
}

/** Does the work once, however often and by how many at a time it is asked for. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | null = null;
  return async () => void (await (done ??= work()));
}

/** Every extraction ends with this failure, after `meanwhile`. */
function failing(failure: ModelFailure, meanwhile = () => Promise.resolve()): BatchProcessor {
  const fail = async (): Promise<never> => {
    await meanwhile();
    throw failure;
  };
  return createExtractionPipeline({
    anchors: new AnchorsStore(scene.pool),
    store: new KnowledgeCommitStore(scene.pool),
    gateway: { extract: fail, extractBatch: fail },
    indexer: { indexStatements: () => Promise.resolve('acknowledged') },
    ring: () => {},
    isDatabaseGone,
    report: () => {},
    newId: () => uuidv7(),
    holdKeysOf: holdKeysBy(TEST_SECRET_KEY),
  });
}

const keptBack = (retryAfterMs: number) => new ModelFailure('circuit_open', { retryAfterMs });

interface Anchor {
  readonly status: string;
  readonly last_error_class: string;
  readonly attempt_count: number;
  readonly batch_id: string | null;
  /** Seconds. */
  readonly due_in: number;
  /** Seconds from the end of the circuit's time to when the anchor is due. */
  readonly after_circuit: number | null;
  readonly shard: number;
  /** It failed before its circuit closed. */
  readonly is_woken: boolean;
}

async function anchors(account = accountId): Promise<Anchor[]> {
  const { rows } = await scene.admin.query<Anchor>(
    `select a.status, a.last_error_class, a.attempt_count, a.batch_id, a.shard,
       coalesce(a.failed_at < c.closed_at, false) as is_woken,
       extract(epoch from a.available_at - clock_timestamp())::float8 as due_in,
       extract(epoch from a.available_at - c.blocked_until)::float8 as after_circuit
     from extraction_anchors a left join provider_circuits c
       on c.account_id = a.account_id and c.role = 'ingest_extractor'
     where a.account_id = $1`,
    [account],
  );
  return rows;
}

async function openAndProbe(): Promise<string> {
  await circuits.failed(key, null, { ...RULES, openMs: 0 });
  const taken = await circuits.takeProbe(key, PROBE_MS);
  if (taken === null) throw new Error('no probe');
  return taken.probe;
}

/** Which version of its row each anchor is: nothing writes it while this stays. */
function versions(account = accountId) {
  return scene.rows(
    'select message_id, xmin::text from extraction_anchors where account_id = $1 order by 1',
    [account],
  );
}

/** What a drain of each mailbox would take now. */
async function takeable(account = accountId): Promise<number> {
  let taken = 0;
  for (const shard of SHARDS) {
    const mailbox = { accountId: account, kind: 'ingest', shard } as const;
    const { epoch } = await mailboxes.openDrain(mailbox);
    taken += (await mailboxes.takeAnchors(mailbox, epoch, 50)).length;
    await mailboxes.releaseHolds(mailbox, epoch);
  }
  return taken;
}

describe('an anchor that an open circuit kept back', () => {
  test('is due at the end of the open time, with no attempt and no batch', async () => {
    await observe(3, accountId, 's');
    const opening = once(() => circuits.failed(key, null, RULES));
    const processor = failing(keptBack(RULES.openMs), opening);
    expect(await drain(scene, accountId, processor)).toMatchObject({ retry: 3 });
    const found = await anchors();
    expect(found).toHaveLength(3);
    for (const anchor of found) {
      expect(anchor).toMatchObject({
        status: 'failed',
        last_error_class: 'circuit_open',
        attempt_count: 0,
        batch_id: null,
        after_circuit: 0,
      });
    }
    expect(
      await scene.count('select from provider_attempts where account_id = $1', [accountId]),
    ).toBe(0);
  });

  test('in its mailbox is neither taken nor written, and its status shows circuit_open and its due time', async () => {
    const { statuses } = await observe(3);
    await circuits.failed(key, null, RULES);
    const before = await versions();
    const processor = failing(keptBack(RULES.openMs));
    expect(await drain(scene, accountId, processor)).toMatchObject({ retry: 0, ok: 0 });
    expect(await versions()).toEqual(before);
    const [circuit] = await scene.rows(
      `select (extract(epoch from blocked_until) * 1000)::float8 as until from provider_circuits
       where account_id = $1`,
      [accountId],
    );
    for (const status of await statuses()) {
      expect(status).toMatchObject({
        status: 'failed',
        last_error_class: 'circuit_open',
        attempt_count: 0,
      });
      expect(Date.parse(status.next_attempt_at ?? '')).toBe(Math.floor(Number(circuit?.['until'])));
    }
    const counted = await new ReadinessStore(scene.pool).anchors();
    expect(
      counted.some(({ status, due, total }) => status === 'failed' && !due && total >= 3),
    ).toBe(true);
    for (const shard of SHARDS) {
      const mailbox = { accountId, kind: 'ingest', shard } as const;
      const due = await mailboxes.nextDueInMs(mailbox, 1_000);
      if (due !== null) expect(due).toBeGreaterThan(RULES.openMs - HANGS_MS);
      expect(await mailboxes.withWork([mailbox])).toEqual([]);
    }
  });

  test('is due within a second when the circuit closed before its commit', async () => {
    await observe(1);
    const closing = once(async () => circuits.answered(key, await openAndProbe()));
    expect(await drainOnce(scene, accountId, failing(keptBack(PROBE_MS), closing))).toMatchObject({
      retry: 1,
    });
    const [anchor] = await anchors();
    expect(anchor).toMatchObject({ status: 'failed', last_error_class: 'circuit_open' });
    expect(anchor?.due_in).toBeLessThanOrEqual(1);
  });

  test('is taken as a probe, one at a time; anchors that never failed go first', async () => {
    await observe(4, accountId, 's');
    const [failedBefore] = (await versions()).map((row) => row['message_id']);
    await scene.admin.query(
      `update extraction_anchors set status = 'failed', last_error_class = 'request_timeout', failed_at = now()
       where message_id = $1`,
      [failedBefore],
    );
    await circuits.failed(key, null, { ...RULES, openMs: 0 });
    const probing = new MailboxesStore(scene.pool, key);
    const shard = Number((await anchors())[0]?.shard);
    const mailbox = { accountId, kind: 'ingest', shard } as const;
    const { epoch } = await probing.openDrain(mailbox);
    const taken = await probing.takeAnchors(mailbox, epoch, 50);
    expect(taken).toHaveLength(1);
    expect(taken[0]?.messageId).not.toBe(failedBefore);
    // Another provider's circuit, left from before a change of settings, bounds nothing.
    const changed = new MailboxesStore(scene.pool, { ...key, model: 'another' });
    expect(await changed.takeAnchors(mailbox, epoch, 50)).toHaveLength(3);
  });
});

describe('an anchor whose own call failed', () => {
  test('waits no longer than the circuit that the failure opened', async () => {
    await observe(1);
    await scene.admin.query(
      'update extraction_anchors set attempt_count = 20 where account_id = $1',
      [accountId],
    );
    const opening = once(() => circuits.failed(key, null, { ...RULES, openMs: 10_000 }));
    await drainOnce(scene, accountId, failing(new ModelFailure('transport_error'), opening));
    expect(await anchors()).toMatchObject([{ attempt_count: 21, after_circuit: 0 }]);
  });

  test('waits its own time when that is shorter, or when no circuit keeps calls back', async () => {
    await observe(1);
    const opening = once(() => circuits.failed(key, null, RULES));
    await drainOnce(scene, accountId, failing(new ModelFailure('transport_error'), opening));
    const [shorter] = await anchors();
    expect(shorter?.due_in).toBeLessThanOrEqual(1);

    const other = await scene.account();
    await observe(1, other);
    await drainOnce(scene, other, failing(new ModelFailure('transport_error')));
    const [alone] = await anchors(other);
    expect(alone).toMatchObject({ attempt_count: 1, after_circuit: null });
    expect(alone?.due_in).toBeLessThanOrEqual(1);
  });
});

describe('a circuit', () => {
  /** Failed anchors that wait two hours. */
  async function waiting(account: string) {
    const observed = await observe(6, account);
    await scene.admin.query(
      `update extraction_anchors set status = 'failed', last_error_class = 'request_timeout',
         failed_at = clock_timestamp(), available_at = clock_timestamp() + interval '2 hours'
       where account_id = $1`,
      [account],
    );
    return observed;
  }

  test('that closes makes every failed anchor of its account due without writing it, and names the mailboxes', async () => {
    const probe = await openAndProbe();
    const other = await scene.account();
    await waiting(other);
    const { ids, statuses } = await waiting(accountId);
    await scene.admin.query(
      `update extraction_anchors set status = 'repairable', last_error_class = 'model_not_found'
       where message_id = $1`,
      [ids[0]],
    );
    const before = await versions();
    const closed = await circuits.answered(key, probe);
    expect(await versions()).toEqual(before);
    const due = (await anchors()).filter(({ status }) => status === 'failed');
    const shards = [...new Set(due.map(({ shard }) => shard))].toSorted();
    expect(closed?.mailboxes.map(({ shard }) => shard).toSorted()).toEqual(shards);
    expect(closed?.mailboxes[0]).toMatchObject({ accountId, kind: 'ingest' });
    expect(await mailboxes.withWork(closed?.mailboxes ?? [])).toHaveLength(shards.length);
    for (const mailbox of closed?.mailboxes ?? []) {
      expect(await mailboxes.nextDueInMs(mailbox, 1_000)).toBe(0);
    }
    for (const { next_attempt_at: next } of (await statuses()).slice(1)) {
      expect(Date.parse(next ?? '')).toBeLessThanOrEqual(Date.now());
    }
    expect(await takeable()).toBe(5);
    expect(await takeable(other)).toBe(0);
  });

  test('whose probe fails lets no anchor wait beyond its new open time', async () => {
    const probe = await openAndProbe();
    const { statuses } = await waiting(accountId);
    const again = await circuits.failed(key, probe, { ...RULES, openMs: 60_000 });
    expect(again?.reading.state).toBe('open');
    for (const { next_attempt_at: next } of await statuses()) {
      expect(Date.parse(next ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
    }
    expect(await takeable()).toBe(0);
    await scene.admin.query(
      `update provider_circuits set blocked_until = clock_timestamp() where account_id = $1`,
      [accountId],
    );
    expect(await takeable()).toBe(6);
  });

  test('of another role neither keeps back nor wakes an anchor', async () => {
    await waiting(accountId);
    const embedder = { ...key, role: 'embedder' } as const;
    await circuits.failed(embedder, null, { ...RULES, openMs: 0 });
    const taken = await circuits.takeProbe(embedder, PROBE_MS);
    const closed = await circuits.answered(embedder, taken?.probe ?? null);
    expect(closed).toMatchObject({ reading: { state: 'closed' }, mailboxes: [] });
    expect(await takeable()).toBe(0);
  });
});

/** The closing of a circuit and a commit of what it kept back, at the same moment. */
test('no anchor is left waiting by a circuit that closes while its commit is under way', async () => {
  for (let round = 0; round < 8; round += 1) {
    accountId = await scene.account();
    key = { ...key, accountId };
    await observe(4, accountId, 's');
    const opened = Promise.withResolvers<string>();
    const opening = once(async () => opened.resolve(await openAndProbe()));
    const closing = async (): Promise<void> => {
      const probe = await opened.promise;
      // The commit comes about 100 ms after the last extraction.
      await new Promise((resolve) => setTimeout(resolve, 80 + round * 10));
      await circuits.answered(key, probe);
    };
    const processor = failing(keptBack(PROBE_MS), opening);
    const [done] = await Promise.all([drainOnce(scene, accountId, processor), closing()]);
    expect(done.retry).toBe(4);
    const late = (await anchors()).filter(({ due_in, is_woken }) => due_in > 1 && !is_woken);
    expect(late).toEqual([]);
  }
});
