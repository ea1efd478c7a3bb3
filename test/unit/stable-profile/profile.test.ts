import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  exclusionOf,
  PROFILE_CATEGORIES,
  type Exclusion,
  type ProfileCategory,
  type ProfileStatement,
} from '../../../domain/stable-profile/eligible.ts';
import {
  buildProfile,
  MOST_OF_A_CATEGORY,
  MOST_PROFILE_CHARS,
  MOST_PROFILE_ITEMS,
  MOST_STATEMENT_CHARS,
} from '../../../domain/stable-profile/profile.ts';
import { countClusters } from '../../../domain/text/excerpt.ts';
import { AT, said } from './statements.ts';

const categoriesOf = (...statements: ProfileStatement[]): ProfileCategory[] =>
  buildProfile(statements, AT).items.map(({ category }) => category);

test.each([
  ['name', "Ada's name is Ada Vik."],
  ['name', 'Ada is called Adele.'],
  ['pronouns', 'Ada uses they/them pronouns.'],
  ['pronouns', "Ada's pronouns are she/her."],
  ['occupation', 'Ada is a nurse.'],
  ['occupation', 'Ada works at Acme.'],
  ['location', 'Ada lives in Bergen.'],
  ['location', 'Ada moved to Oslo.'],
  ['language', 'Ada speaks French.'],
  ['language', "Ada's native language is Portuguese."],
  ['time_zone', "Ada's time zone is Europe/Oslo."],
] as const)('%s: "%s"', (category, text) => {
  expect(categoriesOf(said(text))).toEqual([category]);
});

test.each([
  ['sensitive_trait', said('Ada lives in Bergen.', { sensitivity: 'restricted' })],
  ['sensitive_trait', said('Ada was diagnosed with diabetes.')],
  ['sensitive_trait', said('Ada is a Catholic.')],
  ['sensitive_trait', said('Ada is a union member.')],
  ['unsupported', said('Ada lives in Bergen.', { sourceCount: 0, sourceMessageIds: [] })],
  ['inferred', said('Ada lives in Bergen.', { confidenceLevel: 'clearly_implied' })],
  ['inferred', said('Ada lives in Bergen.', { confidenceLevel: null })],
  ['inferred', said('Ada lives in Bergen.', { evidenceLevel: 'indirect' })],
  ['preference', said('Ada likes tea.')],
  ['preference', said('Ada drinks tea.', { kind: 'preference' })],
  ['transient', said('Ada is tired.')],
  ['transient', said('Ada met Bo.', { kind: 'event' })],
  ['transient', said('Ada works at Acme this week.')],
  ['hedged', said('Ada apparently plays the oboe.')],
  ['generalization', said('Ada usually works at Acme.')],
  ['outside_window', said('Ada no longer lives in Bergen.')],
  ['outside_window', said('Ada lives in Bergen.', { relevantUntil: '2026-05-01T00:00:00.000Z' })],
  ['outside_window', said('Ada lives in Bergen.', { relevantUntil: AT })],
  ['outside_window', said('Ada lives in Bergen.', { relevantFrom: '2026-07-01T00:00:00.000Z' })],
  ['uncategorized', said('Ada owns a red kayak.')],
  ['uncategorized', said('Ada is 34 years old.')],
] as const)('%s: %#', (why: Exclusion, statement) => {
  expect(exclusionOf(statement, AT)).toBe(why);
  const { excluded, items } = buildProfile([statement], AT);
  expect([items, excluded[why]]).toEqual([[], 1]);
});

describe('claims of one category', () => {
  const conflicts = (...texts: string[]): boolean[] =>
    buildProfile(
      texts.map((text) => said(text)),
      AT,
    ).items.map(({ isInConflict }) => isInConflict);

  test('are in one group where they differ, and none wins', () => {
    expect(conflicts('Ada lives in Bergen.', 'Ada lives in Oslo.')).toEqual([true, true]);
    expect(conflicts('Ada speaks French.', 'Ada speaks German.')).toEqual([true, true]);
    expect(conflicts('Ada works at Acme.', 'Ada is a nurse.')).toEqual([true, true]);
  });

  test('are in none where there is one of each', () => {
    expect(conflicts('Ada speaks French.', 'Ada lives in Oslo.')).toEqual([false, false]);
  });

  test('are one item where they say the same', () => {
    const { excluded, items } = buildProfile(
      [said('Ada lives in Oslo.'), said('Ada moved to Oslo.')],
      AT,
    );
    expect([items.length, excluded.duplicate]).toEqual([1, 1]);
  });
});

