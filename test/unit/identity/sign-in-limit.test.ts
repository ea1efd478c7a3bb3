import { describe, expect, test } from '@jest/globals';
import { signInRetryAfter, type Attempts } from '../../../domain/identity/sign-in-limit.ts';

const NOW = Date.UTC(2030, 0, 1, 12);
const MINUTE = 60_000;
const NONE: Attempts = { count: 0, oldestAt: null };
const none = { failuresHere: NONE, failures: NONE, fromAddress: NONE };

const since = (count: number, minutes: number): Attempts => ({
  count,
  oldestAt: NOW - minutes * MINUTE,
});

describe('sign-in', () => {
  test('is allowed up to 9 failures of an e-mail from an address, 99 of the e-mail, 99 attempts of the address', () => {
    expect(signInRetryAfter(none, NOW)).toBeNull();
    const busy = {
      failuresHere: since(9, 0),
      failures: since(99, 0),
      fromAddress: since(99, 0),
    };
    expect(signInRetryAfter(busy, NOW)).toBeNull();
  });

  test.each([
    ['ten failures of the e-mail from the address', { failuresHere: since(10, 5) }],
    ['a hundred failures of the e-mail from anywhere', { failures: since(100, 5) }],
    ['a hundred attempts from the address', { fromAddress: since(100, 5) }],
  ])('waits until the oldest of %s is 15 minutes old', (_what, recent) => {
    expect(signInRetryAfter({ ...none, ...recent }, NOW)).toBe(600);
  });

  test('waits for the limit that ends last, and one second at least', () => {
    const all = {
      failuresHere: since(10, 14),
      failures: since(100, 12),
      fromAddress: since(100, 10),
    };
    expect(signInRetryAfter(all, NOW)).toBe(300);
    const almost = { count: 10, oldestAt: NOW - 15 * MINUTE + 1 };
    expect(signInRetryAfter({ ...none, failuresHere: almost }, NOW)).toBe(1);
  });
});
