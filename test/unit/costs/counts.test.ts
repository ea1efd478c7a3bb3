/** What a process counts between two writes, and how much of it it keeps. */
import { describe, expect, test } from '@jest/globals';
import { createUsageCounts } from '../../../engine/usage/counts.ts';

const CALL = {
  accountId: 'a',
  role: 'embedder',
  provider: 'deterministic',
  model: 'ngrams',
  failed: false,
  metered: true,
  durationMs: 2,
} as const;

describe('the counts of a process', () => {
  test('begin anew with each take', () => {
    const counts = createUsageCounts();
    counts.request('a');
    counts.request('a');
    counts.request('b');
    counts.call(CALL);
    counts.call({ ...CALL, failed: true, metered: false });
    const { accountId: _account, failed: _failed, metered: _metered, ...key } = CALL;
    expect([...counts.take()]).toEqual([
      ['a', { requests: 2, calls: [{ ...key, calls: 2, errors: 1, unmetered: 1, durationMs: 4 }] }],
      ['b', { requests: 1, calls: [] }],
    ]);
    expect(counts.take().size).toBe(0);
  });

  test('that were given back are added to what came meanwhile', () => {
    const counts = createUsageCounts();
    counts.request('a');
    counts.call(CALL);
    const taken = counts.take();
    counts.request('a');
    counts.call(CALL);
    for (const [account, of] of taken) counts.giveBack(account, of);
    expect(counts.take().get('a')).toMatchObject({ requests: 2, calls: [{ calls: 2 }] });
  });

  test('are of ten thousand accounts and sixteen keys each at most, whoever asks', () => {
    const counts = createUsageCounts();
    for (let n = 0; n < 10_050; n += 1) counts.request(`account-${n}`);
    for (let n = 0; n < 50; n += 1) {
      counts.call({ ...CALL, accountId: 'account-1', model: `m${n}` });
    }
    const taken = counts.take();
    expect(taken.size).toBe(10_000);
    expect(taken.get('account-1')?.calls).toHaveLength(16);
  });
});
