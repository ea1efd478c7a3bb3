import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '@node-rs/argon2';
import { createPasswords } from '../../../runtime/identity/passwords.ts';

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

  // Processor time, not the clock's: a busy machine takes its time from one and not from the other.
  test('cost as much to verify without a login as with one', async () => {
    const hash = await passwords.hash('correct horse battery', signal);
    const real: number[] = [];
    const nobody: number[] = [];
    const timed = async (passwordHash: string | null, times: number[]): Promise<void> => {
      const start = process.cpuUsage();
      expect(await passwords.verify(passwordHash, 'wrong horse battery', signal)).toBe(false);
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    };
    for (let round = 0; round < 9; round += 1) {
      await timed(hash, real);
      await timed(null, nobody);
    }
    const ratio = median(nobody) / median(real);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
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
