import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { createGroupCommit, type GroupCommitOptions } from '../../stores/postgres/group-commit.ts';

type Options = GroupCommitOptions<string, string>;

/** A group that is under way, with what ends it. */
interface UnderWay {
  readonly accountId: string;
  readonly items: readonly string[];
  end(error?: unknown): void;
}

let groups: UnderWay[];
beforeEach(() => {
  groups = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function held(accountId: string, items: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    groups.push({
      accountId,
      items,
      end: (error) =>
        error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error),
    });
  });
}

const commitWith = (options: Partial<Options> = {}) =>
  createGroupCommit<string, string>({
    run: held,
    bytesOf: (item) => item.length,
    isOfItem: () => true,
    isHeld: () => false,
    inTurn: (_, work) => work(),
    mostItems: 4,
    mostBytes: 100,
    waitMs: 2,
    lockWaitMs: 50,
    ...options,
  });

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const sizes = (): string[] => groups.map(({ items }) => items.join(' '));
const done = (value: string) => ({ status: 'fulfilled', value });

describe('who shares a group', () => {
  test('who comes alone does not wait', async () => {
    const answer = commitWith()('a', ['x']);
    await pass(0);
    expect(sizes()).toEqual(['x']);
    groups[0]?.end();
    expect(await answer).toEqual([done('x!')]);
  });

  test('callers of one turn of the event loop, and of one account alone', async () => {
    const commit = commitWith();
    void commit('a', ['x']);
    void commit('b', ['y']);
    void commit('a', ['z']);
    await pass(0);
    expect(groups.map(({ accountId, items }) => [accountId, ...items])).toEqual([
      ['a', 'x', 'z'],
      ['b', 'y'],
    ]);
  });

  test('who comes while a group is under way waits for its end', async () => {
    const commit = commitWith();
    void commit('a', ['1']);
    await pass(0);
    void commit('a', ['2']);
    await pass(1);
    void commit('a', ['3']);
    expect(sizes()).toEqual(['1']);
    groups[0]?.end();
    await pass(0);
    expect(sizes()).toEqual(['1', '2 3']);
  });

  test('and goes on without its end after the longest wait', async () => {
    const commit = commitWith();
    void commit('a', ['1']);
    await pass(0);
    const second = commit('a', ['2']);
    await pass(3);
    expect(sizes()).toEqual(['1', '2']);
    groups[1]?.end();
    expect(await second).toEqual([done('2!')]);
  });

  test('what fills a group, in number or bytes, does not wait', async () => {
    const commit = commitWith();
    void commit('a', ['1']);
    await pass(0);
    void commit('a', ['2', '3']);
    void commit('a', ['4', '5']);
    void commit('a', ['x'.repeat(100)]);
    void commit('a', ['6']);
    await pass(1);
    expect(sizes()).toEqual(['1', '2 3 4 5', 'x'.repeat(100)]);
  });

  test('while the account has no turn, one group gathers all that comes', async () => {
    const turns: (() => void)[] = [];
    const commit = commitWith({
      inTurn: (_, work) => new Promise((resolve) => turns.push(() => resolve(work()))),
    });
    void commit('a', ['1']);
    await pass(50);
    void commit('a', ['2']);
    await pass(50);
    void commit('a', ['3']);
    await pass(50);
    expect(turns).toHaveLength(1);
    turns[0]?.();
    expect(sizes()).toEqual(['1 2 3']);
  });
});

describe('what cannot be written', () => {
  const poisoned = async (_: string, items: readonly string[]): Promise<readonly string[]> => {
    if (items.some((item) => item.startsWith('bad'))) throw new Error(items.join(' '));
    return items.map((item) => `${item}!`);
  };

  test('is refused alone, with its own error', async () => {
    const commit = commitWith({ run: poisoned });
    const answers = await Promise.all([
      commit('a', ['1', 'bad 1', '2']),
      commit('a', ['bad 2']),
      pass(0),
    ]);
    expect(answers.slice(0, 2)).toEqual([
      [done('1!'), { status: 'rejected', reason: new Error('bad 1') }, done('2!')],
      [{ status: 'rejected', reason: new Error('bad 2') }],
    ]);
  });

  test('while a lock is held waits alone, and holds up no other', async () => {
    const lock = Promise.withResolvers<void>();
    const waits: (number | null)[] = [];
    const commit = commitWith({
      isHeld: (error) => String(error).includes('held'),
      run: async (_, items, lockWaitMs) => {
        if (items.includes('held')) {
          waits.push(lockWaitMs);
          if (lockWaitMs !== null) throw new Error('held');
          await lock.promise;
        }
        return items.map((item) => `${item}!`);
      },
    });
    const waiting = commit('a', ['held']);
    const others = [commit('a', ['1']), commit('a', ['2'])];
    await pass(0);
    expect(await Promise.all(others)).toEqual([[done('1!')], [done('2!')]]);
    expect(waits).toEqual([50, 50, 50, null]);
    lock.resolve();
    expect(await waiting).toEqual([done('held!')]);
  });

  test('by no fault of an item is tried once, and refused to all', async () => {
    const commit = commitWith({ isOfItem: () => false });
    const answer = commit('a', ['1', '2']);
    await pass(0);
    groups[0]?.end(new Error('away'));
    const reason = new Error('away');
    expect(await answer).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(groups).toHaveLength(1);
  });

  test('whatever comes when, each has its own answer, once, and an account keeps its order', async () => {
    const arrivals = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 3 }),
        account: fc.constantFrom('a', 'b'),
        items: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        lastsMs: fc.integer({ min: 0, max: 5 }),
      }),
      { maxLength: 12 },
    );
    const law = fc.asyncProperty(arrivals, async (all) => {
      const written: string[] = [];
      let lasts = 0;
      const commit = commitWith({
        run: async (account, items) => {
          const answers = await poisoned(account, items);
          await new Promise((resolve) => setTimeout(resolve, all[lasts++ % all.length]?.lastsMs));
          written.push(...items);
          return answers;
        },
      });
      const calls: Promise<unknown>[] = [];
      const sent: string[][] = [];
      for (const [n, { account, afterMs, items }] of all.entries()) {
        await pass(afterMs);
        sent.push(items.map((isBad, place) => `${isBad ? 'bad' : 'good'} ${n}.${place}`));
        calls.push(commit(account, sent[n] ?? []));
      }
      await pass(1_000);
      expect(await Promise.all(calls)).toEqual(
        sent.map((items) =>
          items.map((item) =>
            item.startsWith('bad')
              ? { status: 'rejected', reason: new Error(item) }
              : done(`${item}!`),
          ),
        ),
      );
      expect(written.toSorted()).toEqual(
        sent
          .flat()
          .filter((item) => item.startsWith('good'))
          .toSorted(),
      );
      for (const items of sent) {
        const good = items.filter((item) => item.startsWith('good'));
        expect(written.filter((item) => good.includes(item))).toEqual(good);
      }
    });
    await fc.assert(law, { numRuns: 60 });
  });
});
