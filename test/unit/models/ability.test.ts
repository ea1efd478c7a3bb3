/** How able an embedder is, and what becomes of one that orders texts by chance. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ABILITY_SAMPLE } from '../../../domain/models/ability-sample.ts';
import { abilityOf, LEAST_ABILITY } from '../../../domain/models/embedder-ability.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { fuse } from '../../../domain/ranking/fusion.ts';
import { fusionWeights, RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import { createEmbedderAbility } from '../../../engine/models/ability.ts';
import type { Embed } from '../../../engine/models/embedding.ts';
import { eventually } from '../../support/patience.ts';

const signal = new AbortController().signal;
const space = { provider: 'openai-compatible', model: 'm', version: '1', dimensions: 64 } as const;
const usage = NOTHING_USED;

/** Vectors drawn by chance, the same for the same seed and text. */
function byChance(seed: number) {
  return (text: string): number[] => {
    let state = Array.from(text).reduce(
      (sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0,
      seed + 7,
    );
    const next = (): number => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
    return Array.from({ length: 64 }, () => next() + next() + next() - 1.5);
  };
}

/** Knows which answer belongs to which question of the n-th language, and takes all others by chance. */
function knowing(language: number) {
  const chance = byChance(1);
  const known = new Map(
    ABILITY_SAMPLE[language]?.flatMap(({ question, answer }, at) => [
      [question, at] as const,
      [answer, at] as const,
    ]),
  );
  return (text: string): number[] => {
    const at = known.get(text);
    const noise = chance(text);
    return at === undefined ? noise : noise.map((n, place) => n * 0.3 + (place === at ? 4 : 0));
  };
}

const opposite = (text: string): number[] => {
  const pairs = ABILITY_SAMPLE.flat();
  const at = pairs.findIndex(({ answer }) => answer === text);
  const vector = knowing(0)(at === -1 ? text : (pairs[at]?.question ?? ''));
  return at === -1 ? vector : vector.map((n) => -n);
};

function abilityWith(vectorOf: (text: string) => number[]) {
  const calls: string[] = [];
  const poor: number[] = [];
  const world = { now: 0 };
  const embed: Embed = async (texts, { purpose = 'document' }) => {
    calls.push(purpose);
    return { vectors: texts.map(vectorOf), space, usage };
  };
  const ability = createEmbedderAbility({
    embed,
    now: () => world.now,
    onPoor: (found) => poor.push(found),
  });
  return { ability, calls, poor, world };
}

describe('an embedder', () => {
  test.each([0, 1, 2])(
    'that knows language %i of the sample is able, and judged by two calls once',
    async (language) => {
      const { ability, calls, poor } = abilityWith(knowing(language));
      await ability.judge('a', signal);
      await ability.judge('a', signal);
      expect([ability.isAble('a'), poor, calls.toSorted()]).toEqual([
        true,
        [],
        ['document', 'query'],
      ]);
    },
  );

  test('that orders texts by chance is not able, nor is one that turns them round', async () => {
    let taken = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const { ability } = abilityWith(byChance(seed * 7919));
      await ability.judge('a', signal);
      if (ability.isAble('a')) taken += 1;
    }
    expect(taken).toBeLessThanOrEqual(3);
    const turned = abilityWith(opposite);
    await turned.ability.judge('a', signal);
    expect([turned.ability.isAble('a'), turned.poor.length]).toEqual([false, 1]);
  });

  test('that was not judged at the start is judged beside the first search, and once a minute while it fails', async () => {
    let fails = true;
    const answering = knowing(0);
    const { ability, calls, world } = abilityWith((text) => {
      if (fails) throw new ModelFailure('transport_error');
      return answering(text);
    });
    expect([ability.isAble('a'), ability.isAble('a')]).toEqual([false, false]);
    await eventually(async () => calls.length === 2);
    world.now = 59_999;
    expect(ability.isAble('a')).toBe(false);
    expect(calls).toHaveLength(2);
    fails = false;
    world.now = 60_000;
    expect(ability.isAble('a')).toBe(false);
    await eventually(async () => ability.isAble('a'));
    expect(calls).toHaveLength(4);
  });
});

test('the ability is the share of wrong answers that are farther than the right one', () => {
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  expect(abilityOf([x, y, z], [x, y, z])).toBe(1);
  expect(abilityOf([x, y, z], [y, z, x])).toBe(0);
  expect(abilityOf([x, y, z], [x, x, x])).toBe(0);
  expect([abilityOf([], []), abilityOf([x], [x]), abilityOf([x, y], [x])]).toEqual([0, 0, 0]);
});

test('no question of the sample shares a word of four letters with its answer', () => {
  for (const { question, answer } of ABILITY_SAMPLE.flat()) {
    const words = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const told = new Set(words(answer));
    expect(words(question).filter((word) => told.has(word))).toEqual([]);
  }
  expect(ABILITY_SAMPLE.every((pairs) => pairs.length === 10)).toBe(true);
  expect(LEAST_ABILITY).toBeGreaterThan(0.5 + 2.5 * 0.1);
});

test('a poor list of any order moves nothing whose words score a twentieth higher, and the first hit not at all then', () => {
  const weights = Object.fromEntries(fusionWeights(RETRIEVAL_PROFILES.minimal, 'poor'));
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  const lists = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(lists, (pairs) => {
      const items = (of: 0 | 1) =>
        pairs.map((pair, at) => ({ id: String(at).padStart(2, '0'), score: pair[of] }));
      // The words set the scale: one hit has all of it, one has nothing.
      const lexical = [...items(0), { id: 'best', score: 1.2 }, { id: 'none', score: 0 }];
      const fused = fuse(
        [
          { strategy: 'lexical', items: lexical },
          { strategy: 'semantic', items: items(1) },
        ],
        weights,
      );
      expect(fused[0]?.id).toBe('best');
      const place = new Map(fused.map(({ id }, at) => [id, at]));
      for (const one of lexical) {
        for (const other of lexical) {
          // Of the scale of 1.2, and what the place in the list of words may give.
          if (one.score - other.score > 1.2 * (0.05 / 0.95)) {
            expect(place.get(one.id)).toBeLessThan(place.get(other.id) ?? 99);
          }
        }
      }
    }),
  );
});
