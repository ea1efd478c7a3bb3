import { describe, expect, test } from '@jest/globals';
import { bagOf, BAG_WEIGHTS, type WeightedTerms } from '../../../domain/ranking/bag.ts';

const NOTHING = { next: [], second: [], question: null, sources: [], speaker: [], date: [] };

function words(...terms: string[]): WeightedTerms {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { terms: counts, length: terms.length };
}

describe('the bag of a unit', () => {
  test('is its own words when nothing is around it', () => {
    expect(bagOf({ ...NOTHING, own: words('boat', 'boat') })).toEqual(words('boat', 'boat'));
  });

  test('adds words of neighbours, of the speaker and of the date with their weights', () => {
    const bag = bagOf({
      own: words('boat'),
      next: [words('boat', 'sail')],
      second: [words('harbour')],
      question: words('sail'),
      sources: [words('boat', 'mast')],
      speaker: ['ada'],
      date: ['march', '2024'],
    });
    expect(bag.terms).toEqual(
      new Map([
        ['boat', 1 + 0.33 + 0.5],
        ['sail', 0.33 + 0.7],
        ['harbour', 0.15],
        ['mast', 0.5],
        ['ada', 0.5],
        ['march', 0.25],
        ['2024', 0.25],
      ]),
    );
    expect(bag.length).toBeCloseTo(1 + 2 * 0.33 + 0.15 + 2 * 0.5 + 0.7 + 0.5 + 2 * 0.25);
  });

  test('counts a long neighbour as forty terms, so that it does not drown the unit', () => {
    const long = words(...Array.from({ length: 400 }, (_, n) => `w${n}`));
    const bag = bagOf({ ...NOTHING, own: words('boat'), next: [long] });
    expect(bag.terms.get('w7')).toBeCloseTo(0.033);
    expect(bag.length).toBeCloseTo(1 + 40 * 0.33);
  });

  test('holds no word of a part that weighs nothing', () => {
    const parts = { ...NOTHING, own: words('boat'), next: [words('sail')], speaker: ['ada'] };
    const bag = bagOf(parts, { ...BAG_WEIGHTS, next: 0, speaker: 0 });
    expect([...bag.terms.keys()]).toEqual(['boat']);
  });
});
