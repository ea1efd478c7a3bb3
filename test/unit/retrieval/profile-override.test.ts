/** What an operator sets in place of the values of a retrieval profile: which override holds, and what it makes. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isOverridable,
  LARGEST_WEIGHT,
  LEAST_WEIGHT,
  nearestOverride,
  OVERRIDABLE_PROFILES,
  overridesAnything,
  overrideText,
  strategiesFault,
  withOverride,
  type ProfileOverride,
} from '../../../domain/retrieval/profile-override.ts';
import {
  fusionWeights,
  PROFILES,
  RETRIEVAL_PROFILES,
  STRATEGIES,
} from '../../../domain/retrieval/strategies.ts';
import { profileOverrideOf } from '../../../operations/retrieval/override-digest.ts';

const NOTHING: ProfileOverride = { strategies: null, deadlineMs: null, rrfK: null, rerank: null };
const override = (values: Partial<ProfileOverride>): ProfileOverride => ({ ...NOTHING, ...values });

const weights = fc
  .dictionary(fc.constantFrom(...STRATEGIES), fc.double({ min: LEAST_WEIGHT, max: 10 }), {
    minKeys: 1,
  })
  .map((all) => ({ ...all }));
const anyOverride: fc.Arbitrary<ProfileOverride> = fc.record({
  strategies: fc.option(weights),
  deadlineMs: fc.option(fc.integer({ min: 20, max: 10_000 })),
  rrfK: fc.option(fc.integer({ min: 1, max: 1_000 })),
  rerank: fc.option(fc.boolean()),
});
const anyProfile = fc.constantFrom(...OVERRIDABLE_PROFILES);

describe('of overrides along a chain', () => {
  test('the nearest holds, whatever stands above it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(anyOverride)),
        anyOverride,
        fc.array(fc.constant(null)),
        (above, nearest, below) => {
          expect(nearestOverride([...above, nearest, ...below])).toBe(nearest);
        },
      ),
    );
  });

  test('none holds where none is set', () => {
    expect(nearestOverride([])).toBeNull();
    expect(nearestOverride([null, null])).toBeNull();
  });
});

describe('a profile with an override', () => {
  test('has each value that is given, and its own where none is', () => {
    fc.assert(
      fc.property(anyProfile, anyOverride, (name, given) => {
        const base = RETRIEVAL_PROFILES[name];
        const made = withOverride(base, given);
        expect(made.name).toBe(name);
        expect(made.strategyTimeoutMs).toBe(base.strategyTimeoutMs);
        expect(made.deadlineMs).toBe(given.deadlineMs ?? base.deadlineMs);
        expect(made.rrfK).toBe(given.rrfK ?? base.rrfK);
        expect(made.reranks).toBe(given.rerank ?? base.reranks);
        expect(Object.fromEntries(made.strategies)).toEqual(
          given.strategies ?? Object.fromEntries(base.strategies),
        );
      }),
    );
  });

  test('runs or reports each strategy of the profile, and none twice', () => {
    fc.assert(
      fc.property(anyProfile, anyOverride, (name, given) => {
        const made = withOverride(RETRIEVAL_PROFILES[name], given);
        const told = [...made.switchedOff, ...made.strategies.keys()];
        expect(new Set(told).size).toBe(told.length);
        expect(told).toEqual(
          expect.arrayContaining([...RETRIEVAL_PROFILES[name].strategies.keys()]),
        );
      }),
    );
  });

  test('lists its strategies in reporting order, however they were given', () => {
    const given = override({ strategies: { relation_expand: 1, lexical: 0.8, semantic: 1 } });
    const made = withOverride(RETRIEVAL_PROFILES.fast, given);
    expect([...made.strategies]).toEqual([
      ['semantic', 1],
      ['lexical', 0.8],
      ['relation_expand', 1],
    ]);
    expect(made.switchedOff).toEqual(['salience_recency']);
  });

  test('is the profile itself where nothing is set', () => {
    for (const name of PROFILES) {
      const base = RETRIEVAL_PROFILES[name];
      expect(withOverride(base, null)).toBe(base);
    }
  });

  test('gives the built-in embedder the weight that the operator named, and no other', () => {
    const { balanced } = RETRIEVAL_PROFILES;
    const named = withOverride(balanced, override({ strategies: { semantic: 1, lexical: 1 } }));
    expect(fusionWeights(named, 'deterministic').get('semantic')).toBe(1);
    const unnamed = withOverride(balanced, override({ deadlineMs: 500 }));
    expect(fusionWeights(unnamed, 'deterministic').get('semantic')).toBe(0.2);
    const without = withOverride(balanced, override({ strategies: { lexical: 1 } }));
    expect([...fusionWeights(without, 'deterministic').keys()]).toEqual(['lexical']);
  });
});

test('every profile but minimal may be overridden', () => {
  expect(PROFILES.filter((name) => !isOverridable(name))).toEqual(['minimal']);
});

test('an override without any value sets nothing', () => {
  expect(overridesAnything(NOTHING)).toBe(false);
  for (const values of [{ strategies: { lexical: 1 } }, { rrfK: 1 }, { rerank: false }]) {
    expect(overridesAnything(override(values))).toBe(true);
  }
});

describe('weights by strategy', () => {
  test.each([
    [{}, 'at least one'],
    [{ telepathy: 1 }, 'may only name'],
    [{ semantic: 0 }, 'weights from'],
    [{ semantic: -1 }, 'weights from'],
    [{ semantic: LARGEST_WEIGHT + 0.1 }, 'weights from'],
    [{ semantic: Number.NaN }, 'weights from'],
    [{ semantic: 1, temporal: 1 }, 'lexical with temporal'],
  ])('%j are refused', (given, reason) => {
    expect(strategiesFault(given as Record<string, number>)).toContain(reason);
  });

  test('are taken within their bounds', () => {
    expect(strategiesFault({ semantic: LEAST_WEIGHT, lexical: LARGEST_WEIGHT })).toBeNull();
    expect(strategiesFault(Object.fromEntries(STRATEGIES.map((name) => [name, 1])))).toBeNull();
  });

  test('never repeat in the refusal what was sent', () => {
    expect(strategiesFault({ 'my secret': 1 })).not.toContain('secret');
  });
});

describe('the digest of an override', () => {
  test('is ten hex digits, the same for the same values in any order', () => {
    const one = override({ strategies: { semantic: 1, lexical: 0.8 } });
    const other = override({ strategies: { lexical: 0.8, semantic: 1 } });
    const digest = profileOverrideOf('balanced', one);
    expect(digest).toMatch(/^[0-9a-f]{10}$/);
    expect(profileOverrideOf('balanced', other)).toBe(digest);
    expect(profileOverrideOf('thorough', one)).not.toBe(digest);
  });

  test('is made of every value', () => {
    fc.assert(
      fc.property(anyProfile, anyOverride, anyOverride, (profile, one, other) => {
        const isSame = overrideText(profile, one) === overrideText(profile, other);
        const values = ({ deadlineMs, rerank, rrfK, strategies }: ProfileOverride) => [
          deadlineMs,
          rerank,
          rrfK,
          strategies === null ? null : STRATEGIES.map((name) => strategies[name]),
        ];
        expect(isSame).toBe(JSON.stringify(values(one)) === JSON.stringify(values(other)));
      }),
    );
  });

  test('is null without an override', () => {
    expect(profileOverrideOf('balanced', null)).toBeNull();
  });
});
