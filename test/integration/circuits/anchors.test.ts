/** What an extractor's circuit means for the anchors of its account: until when they wait, and what wakes them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { CircuitKey, CircuitStore } from '../../../domain/models/circuit.ts';
import { ModelFailure } from '../../../domain/models/error-class.ts';
import {
  createExtractionPipeline,
  type BatchProcessor,
} from '../../../engine/extraction/pipeline.ts';
import { createAnchorStore } from '../../../stores/postgres/anchors.store.ts';
import { createCircuitStore } from '../../../stores/postgres/circuits.store.ts';
import { isDatabaseAway } from '../../../stores/postgres/errors.ts';
import { createKnowledgeCommitStore } from '../../../stores/postgres/knowledge-commit.store.ts';
import { drain, drainOnce } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';

const RULES = { failures: 1, openMs: 3_600_000 };
const PROBE_MS = 7_200_000;

let scene: Scene;
let circuits: CircuitStore;
let accountId: string;
let key: CircuitKey;

beforeAll(async () => {
  scene = await Scene.open();
  circuits = createCircuitStore(scene.pool);
});
afterAll(() => scene.close());
beforeEach(async () => {
  accountId = await scene.account();
  key = { accountId, role: 'ingest_extractor', provider: 'openai-compatible', model: 'tiny:1b' };
});

async function observe(count: number, account = accountId): Promise<void> {
  const agent = await scene.caller(account, { key: `agent-${uuidv7()}` });
  for (let n = 0; n < count; n += 1) {
    await scene.ingest(agent, { session_id: `s${n}`, content: `I saw number ${n}.` });
  }
}

/** Every extraction ends with this failure, after `meanwhile`. */
function failing(failure: ModelFailure, meanwhile = () => Promise.resolve()): BatchProcessor {
  const fail = async (): Promise<never> => {
    await meanwhile();
    throw failure;
  };
  return createExtractionPipeline({
    anchors: createAnchorStore(scene.pool),
    store: createKnowledgeCommitStore(scene.pool),
    gateway: { extract: fail, extractBatch: fail },
    indexer: { indexStatements: () => Promise.resolve('acknowledged') },
    ring: () => {},
    isDatabaseAway,
    report: () => {},
    newId: () => uuidv7(),
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
}

async function anchors(account = accountId): Promise<Anchor[]> {
  const { rows } = await scene.admin.query<Anchor>(
    `select a.status, a.last_error_class, a.attempt_count, a.batch_id, a.shard,
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

describe('an anchor that was kept back', () => {
  test('is due at the end of the open time, with no attempt and no batch', async () => {
    await observe(3);
    await circuits.failed(key, null, RULES);
    expect(await drain(scene, accountId, failing(keptBack(RULES.openMs)))).toMatchObject({
      retry: 3,
    });
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

  test('is due within a second when the circuit closed before its commit', async () => {
    await observe(1);
    const probe = await openAndProbe();
    const closing = async () => void (await circuits.answered(key, probe));
    expect(await drainOnce(scene, accountId, failing(keptBack(PROBE_MS), closing))).toMatchObject({
      retry: 1,
    });
    const [anchor] = await anchors();
    expect(anchor).toMatchObject({ status: 'failed', last_error_class: 'circuit_open' });
    expect(anchor?.due_in).toBeLessThanOrEqual(1);
  });
});

describe('an anchor whose own call failed', () => {
  test('waits no longer than the circuit that the failure opened', async () => {
    await observe(1);
    await scene.admin.query(
      'update extraction_anchors set attempt_count = 20 where account_id = $1',
      [accountId],
    );
    await circuits.failed(key, null, { ...RULES, openMs: 10_000 });
    await drainOnce(scene, accountId, failing(new ModelFailure('transport_error')));
    expect(await anchors()).toMatchObject([{ attempt_count: 21, after_circuit: 0 }]);
  });

  test('waits its own time when that is shorter, or when no circuit keeps calls back', async () => {
    await observe(1);
    await circuits.failed(key, null, RULES);
    await drainOnce(scene, accountId, failing(new ModelFailure('transport_error')));
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
  /** Failed anchors that wait an hour. */
  async function waiting(account: string): Promise<void> {
    await observe(6, account);
    await scene.admin.query(
      `update extraction_anchors set status = 'failed', last_error_class = 'request_timeout',
         available_at = clock_timestamp() + interval '2 hours' where account_id = $1`,
      [account],
    );
  }

  test('that closes makes every failed anchor of its account due and names their mailboxes', async () => {
    const probe = await openAndProbe();
    const other = await scene.account();
    await waiting(other);
    await waiting(accountId);
    await scene.admin.query(
      `update extraction_anchors set status = 'repairable', last_error_class = 'model_not_found'
       where message_id = (select min(message_id::text)::uuid from extraction_anchors where account_id = $1)`,
      [accountId],
    );
    const closed = await circuits.answered(key, probe);
    const due = (await anchors()).filter(({ due_in }) => due_in <= 0);
    expect(due).toHaveLength(5);
    expect(due.every(({ status }) => status === 'failed')).toBe(true);
    const shards = [...new Set(due.map(({ shard }) => shard))].toSorted();
    expect(closed?.mailboxes.map(({ shard }) => shard).toSorted()).toEqual(shards);
    expect(closed?.mailboxes[0]).toMatchObject({ accountId, kind: 'ingest' });
    expect((await anchors(other)).every(({ due_in }) => due_in > 3_600)).toBe(true);
  });

  test('whose probe fails lets nobody wait beyond its new time', async () => {
    const probe = await openAndProbe();
    await waiting(accountId);
    const again = await circuits.failed(key, probe, RULES);
    expect(again?.reading.state).toBe('open');
    expect((await anchors()).map(({ after_circuit }) => after_circuit)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('of another role moves no anchor', async () => {
    await waiting(accountId);
    const embedder = { ...key, role: 'embedder' } as const;
    await circuits.failed(embedder, null, { ...RULES, openMs: 0 });
    const taken = await circuits.takeProbe(embedder, PROBE_MS);
    const closed = await circuits.answered(embedder, taken?.probe ?? null);
    expect(closed).toMatchObject({ reading: { state: 'closed' }, mailboxes: [] });
    expect((await anchors()).every(({ due_in }) => due_in > 3_600)).toBe(true);
  });
});

/** The closing of a circuit and a commit of what it kept back, at the same moment. */
test('no anchor is left waiting by a circuit that closes while its commit is under way', async () => {
  for (let round = 0; round < 8; round += 1) {
    accountId = await scene.account();
    key = { ...key, accountId };
    await observe(4);
    const probe = await openAndProbe();
    const [done] = await Promise.all([
      drainOnce(scene, accountId, failing(keptBack(PROBE_MS))),
      // The commit comes about 100 ms after the last extraction.
      new Promise((resolve) => setTimeout(resolve, 80 + round * 10)).then(() =>
        circuits.answered(key, probe),
      ),
    ]);
    expect(done.retry).toBe(4);
    expect((await anchors()).filter(({ due_in }) => due_in > 1)).toEqual([]);
  }
});
