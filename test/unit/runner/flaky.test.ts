import { describe, expect, test } from '@jest/globals';
import { flakyLines, TOO_MANY, tooManyFlaky } from '../../runner/flaky.ts';

describe('a test that passed only at its second try', () => {
  test('is named with its first failure', () => {
    const lines = flakyLines([
      {
        fullName: 'a worker dies',
        status: 'passed',
        invocations: 3,
        retryReasons: ['not within 60 s', 'another'],
      },
    ]);
    expect(lines).toEqual(['flaky: a worker dies\nnot within 60 s']);
  });

  test('is not one that passed at once, or that failed every time', () => {
    const passed = { fullName: 'passed', status: 'passed', invocations: 1, retryReasons: [] };
    const failed = { fullName: 'failed', status: 'failed', invocations: 2, retryReasons: ['no'] };
    expect(flakyLines([passed, failed, { fullName: 'untold', status: 'passed' }])).toEqual([]);
  });
});

test('three such tests fail the run, and two do not', () => {
  expect(TOO_MANY).toBe(3);
  expect(tooManyFlaky(2)).toBeUndefined();
  expect(tooManyFlaky(3)?.message).toBe('3 tests passed only at their second try; 3 are too many');
});
