/** What a plan without a model reads in a question, and how a query inherits what binds another. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planRound } from '../../../../domain/answers/recall/deterministic-plan.ts';
import { tokensOf } from '../../../../domain/answers/recall/caps.ts';
import { callKey, queryOf } from '../../../../domain/answers/recall/tools.ts';
import { withQueryOperatorsOf } from '../../../../domain/query/inherited.ts';
import { queryOperatorCheck } from '../../../../domain/query/match-operators.ts';
import { parseQuery } from '../../../../domain/query/parse-query.ts';
import { readPlan } from '../../../../engine/answers/recall/model-plan.ts';
import { readRecallQuestion } from '../../../../engine/answers/recall/read-question.ts';
import { evidence, idOf } from '../fixtures.ts';
import { sized } from '../../../support/run.ts';

const NOW = '2031-03-12T09:30:00.000Z';
const NO_SOURCES = { sourceExact: false, sourceSemantic: false };
const NOTHING = { tool: 'stable_profile' } as const;
const ALL = { sourceExact: true, sourceSemantic: true, stableProfile: true, lineage: true };

describe('a question', () => {
  test.each([
    ['Where does Ana live?', 'fact'],
    ['How many pets does Ana have?', 'enumeration'],
    ['List the cities that Ben visited.', 'enumeration'],
    ['When did Ana move?', 'temporal'],
    ['Does Ana still live in Oslo?', 'temporal'],
    ['Tell me about Ana.', 'summary'],
    ['Which tea would Ana prefer?', 'preference'],
    ['?!', 'unknown'],
    ['Wo wohnt Ana?', 'fact'],
  ])('%j is of the kind %s', (text, kind) => {
    expect(readRecallQuestion(text, NOW).kind).toBe(kind);
  });

  test('has names, a period from the reference time, and parts', () => {
    const question = readRecallQuestion(
      'Where did Ana Berg go in March 2030, and what did she buy there?',
      NOW,
    );
    expect(question.names).toEqual(['ana berg']);
    expect(question.period).toEqual({
      from: '2030-03-01T00:00:00.000Z',
      until: '2030-04-01T00:00:00.000Z',
    });
    expect(question.parts).toHaveLength(2);
    expect(readRecallQuestion('What did Ana do last year?', NOW).period).toEqual({
      from: '2030-01-01T00:00:00.000Z',
      until: '2031-01-01T00:00:00.000Z',
    });
    expect(readRecallQuestion('What is my name?', NOW).isOfOneself).toBe(true);
  });

  test('is asked in its own words first, then in those of what was found, and origins are looked at last', () => {
    const question = readRecallQuestion('Which pets does Ana Berg keep?', NOW);
    const found = ['bees', 'hens', 'goats', 'llamas'].map((pet, n) =>
      evidence(n + 1, `Ana keeps ${pet}.`),
    );
    const planned = (round: number, made: ReadonlySet<string>) =>
      planRound({ question, permissions: { ...ALL, ...NO_SOURCES }, round, evidence: found, made });
    const first = planned(1, new Set());
    expect(first.map(({ call, weight }) => [queryOf(call), weight])).toEqual([
      ['pets Ana Berg keep', 1],
      ['ana berg pets Ana Berg keep', 1],
    ]);
    const second = planned(2, new Set(first.map(({ call }) => callKey(call))));
    expect(second).toEqual([
      {
        call: {
          tool: 'search',
          query: 'pets Ana Berg keep Ana keeps bees. Ana keeps hens. Ana keeps goats.',
        },
        weight: 0.1,
      },
      ...[1, 2, 3].map((n) => ({ call: { tool: 'lineage', id: idOf(n) }, weight: 0.1 })),
    ]);
    const third = planned(3, new Set());
    expect(queryOf(third[0]?.call ?? NOTHING)).toBe('pets Ana Berg keep Ana keeps llamas.');
  });

  test('of any text has a plan for every round, in which nothing is repeated', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const question = readRecallQuestion(text, NOW);
        const made = new Set<string>();
        for (const round of [1, 2, 3]) {
          const calls = planRound({
            question,
            permissions: ALL,
            round,
            evidence: [evidence(1, 'Ana keeps bees.')],
            made,
          });
          const keys = calls.map(({ call }) => JSON.stringify(call).toLowerCase());
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });
});

describe('another wording', () => {
  test.each([
    ['pets', 'cats "and dogs" -fish or birds', 'cats and dogs birds'],
    ['"keeps bees" -hens who', 'insects "on roofs"', 'insects on roofs "keeps bees" -hens'],
    ['"a b" or -"c d" or e', 'x', 'x "a b" or x -"c d" or e'],
  ])('of %j for %j is %j', (question, wording, expected) => {
    expect(withQueryOperatorsOf(parseQuery(question), wording)).toBe(expected);
  });

  test('binds what the question binds, and never anything else', () => {
    const word = fc.constantFrom('ana', 'bees', 'hens', 'oslo', 'or', '-');
    const part = fc.oneof(
      word,
      fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
      word.map((text) => `-${text}`),
    );
    const query = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(' '));
    const text = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(query, query, text, (question, wording, candidate) => {
        const parsed = parseQuery(question);
        const accepted = queryOperatorCheck(parsed)(candidate);
        const inherited = queryOperatorCheck(parseQuery(withQueryOperatorsOf(parsed, wording)))(
          candidate,
        );
        expect(inherited).toBe(accepted);
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });
});

describe('the plan of a model', () => {
  const request = {
    question: 'Who?',
    referenceTime: NOW,
    permissions: ALL,
    evidence: [evidence(1, 'Ana keeps bees.')],
  };

  test('is read as far as it names tools of the list', () => {
    const steps = [
      { tool: 'search', query: ' pets ' },
      { tool: 'search_dates', query: 'moves', from: '2030-03', until: 'soon' },
      { tool: 'lineage', ref: 'S1' },
      { tool: 'lineage', ref: 'S7' },
      { tool: 'lineage', ref: idOf(1) },
      { tool: 'stable_profile' },
      { tool: 'search', query: '' },
      { tool: 'search', query: 7 },
      { tool: 'drop_table', query: 'x' },
      'search',
    ];
    expect(readPlan(JSON.stringify({ steps }), request)).toEqual([
      { tool: 'search', query: 'pets' },
      { tool: 'search_dates', query: 'moves', from: '2030-03-01T00:00:00.000Z', until: null },
      { tool: 'lineage', id: idOf(1) },
      { tool: 'stable_profile' },
    ]);
  });

  test('of anything else is none', () => {
    for (const text of ['', 'search', '[]', '{"steps": "all"}', '{}']) {
      expect(readPlan(text, request)).toBeNull();
    }
    fc.assert(fc.property(fc.json(), (text) => void readPlan(text, request)));
  });
});

test('tokens are a quarter of the bytes, rounded up', () => {
  expect([tokensOf(''), tokensOf('abcd'), tokensOf('abcde'), tokensOf('東京')]).toEqual([
    0, 1, 2, 2,
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(tokensOf(text)).toBe(Math.ceil(Buffer.byteLength(text) / 4));
    }),
  );
});
