/** The flow of an ingest drain, on a mailbox and a processor in memory. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runDrain, type DrainParts } from '../../../activities/drain.ts';
import { IngestFlow } from '../../../activities/ingest-flow.ts';
import type { HoldRoom } from '../../../domain/extraction/holds.ts';
import { unitsOfText } from '../../../engine/demand.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import type { HeldAnchorRow } from '../../../stores/postgres/actors/holds.ts';

const ACCOUNT = '01890000-0000-7000-8000-000000000001';
const INPUT = { accountId: ACCOUNT, shard: 0, maxMs: 55_000, maxUnits: 2_000 };

function anchor(messageId: string): HeldAnchorRow {
  return {
    messageId,
    sessionId: `session of ${messageId}`,
    scopeId: 'scope',
    attemptCount: 1,
    extractedAt: null,
    traceId: 'trace',
    isChunk: false,
    failed: false,
    lostHolds: 0,
    bytes: 10,
  };
}

/** What waits, what is held, and what was settled. Work on `slow` ones ends when the test says so. */
class Scene {
  waiting: string[] = [];
  readonly held = new Set<string>();
  readonly settled: string[] = [];
  readonly rooms: HoldRoom[] = [];
  readonly slow = new Map<string, PromiseWithResolvers<void>>();
  released = 0;
  /** How long a look for anchors takes, in milliseconds. */
  lookMs = 0;
  /** Units of work that accounts are said to have brought. */
  readonly brought = new Map<string, number>();
  readonly demand = {
    brings: (account: string, units: number) =>
      void this.brought.set(account, (this.brought.get(account) ?? 0) + units),
  };
  work: (messageId: string) => Promise<void> = async (id) => this.slow.get(id)?.promise;

  readonly stopping = new AbortController();
  readonly mailboxes = {
    takeAnchors: async (_mailbox: unknown, _epoch: number, room: HoldRoom | number) => {
      if (typeof room === 'number') throw new TypeError('a flow says what it has room for');
      this.rooms.push(room);
      const { lookMs } = this;
      if (lookMs > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
      const isBusy = (id: string): boolean => room.busySessions.includes(`session of ${id}`);
      const ids = this.waiting.filter((id) => !isBusy(id)).slice(0, room.anchors);
      this.waiting = this.waiting.filter((id) => !ids.includes(id));
      for (const id of ids) this.held.add(id);
      return ids.map(anchor);
    },
    releaseHolds: async () => {
      this.released += this.held.size;
      this.waiting.push(...this.held);
      this.held.clear();
      return 0;
    },
    nextDueInMs: async () => (this.waiting.length > 0 ? 0 : null),
    openDrain: async () => ({ epoch: 1, paused: false }),
    refreshAwake: async () => 'current' as const,
    closeDrain: async () => {},
  };
  readonly watcher = {
    waitForWork: (_mailbox: unknown, ms: number, signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        const timer = setInterval(() => this.waiting.length > 0 && end(true), 5);
        const limit = setTimeout(() => end(false), ms);
        const end = (found: boolean): void => {
          clearInterval(timer);
          clearTimeout(limit);
          signal.removeEventListener('abort', stop);
          resolve(found);
        };
        const stop = (): void => end(false);
        if (signal.aborted) end(false);
        else signal.addEventListener('abort', stop, { once: true });
      }),
  };
  readonly processor: BatchProcessor = {
    process: async ({ anchors }, signal, _stopping, settled) => {
      await Promise.all(
        anchors.map(async ({ messageId }) => {
          await this.work(messageId);
          signal.throwIfAborted();
          this.held.delete(messageId);
          this.settled.push(messageId);
          settled?.([messageId]);
        }),
      );
      return { ok: anchors.length, retry: 0, failed: 0, fenced: 0 };
    },
  };

  hold(...ids: readonly string[]): void {
    for (const id of ids) this.slow.set(id, Promise.withResolvers());
  }

