/** Which anchors of a session share a call: laws over any session, and the cases that they are made of. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ALONE_AFTER_ATTEMPTS,
  batchingIdentity,
  describeBatching,
  groupIntoCalls,
  isAskedAlone,
  NO_BATCHING,
  WINDOW_MESSAGES,
  type BatchableAnchor,
} from '../../../domain/extraction/batching.ts';
import { TRANSIENT_CLASSES } from '../../../domain/error-class.ts';

interface Anchor extends BatchableAnchor {
  readonly id: string;
}

const flat = () => 10;
const ids = (calls: readonly (readonly Anchor[])[]) =>
  calls.map((call) => call.map(({ id }) => id));
const shownIn = (call: readonly Anchor[]) => new Set(call.flatMap(({ shown }) => shown));
const tokensIn = (call: readonly Anchor[], tokensOf: (id: string) => number) =>
  [...shownIn(call)].reduce((sum, id) => sum + tokensOf(id), 0);

/** A session of `count` anchors in one scope, each with the window that every speaker may read. */
function session(
  count: number,
  changes: (index: number) => Partial<Anchor> = () => ({}),
): Anchor[] {
  const all = Array.from({ length: count }, (_, index) => `m${index}`);
  return all.map((id, index) => ({
    id,
    place: 'here',
    shown: all.slice(Math.max(0, index - WINDOW_MESSAGES), index + 1),
    readable: new Set(all),
    failedAttempts: 0,
    ...changes(index),
  }));
}

/** Sessions with changing scopes, late joiners, messages of any size, and anchors that failed before. */
const anySession = fc
  .array(
    fc.record({
      place: fc.constantFrom('here', 'there'),
      window: fc.nat({ max: WINDOW_MESSAGES }),
      readsFrom: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat({ max: 20 }) },
      ),
      tokens: fc.integer({ min: 1, max: 120 }),
      failedAttempts: fc.nat({ max: ALONE_AFTER_ATTEMPTS }),
    }),
    { maxLength: 20 },
  )
  .map((drawn) => {
    const all = drawn.map((_, index) => `m${index}`);
    const sizes = new Map(drawn.map(({ tokens }, index) => [`m${index}`, tokens]));
    const anchors = drawn.map(({ place, window, readsFrom, failedAttempts }, index): Anchor => {
      const since = Math.min(readsFrom, index);
      return {
        id: `m${index}`,
        place,
        shown: all.slice(Math.max(since, index - window), index + 1),
        readable: new Set(all.slice(since)),
        failedAttempts,
      };
    });
    return { anchors, tokensOf: (id: string) => sizes.get(id) ?? 0 };
  });
const limits = fc.record({
  anchors: fc.integer({ min: 1, max: 10 }),
  tokens: fc.integer({ min: 1, max: 600 }),
});

describe('any session', () => {
  test('has every anchor in exactly one call, in its order', () => {
    fc.assert(
      fc.property(anySession, limits, ({ anchors, tokensOf }, bounds) => {
        expect(groupIntoCalls(anchors, bounds, tokensOf).flat()).toEqual(anchors);
      }),
    );
  });

  test('keeps the bounds of a call, which only an anchor that goes alone may exceed', () => {
    fc.assert(
      fc.property(anySession, limits, ({ anchors, tokensOf }, bounds) => {
        for (const call of groupIntoCalls(anchors, bounds, tokensOf)) {
          expect(call.length).toBeGreaterThan(0);
          if (call.length === 1) continue;
          expect(call.length).toBeLessThanOrEqual(bounds.anchors);
          expect(tokensIn(call, tokensOf)).toBeLessThanOrEqual(bounds.tokens);
          expect(new Set(call.map(({ place }) => place)).size).toBe(1);
          expect(call.every((one) => one.failedAttempts < ALONE_AFTER_ATTEMPTS)).toBe(true);
        }
      }),
    );
  });

  test('shows in a call of several nothing that one of its speakers could not read', () => {
    fc.assert(
      fc.property(anySession, limits, ({ anchors, tokensOf }, bounds) => {
        for (const call of groupIntoCalls(anchors, bounds, tokensOf)) {
          if (call.length === 1) continue;
          for (const { readable } of call) {
            expect([...shownIn(call)].filter((id) => !readable.has(id))).toEqual([]);
          }
        }
      }),
    );
  });

  test('starts no new call for an anchor that would have fitted into the call before it', () => {
    fc.assert(
      fc.property(anySession, limits, ({ anchors, tokensOf }, bounds) => {
        const calls = groupIntoCalls(anchors, bounds, tokensOf);
        for (const [index, call] of calls.entries()) {
          const before = calls[index - 1] ?? [];
          const joined = [...before, ...call.slice(0, 1)];
          const fits =
            before.length > 0 &&
            joined.length <= bounds.anchors &&
            tokensIn(joined, tokensOf) <= bounds.tokens &&
            new Set(joined.map(({ place }) => place)).size === 1 &&
            joined.every((one) => one.failedAttempts < ALONE_AFTER_ATTEMPTS) &&
            joined.every(({ readable }) => [...shownIn(joined)].every((id) => readable.has(id)));
          expect(fits).toBe(false);
        }
      }),
    );
  });
});

