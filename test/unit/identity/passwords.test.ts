import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '@node-rs/argon2';
import { createPasswords, NOBODYS_HASH } from '../../../runtime/identity/passwords.ts';
import { sized } from '../../support/run.ts';

const { signal } = new AbortController();

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

describe('passwords', () => {
  const passwords = createPasswords();

  test('are hashed with argon2id, 19 MiB, two passes, one lane', async () => {
    const hash = await passwords.hash('correct horse battery', signal);
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(parseOptions(hash)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  });

  test('match only themselves, however an accent was typed', async () => {
    const hash = await passwords.hash('caf\u00e9 au lait', signal);
    expect(await passwords.verify(hash, 'cafe\u0301 au lait', signal)).toBe(true);
    expect(await passwords.verify(hash, 'cafe au lait', signal)).toBe(false);
  });

  test('are hashed without a login by the parameters of one with a login, and match nothing', async () => {
    const real = parseOptions(await passwords.hash('correct horse battery', signal));
    expect(parseOptions(NOBODYS_HASH)).toEqual(real);
    for (const password of ['', 'correct horse battery', 'A'.repeat(43)]) {
      expect(await passwords.verify(null, password, signal)).toBe(false);
    }
  });

  test('cost as much to verify without a login as with one', async () => {
    const hash = await passwords.hash('correct horse battery', signal);
    const spent = async (passwordHash: string | null): Promise<number> => {
      const start = process.cpuUsage();
      expect(await passwords.verify(passwordHash, 'wrong horse battery', signal)).toBe(false);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const ratios: number[] = [];
    for (let round = 0; round < sized({ short: 3, long: 9 }); round += 1) {
      ratios.push((await spent(null)) / (await spent(hash)));
    }
    // No hash at all is a thousandth; the rest is left to a quiet machine.
    const most = sized({ short: 50, long: 3 });
    expect(median(ratios)).toBeGreaterThan(1 / most);
    expect(median(ratios)).toBeLessThan(most);
  });

  test('are refused past a bounded queue', async () => {
    const flood = createPasswords();
    const leaving = new AbortController();
    const hashes = Array.from({ length: 80 }, () => flood.verify(null, 'x', leaving.signal));
    const settled = Promise.allSettled(hashes);
    // The queue moves on: the third has waited for one of the first two. The rest need not be waited for.
    expect(await hashes[2]).toBe(false);
    leaving.abort(new Error('left'));
    const outcomes = await settled;
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason.code ?? outcome.reason.message) : 'hashed',
    );
    expect(codes.slice(66)).toEqual(Array.from({ length: 80 - 66 }, () => 'rate_limited'));
    expect(new Set(codes.slice(0, 66))).toEqual(new Set(['hashed', 'left']));
    expect(await flood.verify(null, 'x', signal)).toBe(false);
  });
});
