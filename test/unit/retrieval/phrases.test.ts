import { describe, expect, test } from '@jest/globals';
import { asksByPhraseAlone, namedStatements } from '../../../engine/retrieval/phrases.ts';
import { planQuery } from '../../../engine/retrieval/query-plan.ts';

describe('a query', () => {
  test('of a phrase without a word that weighs asks by phrase alone', () => {
    expect(asksByPhraseAlone(planQuery('"it was one"'))).toBe(true);
    expect(asksByPhraseAlone(planQuery(`"they've been there" or "it is"`))).toBe(true);
  });

  test('with any word to rank by does not', () => {
    expect(asksByPhraseAlone(planQuery('"it was one" lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planQuery('"the old lighthouse"'))).toBe(false);
  });

  test('without a phrase does not, whatever it excludes', () => {
    expect(asksByPhraseAlone(planQuery('they were -lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planQuery('-lighthouse'))).toBe(false);
    expect(asksByPhraseAlone(planQuery(''))).toBe(false);
  });
});

describe('statements that hold a phrase', () => {
  test('are taken from every alternative, once, newest first', () => {
    const operators = [
      { onlyIds: ['a', 'c'], exceptIds: [] },
      { onlyIds: ['c', 'b'], exceptIds: ['d'] },
      { onlyIds: null, exceptIds: ['e'] },
    ];
    expect(namedStatements(operators, 10)).toEqual(['c', 'b', 'a']);
    expect(namedStatements(operators, 2)).toEqual(['c', 'b']);
  });

  test('are none where the engine could not say', () => {
    expect(namedStatements(null, 10)).toEqual([]);
  });
});
