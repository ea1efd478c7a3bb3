import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { decideInTime } from '../../../operations/reviews/bulk.ts';

const decisions = ['one', 'two', 'three'].map((id) => ({ id }));

test('what has not begun in time is refused as unavailable, and is not decided', async () => {
  const begun: string[] = [];
  const results = await decideInTime(decisions, 20, async ({ id }) => {
    begun.push(id);
    await sleep(30);
    return null;
  });
  expect(begun).toEqual(['one']);
  expect(results).toEqual([
    { id: 'one', status: 'decided', code: null },
    { id: 'two', status: 'refused', code: 'unavailable' },
    { id: 'three', status: 'refused', code: 'unavailable' },
  ]);
});

test('the first is decided however little time there is', async () => {
  const results = await decideInTime(decisions, 0, async () => 'conflict');
  expect(results.map(({ code }) => code)).toEqual(['conflict', 'unavailable', 'unavailable']);
});
