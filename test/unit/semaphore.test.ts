import { describe, expect, jest, test } from '@jest/globals';
import { createDemand } from '../../engine/demand.ts';
import { createSemaphore, type Shares } from '../../engine/semaphore.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is let go, in the order in which it began. */
function scene(limit: number, shares?: Shares) {
  const semaphore = createSemaphore(limit, shares);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, key: string, signal = never) =>
    semaphore.run(
      signal,
      () =>
        new Promise<void>((resolve) => {
          begun.push(name);
          ends.set(name, resolve);
        }),
      key,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };
  return { run, begun, end };
}

describe('a caller that waits for a slot', () => {
  test('is served by turns of the accounts, however many of one wait', async () => {
    const { run, begun, end } = scene(1);
    for (let n = 0; n < 5; n += 1) void run(`a${n}`, 'a');
    void run('b0', 'b');
    void run('c0', 'c');
    await turn();
    for (const name of ['a0', 'a1', 'b0', 'c0', 'a2']) await end(name);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'a3']);
  });

  test('finds slots that one account may not take alone', async () => {
    const { run, begun, end } = scene(4, { mostOfOne: 3 });
    for (let n = 0; n < 6; n += 1) void run(`a${n}`, 'a');
    await turn();
    expect(begun).toEqual(['a0', 'a1', 'a2']);
    void run('b0', 'b');
    void run('b1', 'b');
    await turn();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'b0']);
    await end('b0');
    expect(begun.at(-1)).toBe('b1');
    await end('b1');
    await end('a1');
    expect(begun.slice(5)).toEqual(['a3']);
  });

  test('leaves a crowding account fewer slots while it is busy, and all of its share afterwards', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { run, begun, end } = scene(8, { mostOfOne: 4, besideOthers: 2 });
    void run('b0', 'b');
    for (let n = 0; n < 9; n += 1) void run(`a${n}`, 'a');
    await turn();
    expect(begun).toEqual(['b0', 'a0', 'a1']);
    await end('b0');
    await end('a0');
    expect(begun.slice(3)).toEqual(['a2']);
    jest.setSystemTime(Date.now() + 10_000);
    jest.advanceTimersByTime(10_000);
    await end('a1');
    expect(begun.slice(4)).toEqual(['a3', 'a4', 'a5']);
    jest.useRealTimers();
  });

  test('has to rest after its work while its account crowds another, which does not wait', async () => {
    jest.useFakeTimers();
    const shares = { mostOfOne: 9, besideOthers: 4, ofCrowd: 1 / 3 };
    const demand = createDemand(1);
    const semaphore = createSemaphore(20, shares, demand);
    const done = { crowd: 0, other: 0 };
    const work = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
    const lane = async (key: 'crowd' | 'other', pauseMs: number): Promise<never> => {
      for (;;) {
        demand.brings(key, 1);
        await semaphore.run(null, work, key);
        done[key] += 1;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    for (let n = 0; n < 12; n += 1) void lane('crowd', 0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(done.crowd).toBeGreaterThan(700);
    void lane('other', 190);
    await jest.advanceTimersByTimeAsync(4_000);
    const before = { ...done };
    await jest.advanceTimersByTimeAsync(3_000);
    expect(done.other - before.other).toBeGreaterThanOrEqual(14);
    // A third of one slot, for works of a hundredth of a second.
    expect((done.crowd - before.crowd) / 3).toBeGreaterThan(20);
    expect((done.crowd - before.crowd) / 3).toBeLessThan(40);
    jest.clearAllTimers();
    jest.useRealTimers();
  });

  test('leaves the queue when it is cancelled, and those behind it go on', async () => {
    const { run, begun, end } = scene(1);
    const gone = new AbortController();
    void run('a0', 'a');
    const left = expect(run('a1', 'a', gone.signal)).rejects.toBeDefined();
    void run('a2', 'a');
    await turn();
    gone.abort();
    await left;
    await end('a0');
    expect(begun).toEqual(['a0', 'a2']);
  });
});
