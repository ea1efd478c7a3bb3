import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Runtime, type WorkflowBundle } from '@temporalio/worker';
import { v7 as uuid } from 'uuid';
import { mailboxWorkflowId, type Mailbox } from '../../domain/actors/names.ts';
import { createSweep } from '../../runtime/actors/sweep.ts';
import { bundleWorkflows } from '../../runtime/temporal/bundle.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import { HANGS_MS, eventually } from '../support/patience.ts';
import {
  createProcessor,
  openHarness,
  silentLog,
  type CountingProcessor,
  type Harness,
} from './harness.ts';
import { observe } from './observations.ts';

let bundle: WorkflowBundle;
let harness: Harness;
let processor: CountingProcessor;
let mailbox: Mailbox;

beforeAll(async () => {
  installRuntime(silentLog);
  bundle = await bundleWorkflows(silentLog, {
    interceptorModules: [fileURLToPath(new URL('./short-timers.ts', import.meta.url))],
  });
});

afterAll(() => Runtime.instance().shutdown());

beforeEach(async () => {
  harness = await openHarness(bundle);
  processor = createProcessor(harness.db);
  mailbox = { accountId: harness.account.accountId, kind: 'ingest', shard: 0 };
});

afterEach(() => harness.close());

async function observeAndRing(session = 's'): Promise<string> {
  const { messageId } = await observe(harness.db, harness.account, session);
  harness.doorbell.ring(mailbox);
  return messageId;
}

function isDone(messageId: string): Promise<true> {
  return eventually(() => processor.completed.has(messageId));
}

function handle() {
  return harness.client.workflow.getHandle(mailboxWorkflowId(mailbox));
}

/** Ends the actor in the middle of its work. One that rests already is rung again. */
async function terminate(): Promise<void> {
  await eventually(async () => {
    harness.doorbell.ring(mailbox);
    try {
      await handle().terminate();
      return true;
    } catch (error) {
      if (Reflect.get(Object(error), 'name') !== 'WorkflowNotFoundError') throw error;
      return false;
    }
  });
}

/** From here on an actor rests for as long as it does in production: no busy machine sees it close. */
async function withRealTimers(): Promise<void> {
  await harness.close();
  harness = await openHarness(loadWorkflowBundle());
  processor = createProcessor(harness.db);
  mailbox = { accountId: harness.account.accountId, kind: 'ingest', shard: 0 };
}