describe('what the caps leave out is counted where it was left out', () => {
  const profile = (...statements: ProfileStatement[]) => buildProfile(statements, AT);
  const speaks = (languages: readonly string[]) =>
    languages.map((language) => said(`Ada speaks ${language}.`));
  const NONE = { category: 0, items: 0, characters: 0, statements: 0 };
  const FIVE = ['French', 'German', 'Thai', 'Polish', 'Spanish'];
  const isLong = (text: string, length: number) =>
    said(text, { text: `${text} ${'and so on '.repeat(length)}`.slice(0, length) });

  test.each([
    ['four of a category', speaks(FIVE.slice(1)), 4, NONE],
    ['a fifth of a category', speaks(FIVE), 4, { ...NONE, category: 1 }],
    [
      'a statement of 240 characters',
      [isLong('Ada lives in Oslo.', MOST_STATEMENT_CHARS)],
      1,
      NONE,
    ],
    [
      'a statement of 241 characters, which is cut',
      [isLong('Ada lives in Oslo.', MOST_STATEMENT_CHARS + 1)],
      1,
      { ...NONE, statements: 1 },
    ],
    [
      'a seventh statement of 240 characters',
      [...FIVE.slice(0, 4), 'a', 'b', 'c'].map((word, at) =>
        isLong(at < 4 ? `Ada speaks ${word}.` : `Ada is called ${word.toUpperCase()}lva.`, 240),
      ),
      6,
      { ...NONE, characters: 1 },
    ],
  ] as const)('%s', (_, statements, returned, truncated) => {
    const found = profile(...statements);
    expect([found.items.length, found.truncated]).toEqual([returned, truncated]);
  });
});

const CITIES = ['Bergen', 'Oslo', 'Rome', 'Lima', 'Quito', 'Turin', 'Perth'] as const;
const LANGUAGES = ['French', 'German', 'Norwegian', 'Spanish', 'Thai', 'Polish'] as const;
const statement = fc
  .record({
    text: fc.oneof(
      fc.constantFrom(...CITIES).map((city) => `Ada lives in ${city}.`),
      fc.constantFrom(...LANGUAGES).map((language) => `Ada speaks ${language}.`),
      fc.constantFrom(...CITIES).map((name) => `Ada works at ${name} Ltd.`),
      fc.constantFrom(...CITIES).map((name) => `Ada is called ${name}.`),
      fc.constantFrom('Ada likes tea.', "Ada's pronouns are she/her.", "Ada's time zone is CET."),
    ),
    padding: fc.integer({ min: 0, max: 400 }),
    sources: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ padding, sources, text }) =>
    said(text, {
      text: `${text}${' And so on.'.repeat(Math.ceil(padding / 11))}`,
      sourceCount: sources,
      sourceMessageIds: Array.from({ length: sources }, (_, at) => `m-${at}`),
    }),
  );

test('the caps hold, whatever was said, and nothing is lost without being counted', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 60 }), (statements) => {
      const { eligible, excluded, items, truncated } = buildProfile(statements, AT);
      const perCategory = PROFILE_CATEGORIES.map(
        (category) => items.filter((item) => item.category === category).length,
      );
      const lengths = items.map((item) => countClusters(item.statement));
      expect(Math.max(0, ...perCategory)).toBeLessThanOrEqual(MOST_OF_A_CATEGORY);
      expect(items.length).toBeLessThanOrEqual(MOST_PROFILE_ITEMS);
      expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(MOST_STATEMENT_CHARS);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(
        MOST_PROFILE_CHARS,
      );
      expect(items.length + truncated.category + truncated.items + truncated.characters).toBe(
        eligible,
      );
      const out = Object.values(excluded).reduce((sum, count) => sum + count, 0);
      expect(eligible + out).toBe(statements.length);
    }),
  );
});

test('the order in which statements are read changes nothing', () => {
  fc.assert(
    fc.property(
      fc
        .array(statement, { maxLength: 20 })
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
      ([statements, shuffled]) => {
        expect(buildProfile(shuffled, AT)).toEqual(buildProfile(statements, AT));
      },
    ),
  );
});
