import { describe, expect, test } from '@jest/globals';
import { joinedStems, splitStems } from '../../../engine/english/compounds.ts';
import { framesQuestion } from '../../../engine/english/question-frame.ts';
import { relatedStems } from '../../../engine/english/related-words.ts';
import { contentTerms } from '../../../engine/text/analyze.ts';
import { readQuestion, withCompounds } from '../../../engine/text/ranked-question.ts';

function strengthOf(from: string, to: string): number {
  return relatedStems(from).find(({ stem }) => stem === to)?.strength ?? 0;
}

describe('related words', () => {
  test('lead from a kind to its examples more surely than back', () => {
    expect(strengthOf('pet', 'dog')).toBeGreaterThan(strengthOf('dog', 'pet'));
    expect(strengthOf('dog', 'pet')).toBeGreaterThan(0);
  });

  test('of one meaning lead both ways, and no word leads to itself', () => {
    expect(strengthOf('film', 'movi')).toBe(strengthOf('movi', 'film'));
    expect(strengthOf('film', 'film')).toBe(0);
    expect(relatedStems('constructor')).toEqual([]);
  });

  test.each([
    ['Where does Anna live?', 'lives'],
    ['When do we leave?', 'leaves'],
  ])('of "%s" are those of the form "%s", which has the stem of a noun', (question, form) => {
    const [said = ''] = contentTerms(form);
    const { terms, alternatives } = readQuestion(question);
    expect(terms.has(said)).toBe(false);
    expect(alternatives).toContainEqual(expect.objectContaining({ term: said, strength: 1 }));
  });

  test('are few for each word, so that a query stays small', () => {
    for (const stem of ['famili', 'activ', 'job', 'place', 'dog', 'trip']) {
      expect(relatedStems(stem).length).toBeGreaterThan(0);
      expect(relatedStems(stem).length).toBeLessThan(48);
    }
  });
});

describe('compounds', () => {
  test('join neighbouring words and split one', () => {
    expect(joinedStems(['a', 'road', 'trip'])).toContain('roadtrip');
    expect(splitStems('roadtrip')).toContainEqual(['road', 'trip']);
    expect(splitStems('trip')).toEqual([]);
    expect(splitStems('x'.repeat(400))).toEqual([]);
    expect(splitStems('straßenbahn')).toEqual([]);
  });

  test('count only where the word is rare and both of its parts are known', () => {
    const reading = readQuestion('Was the roadtrip long?');
    const terms = (known: Readonly<Record<string, number>>): string[] =>
      withCompounds(reading, (term) => known[term] ?? 0).alternatives.map(({ term }) => term);
    expect(terms({ road: 5, trip: 9 })).toEqual(expect.arrayContaining(['road', 'trip']));
    expect(terms({ road: 5 })).not.toContain('road');
    expect(terms({ road: 5, trip: 9, roadtrip: 40 })).not.toContain('road');
  });
});

describe('a question', () => {
  test('has words that only frame it, and words that it may mean', () => {
    const reading = readQuestion("What kind of pets are Ada's?");
    expect(reading.frame).toEqual(new Set(['kind']));
    expect(reading.alternatives).toContainEqual({ term: 'dog', insteadOf: 'pet', strength: 0.7 });
    expect(framesQuestion('boat')).toBe(false);
  });

  test('of any length has a bounded number of alternatives', () => {
    const words = Array.from({ length: 4_000 }, (_, n) => `pet family job${n} roadtripsomething`);
    const reading = readQuestion(words.join(' '));
    expect(reading.alternatives.length).toBeLessThanOrEqual(256);
    expect(reading.compounds.length).toBeLessThan(600);
  });
});