async function currentDetails(): Promise<string> {
  const metadata = await handle().query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

test('a ring wakes the actor, which drains, and closes when no further ring comes', async () => {
  await harness.startWorker(processor);
  await isDone(await observeAndRing());
  const result: unknown = await handle().result();
  expect(result).toMatchObject({ ok: 1, retry: 0, failed: 0 });
  await isDone(await observeAndRing());
  expect([...processor.completed.values()]).toEqual([1, 1]);
});

test('the sweep rings a mailbox whose doorbell was lost', async () => {
  await harness.startWorker(processor);
  const { messageId } = await observe(harness.db, harness.account, 's');
  const sweep = createSweep({
    actors: harness.actors,
    mailboxes: harness.mailboxes,
    runs: new UndispatchedRunsStore(harness.db),
    starters: new Map(),
    log: silentLog,
    random: Math.random,
    intervalMs: 200,
  });
  sweep.start();
  try {
    await isDone(messageId);
  } finally {
    await sweep.close();
  }
});

test('a ring at the end of a drain is not lost', async () => {
  const lingerMs = 15;
  await harness.startWorker(processor, lingerMs);
  const sent: string[] = [];
  for (let round = 0; round < 150; round += 1) {
    // Timed to fall before, into and after the moment in which the drain says it no longer looks.
    const messageId = await observeAndRing(`s${round % 3}`);
    sent.push(messageId);
    await isDone(messageId);
    await new Promise((resolve) => setTimeout(resolve, (round % 12) * 4));
  }
  expect(sent.map((id) => processor.completed.get(id))).toEqual(sent.map(() => 1));
});

test('two workers on one mailbox complete every message once', async () => {
  await Promise.all([harness.startWorker(processor, 10), harness.startWorker(processor, 10)]);
  const sent: string[] = [];
  for (let n = 0; n < 120; n += 1) {
    sent.push(await observeAndRing(`s${n % 5}`));
    if (n === 60) {
      await terminate();
    }
  }
  // A terminated actor took unanswered signals with it. The sweep, which is not part of this, would ring again.
  await harness.actors.ring(mailbox, 10_000);
  await Promise.all(sent.map((id) => isDone(id)));
  expect(sent.map((id) => processor.completed.get(id))).toEqual(sent.map(() => 1));
});

test('continuing as new loses no signal and keeps labels and totals', async () => {
  await withRealTimers();
  await harness.startWorker(processor, 1);
  const first = await observeAndRing();
  await isDone(first);
  const firstRun = (await handle().describe()).runId;
  const sent: string[] = [first];
  const totals = () => handle().query<{ ok: number; drains: number }>('totals');
  let later = await handle().describe();
  for (let n = 0; n < 250 && later.runId === firstRun; n += 1) {
    const { drains } = await totals();
    const { messageId } = await observe(harness.db, harness.account, 's');
    sent.push(messageId);
    await harness.actors.ring(mailbox, HANGS_MS);
    await isDone(messageId);
    // Rings that come during one drain are one: each is to have its own.
    await eventually(async () => (await totals()).drains > drains);
    later = await handle().describe();
  }
  expect(later.runId).not.toBe(firstRun);
  const labels = later.typedSearchAttributes.getAll().map(({ key }) => key.name);
  expect(labels).toEqual(expect.arrayContaining(['Lane', 'RunKind', 'AccountRef', 'BuildSha']));
  // The last drain may still linger.
  await eventually(async () => (await totals()).ok === sent.length);
  expect((await totals()).drains).toBeGreaterThan(200);
  // The server hands labels on, but not the static summary: the details are the actor's own.
  expect(await currentDetails()).toMatch(/^drains=\d+\/ok=\d+\/retry=0\/failed=0$/);
});

describe('what an operator can do and see', () => {
  beforeEach(withRealTimers);

  test('pausing stops the work of a mailbox, and resuming continues it', async () => {
    await harness.startWorker(processor);
    await isDone(await observeAndRing());
    const updateId = uuid();
    expect(await handle().executeUpdate('setPaused', { args: [true], updateId })).toEqual({
      paused: true,
    });
    // A drain that was begun or only scheduled before the pause ends; none is scheduled after it.
    await eventually(async () => {
      const { pendingActivities } = (await handle().describe()).raw;
      return (pendingActivities ?? []).length === 0;
    });
    const messageId = await observeAndRing();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(processor.completed.has(messageId)).toBe(false);
    await handle().executeUpdate('setPaused', { args: [false] });
    await isDone(messageId);
  });

  test('an update with a wrong argument is refused by code', async () => {
    await harness.startWorker(processor);
    await isDone(await observeAndRing());
    const wrong = handle().executeUpdate('setPaused', { args: [7] });
    await expect(wrong).rejects.toMatchObject({ cause: { message: 'TYPE_REFUSED' } });
    const prose = handle().executeUpdate('setPaused', { args: ['please stop'] });
    await expect(prose).rejects.toThrow('TEXT_REFUSED');
  });

  test('quiescing ends the actor and answers its totals', async () => {
    await harness.startWorker(processor);
    await isDone(await observeAndRing());
    const totals = await handle().executeUpdate('quiesce');
    expect(totals).toMatchObject({ ok: 1 });
    expect(await handle().result()).toMatchObject({ ok: 1 });
  });

  test('asking for its stack trace tells nothing of it', async () => {
    await harness.startWorker(processor);
    await isDone(await observeAndRing());
    expect(await handle().query('__stack_trace')).toBe('withheld');
  });
});
