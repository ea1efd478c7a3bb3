/** The token bucket as a law, and the limit as a caller meets it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { takeToken, type TokenBucket } from '../../../domain/limits/token-bucket.ts';
import { CALLER, openDoor, type FakeDoor } from '../../support/fake-door.ts';

describe('token bucket', () => {
  test('never admits more requests, from any of them on, than one second of the rate and what the rate adds meanwhile', () => {
    // Silence, and requests at once after it.
    const pauses = fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    );
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        fc.array(pauses, { maxLength: 200 }),
        (rate, pausesMs) => {
          let bucket: TokenBucket | null = null;
          let nowMs = 0;
          const admittedAt: number[] = [];
          for (const pause of pausesMs) {
            nowMs += pause;
            const taken = takeToken(bucket, rate, nowMs);
            bucket = taken.bucket;
            if (taken.allowed) admittedAt.push(nowMs);
          }
          for (const [first, from] of admittedAt.entries()) {
            const most = (at: number) => Math.max(1, rate) + (rate * (at - from)) / 1000 + 1e-6;
            const others = admittedAt.slice(first);
            expect(others.findIndex((at, nth) => nth + 1 > most(at))).toBe(-1);
          }
        },
      ),
    );
  });

  test('a caller who waits as long as it was told is let through', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 100, noNaN: true }), (rate) => {
        let taken = takeToken(null, rate, 0);
        while (taken.allowed) taken = takeToken(taken.bucket, rate, 0);
        const waitMs = (taken.retryAfterSeconds ?? 0) * 1000;
        expect(takeToken(taken.bucket, rate, waitMs).allowed).toBe(true);
      }),
    );
  });

  test('a clock that goes back neither adds nor takes tokens', () => {
    const { bucket } = takeToken(null, 2, 10_000);
    expect(takeToken(bucket, 2, 0)).toMatchObject({ allowed: true, bucket: { tokens: 0 } });
  });
});

describe('requests per second and credential', () => {
  let door: FakeDoor;
  let nowMs = 0;
  beforeAll(async () => {
    door = await openDoor({
      config: { ratePerSecond: 2 },
      clock: () => new Date(nowMs),
      authenticate: async (bearer) => ({ ...CALLER, credentialId: bearer }),
    });
  });
  afterAll(() => door.close());

  const search = (token: string) => door.call({ path: '/api/v1/search', token, json: {} });

  test('a credential past its rate gets 429 with Retry-After, others and probes go on', async () => {
    expect((await search('one')).status).toBe(200);
    expect((await search('one')).status).toBe(200);
    const refused = await search('one');
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(refused.headers['retry-after']).toBe('1');
    // The limit counts over all routes of one credential.
    expect((await door.call({ path: '/api/v1/knowledge', token: 'one' })).status).toBe(429);
    expect((await search('two')).status).toBe(200);
    expect((await door.call({ path: '/api/health' })).status).toBe(200);
    nowMs += 1_000;
    expect((await search('one')).status).toBe(200);
  });

  test('without a limit no request is counted', async () => {
    const open = await openDoor({ authenticate: async () => CALLER });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => open.call({ path: '/api/v1/knowledge', token: 'x' })),
    );
    await open.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
