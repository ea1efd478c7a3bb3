import { describe, expect, test } from '@jest/globals';
import { asksByPhraseAlone, namedIds } from '../../../engine/retrieval/phrases.ts';
import { planQuery, type QueryPlan } from '../../../engine/text/query-plan.ts';

const planOf = (query: string): QueryPlan => planQuery(query, query);

describe('a query', () => {
  test('of a phrase of stop words asks by phrase only', () => {
    expect(asksByPhraseAlone(planOf('"it was one"'))).toBe(true);
    expect(asksByPhraseAlone(planOf(`"they've been there" or "it is"`))).toBe(true);
  });

  test('with any word to rank by does not', () => {
    expect(asksByPhraseAlone(planOf('"it was one" lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planOf('"the old lighthouse"'))).toBe(false);
  });

  test('without a phrase does not, whatever it excludes', () => {
    expect(asksByPhraseAlone(planOf('they were -lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planOf('-lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planOf(''))).toBe(false);
  });
});

describe('statements that hold a phrase', () => {
  test('are taken from every alternative, once, newest first', () => {
    const queryOperators = [
      { onlyIds: ['a', 'c'], exceptIds: [] },
      { onlyIds: ['c', 'b'], exceptIds: ['d'] },
      { onlyIds: null, exceptIds: ['e'] },
    ];
    expect(namedIds(queryOperators, 10)).toEqual(['c', 'b', 'a']);
    expect(namedIds(queryOperators, 2)).toEqual(['c', 'b']);
  });

  test('are none when the index did not answer', () => {
    expect(namedIds(null, 10)).toEqual([]);
  });
});
