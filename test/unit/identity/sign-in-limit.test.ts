import { describe, expect, test } from '@jest/globals';
import { signInRetryAfter } from '../../../domain/identity/sign-in-limit.ts';

const NOW = Date.UTC(2030, 0, 1, 12);
const MINUTE = 60_000;
const none = { failures: 0, attempts: 0, oldestFailureAt: null, oldestAttemptAt: null };

describe('sign-in', () => {
  test('may be tried up to nine failures and ninety-nine attempts', () => {
    expect(signInRetryAfter(none, NOW)).toBeNull();
    const busy = { failures: 9, attempts: 99, oldestFailureAt: NOW, oldestAttemptAt: NOW };
    expect(signInRetryAfter(busy, NOW)).toBeNull();
  });

  test('waits until the oldest of ten failures is 15 minutes old', () => {
    const recent = { ...none, failures: 10, oldestFailureAt: NOW - 5 * MINUTE };
    expect(signInRetryAfter(recent, NOW)).toBe(600);
  });

  test('waits until the oldest of a hundred attempts is 15 minutes old', () => {
    const recent = { ...none, attempts: 100, oldestAttemptAt: NOW - 14 * MINUTE };
    expect(signInRetryAfter(recent, NOW)).toBe(60);
  });

  test('waits for the later of the two, and a second at least', () => {
    const both = {
      failures: 10,
      attempts: 100,
      oldestFailureAt: NOW - 14 * MINUTE,
      oldestAttemptAt: NOW - 10 * MINUTE,
    };
    expect(signInRetryAfter(both, NOW)).toBe(300);
    const almost = { ...none, failures: 10, oldestFailureAt: NOW - 15 * MINUTE + 1 };
    expect(signInRetryAfter(almost, NOW)).toBe(1);
  });
});