describe('a session', () => {
  test('is cut into calls of at most so many anchors', () => {
    const calls = groupIntoCalls(session(7), { anchors: 3, tokens: 10_000 }, flat);
    expect(ids(calls)).toEqual([['m0', 'm1', 'm2'], ['m3', 'm4', 'm5'], ['m6']]);
  });

  test('counts each message that a call shows once, windows included', () => {
    // Four anchors show four messages; the next call shows five of their window besides.
    const calls = groupIntoCalls(session(9), { anchors: 8, tokens: 80 }, flat);
    expect(ids(calls)).toEqual([['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'], ['m8']]);
    expect(ids(groupIntoCalls(session(9), { anchors: 8, tokens: 70 }, flat)).at(-1)).toEqual([
      'm7',
      'm8',
    ]);
  });

  test('puts a message that is too large into a call of its own, and goes on after it', () => {
    const tokensOf = (id: string) => (id === 'm1' ? 5_000 : 10);
    const alone = session(4, (index) => ({ shown: [`m${index}`] }));
    expect(ids(groupIntoCalls(alone, { anchors: 8, tokens: 1_000 }, tokensOf))).toEqual([
      ['m0'],
      ['m1'],
      ['m2', 'm3'],
    ]);
  });

  test('that a speaker joins late is cut before the first anchor of that speaker', () => {
    const all = session(4);
    const late = all.map((anchor, index) =>
      index < 2
        ? anchor
        : { ...anchor, shown: ['m2', 'm3'].slice(0, index - 1), readable: new Set(['m2', 'm3']) },
    );
    expect(ids(groupIntoCalls(late, { anchors: 8, tokens: 1_000 }, flat))).toEqual([
      ['m0', 'm1'],
      ['m2', 'm3'],
    ]);
  });

  test('with unknown readers is cut into one call per anchor', () => {
    const unknown = session(3, () => ({ readable: new Set<string>() }));
    expect(groupIntoCalls(unknown, { anchors: 8, tokens: 1_000 }, flat)).toHaveLength(3);
  });

  test('puts an anchor that failed often into a call of its own', () => {
    const calls = groupIntoCalls(
      session(4, (index) => ({ failedAttempts: index === 1 ? ALONE_AFTER_ATTEMPTS : 1 })),
      { anchors: 8, tokens: 1_000 },
      flat,
    );
    expect(ids(calls)).toEqual([['m0'], ['m1'], ['m2', 'm3']]);
  });

  test('is not batched where batching is off', () => {
    expect(groupIntoCalls(session(3), NO_BATCHING, flat)).toHaveLength(3);
  });
});

describe('the identity', () => {
  test('names the parameters and nothing else', () => {
    expect(batchingIdentity({ anchors: 8, tokens: 12_000 })).toBe('batch-2-a8-t12000-w5');
    expect(batchingIdentity({ anchors: 4, tokens: 900 })).toBe('batch-2-a4-t900-w5');
  });

  test('without batching does not depend on the token limit', () => {
    expect(batchingIdentity({ anchors: 1, tokens: 900 })).toBe(batchingIdentity(NO_BATCHING));
    expect(describeBatching(NO_BATCHING)).toEqual({ enabled: false, identity: 'batch-2-a1-w5' });
    expect(describeBatching({ anchors: 2, tokens: 900 }).enabled).toBe(true);
  });
});

test('a failure that every anchor would share does not split a call', () => {
  const shared = [...TRANSIENT_CLASSES, 'credentials_rejected', 'model_not_found'] as const;
  // A defect of ours may be brought out by one of them, and what is too much together may fit alone.
  expect(shared.filter(isAskedAlone)).toEqual(['internal_error', 'token_budget_exhausted']);
  expect(isAskedAlone('provider_content_filtered')).toBe(true);
  // That is one anchor's own, after its repairs.
  expect(isAskedAlone('structured_validation_failed')).toBe(false);
});
