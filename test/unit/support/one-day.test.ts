/** A test that fails by midnight is played again, and no other one. */
import { describe, expect, jest, test } from '@jest/globals';
import { onOneDay } from '../../support/one-day.ts';

const days =
  (...of: readonly string[]) =>
  () =>
    of[Math.min(asked++, of.length - 1)] ?? '';
let asked = 0;

async function played(body: () => Promise<void>, ...of: readonly string[]) {
  asked = 0;
  const begin = jest.fn(async () => undefined);
  const tried = jest.fn(body);
  const outcome = await onOneDay(tried, begin, days(...of))().then(
    () => 'passed',
    () => 'failed',
  );
  return [outcome, tried.mock.calls.length, begin.mock.calls.length];
}

describe('a body of one day', () => {
  const passes = async () => undefined;
  const fails = () => Promise.reject(new Error('one more'));

  test('that passes is played once', async () => {
    expect(await played(passes, 'monday', 'tuesday')).toEqual(['passed', 1, 0]);
  });

  test('that fails on one day has failed', async () => {
    expect(await played(fails, 'monday')).toEqual(['failed', 1, 0]);
  });

  test('that fails when the day has changed begins anew, once', async () => {
    expect(await played(fails, 'monday', 'tuesday', 'wednesday')).toEqual(['failed', 2, 1]);
    let plays = 0;
    const passesAgain = async () => {
      plays += 1;
      if (plays === 1) throw new Error('midnight');
    };
    expect(await played(passesAgain, 'monday', 'tuesday')).toEqual(['passed', 2, 1]);
  });
});