  drain(parts: Partial<DrainParts> = {}, input: Partial<typeof INPUT> = {}) {
    const { mailboxes, processor, watcher, stopping } = this;
    return runDrain(
      'ingest',
      { ...INPUT, ...input },
      {
        mailboxes,
        watcher,
        stopping: stopping.signal,
        cancelled: new AbortController().signal,
        heartbeat() {},
        work: (epoch) =>
          new IngestFlow(
            { mailboxes, processor, watcher, stopping: stopping.signal, demand: this.demand },
            { accountId: ACCOUNT, kind: 'ingest', shard: 0 },
            epoch,
          ),
        onError() {},
        batchSize: 100,
        lingerMs: 10,
        ...parts,
      },
    );
  }
}

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a drain', () => {
  test('goes on taking anchors while an anchor takes long', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow', ...names('a', 150)];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.settled).toHaveLength(150);
    scene.waiting = names('late', 3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.settled.slice(150)).toEqual(names('late', 3));
    expect([...scene.held]).toEqual(['slow']);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await report).toMatchObject({ ok: 154, more: false });
  });

  test('takes nothing of the sessions that it holds', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow'];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(100);
    scene.waiting = ['next'];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.rooms.at(-1)?.busySessions).toContain('session of slow');
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    await report;
  });

  test('does not look when a batch ends and nothing is said to wait', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow'];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(100);
    scene.waiting = ['quick'];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.settled).toEqual(['quick']);
    expect(scene.rooms).toHaveLength(2);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    await report;
  });

  test('looks for what waits in a session that it holds once that session is free', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow'];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(100);
    scene.waiting = ['slow'];
    await jest.advanceTimersByTimeAsync(100);
    expect(scene.rooms).toHaveLength(2);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(20);
    expect(scene.settled).toEqual(['slow', 'slow']);
    await jest.advanceTimersByTimeAsync(1_000);
    await report;
  });

  test('rests after a look, the longer the longer it took, so that on a busy machine each finds more', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.lookMs = 40;
    scene.waiting = ['slow'];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(10);
    scene.waiting = ['next'];
    await jest.advanceTimersByTimeAsync(100);
    expect(scene.rooms).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(60);
    expect(scene.rooms).toHaveLength(2);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(2_000);
    await report;
  });

  test('never holds more anchors than its room allows', async () => {
    const scene = new Scene();
    const all = names('slow', 300);
    scene.hold(...all);
    scene.waiting = [...all];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.held.size).toBe(100);
    for (const id of all) scene.slow.get(id)?.resolve();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await report).toMatchObject({ ok: 300 });
  });

  test('reports the load of its account by the length of the texts', async () => {
    const scene = new Scene();
    scene.waiting = names('a', 20);
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(1_000);
    await report;
    expect([...scene.brought.keys()]).toEqual([ACCOUNT]);
    expect(scene.brought.get(ACCOUNT)).toBeCloseTo(20 * unitsOfText(10));
  });

  test('past its limits goes on with other anchors beside a long call', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow'];
    const report = scene.drain({ goesOnForMs: 1_800_000 });
    await jest.advanceTimersByTimeAsync(80_000);
    scene.waiting = names('late', 3);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(scene.settled).toEqual(names('late', 3));
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await report).toMatchObject({ ok: 4, more: false });
  });

  test('past its limits ends once nothing is under way', async () => {
    const scene = new Scene();
    scene.waiting = names('a', 12);
    const report = scene.drain({}, { maxUnits: 5 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await report).toMatchObject({ ok: 5, more: true, nextDueInMs: 0 });
  });

  test('that is stopped takes nothing more, waits for calls under way, and gives back the rest', async () => {
    const scene = new Scene();
    scene.hold('slow');
    scene.waiting = ['slow'];
    const report = scene.drain();
    await jest.advanceTimersByTimeAsync(100);
    scene.stopping.abort();
    scene.waiting = ['late'];
    await jest.advanceTimersByTimeAsync(30_000);
    expect(scene.settled).toEqual([]);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await report).toMatchObject({ ok: 1, more: true });
  });

  test('that fails first ends calls under way, and gives their anchors back', async () => {
    const scene = new Scene();
    const gone = new Error('the database is gone');
    scene.hold('slow');
    const { work } = scene;
    scene.work = (id) => (id === 'broken' ? Promise.reject(gone) : work(id));
    scene.waiting = ['slow'];
    const report = expect(scene.drain()).rejects.toBe(gone);
    await jest.advanceTimersByTimeAsync(100);
    scene.waiting = ['broken'];
    await jest.advanceTimersByTimeAsync(100);
    scene.slow.get('slow')?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    await report;
    expect(scene.settled).toEqual([]);
    expect(scene.released).toBe(2);
  });
});
