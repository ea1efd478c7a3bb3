import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createDemand } from '../../../engine/demand.ts';
import { databaseTurns } from '../../../runtime/container/database-turns.ts';

/** Transactions that end when they are told to. */
class Transactions {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #take;

  constructor(poolSize: number, cores = 64) {
    this.#take = databaseTurns(poolSize, createDemand(), cores);
  }

  ask(account: string, times = 1): void {
    for (let n = 0; n < times; n += 1) {
      void this.#take(account, () => {
        this.begun.push(account);
        return new Promise<void>((resolve) => this.#ends.push(resolve));
      });
    }
  }

  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await setImmediate();
  }
}

describe('turns for connections', () => {
  test('leave room for another account beside many waiters of one account', async () => {
    const transactions = new Transactions(20);
    transactions.ask('crowd', 100);
    transactions.ask('other');
    await setImmediate();
    expect(transactions.begun.filter((account) => account === 'crowd')).toHaveLength(9);
    expect(transactions.begun).toContain('other');
  });

  test('are two for each core beside another busy account, and half of them without one', async () => {
    const beside = new Transactions(20, 2);
    beside.ask('other');
    beside.ask('crowd', 100);
    await setImmediate();
    expect(beside.begun).toEqual(['other', ...Array(4).fill('crowd')]);
    const alone = new Transactions(20, 2);
    alone.ask('crowd', 100);
    await setImmediate();
    expect(alone.begun).toHaveLength(9);
  });

  test('go round among accounts that wait, however many each has waiting', async () => {
    const transactions = new Transactions(4);
    transactions.ask('crowd', 50);
    transactions.ask('a', 2);
    transactions.ask('b', 2);
    await setImmediate();
    for (let n = 0; n < 6; n += 1) await transactions.endOne();
    expect(
      transactions.begun
        .slice(0, 8)
        .filter((account) => account !== 'crowd')
        .toSorted(),
    ).toEqual(['a', 'a', 'b', 'b']);
  });

  test('are given in a pool of one connection too', async () => {
    const transactions = new Transactions(1);
    transactions.ask('a');
    transactions.ask('b');
    await setImmediate();
    await transactions.endOne();
    expect(transactions.begun).toEqual(['a', 'b']);
  });
});
