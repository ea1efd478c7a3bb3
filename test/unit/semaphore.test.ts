import { describe, expect, jest, test } from '@jest/globals';
import { createSemaphore } from '../../engine/semaphore.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is let go, in the order in which it began. */
function scene(limit: number, mostOfOne?: number, besideOthers?: number) {
  const semaphore = createSemaphore(limit, mostOfOne, besideOthers);
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

describe('who waits for a slot', () => {
  test('is served by turns of the accounts, however many of one wait', async () => {
    const { run, begun, end } = scene(1);
    for (let n = 0; n < 5; n += 1) void run(`a${n}`, 'a');
    void run('b0', 'b');
    void run('c0', 'c');
    await turn();
    for (const name of ['a0', 'a1', 'b0', 'c0', 'a2']) await end(name);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'a3']);
  });

  test('finds slots that one account alone does not take', async () => {
    const { run, begun, end } = scene(4, 3);
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

  test('finds fewer of them taken by a crowd while it is busy itself, and leaves them to it afterwards', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { run, begun, end } = scene(8, 4, 2);
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
