import { describe, expect, test } from '@jest/globals';
import {
  queryWeights,
  QUERY_TERM_WEIGHTS,
  type AlternativeTerm,
  type QueryTerms,
} from '../../../domain/ranking/query-weights.ts';

const rarity = (term: string): number => (term === 'common' ? 1 : 4);

function query(more: Partial<QueryTerms>): QueryTerms {
  return {
    terms: new Map([['pet', 1]]),
    frame: new Set(),
    alternatives: [],
    ...more,
  };
}

function alternative(term: string, insteadOf: string | null, strength = 1): AlternativeTerm {
  return { term, insteadOf, strength };
}

describe('weights of a query', () => {
  test('follow rarity and count', () => {
    const terms = new Map([
      ['pet', 2],
      ['common', 1],
    ]);
    expect(queryWeights(query({ terms }), rarity)).toEqual(
      new Map([
        ['pet', 8],
        ['common', 1],
      ]),
    );
  });

  test('are smaller for words that frame the question', () => {
    const { frame } = QUERY_TERM_WEIGHTS;
    expect(queryWeights(query({ frame: new Set(['pet']) }), rarity).get('pet')).toBe(4 * frame);
  });

  test('of a related word are at most those of either word', () => {
    const { related } = QUERY_TERM_WEIGHTS;
    const alternatives = [alternative('dog', 'pet', 0.5), alternative('common', 'pet')];
    const weights = queryWeights(query({ alternatives }), rarity);
    expect(weights.get('dog')).toBe(related * 0.5 * 4);
    expect(weights.get('common')).toBe(related * 1);
  });

  test('keep the larger weight of a word that stands for two, and leave words of the question alone', () => {
    const alternatives = [
      alternative('dog', 'pet', 0.5),
      alternative('dog', null),
      alternative('pet', null),
    ];
    const weights = queryWeights(query({ alternatives }), rarity);
    expect(weights.get('dog')).toBe(QUERY_TERM_WEIGHTS.compound * 4);
    expect(weights.get('pet')).toBe(4);
  });

  test('of a word that stands for one that is not asked are nothing', () => {
    const weights = queryWeights(query({ alternatives: [alternative('dog', 'cat')] }), rarity);
    expect(weights.has('dog')).toBe(false);
  });
});
