/** What a query weighs: its own words, those that may stand for them, and what is asked of the database and the index. */
import { describe, expect, test } from '@jest/globals';
import { termId } from '../../../domain/ranking/term-id.ts';
import { planQuery, termIdsOf, weighWords } from '../../../engine/text/query-plan.ts';
import { personNamed } from '../../../engine/text/ranked-question.ts';

const ACCOUNT = 'account';
const NO_FREQUENCIES = { units: 0, byTerm: new Map<number, number>() };

const planOf = (query: string) => planQuery(query, query);

/** Weights by term, of terms in so many of a hundred statements. */
function weigh(query: string, known: Readonly<Record<string, number>> | null = null) {
  const frequencies =
    known === null
      ? NO_FREQUENCIES
      : {
          units: 100,
          byTerm: new Map(
            Object.entries(known).map(([term, df]) => [termId(ACCOUNT, term), df] as const),
          ),
        };
  const words = weighWords(planOf(query), ACCOUNT, frequencies);
  const weightOf = (term: string): number => {
    const at = words.asked.indices.indexOf(termId(ACCOUNT, term));
    return words.asked.values[at] ?? 0;
  };
  return { ...words, weightOf };
}

describe('the words of a query', () => {
  test('are asked for with words that may stand for them, which weigh less and are not in the total', () => {
    const { alternatives, own, total, weightOf } = weigh('a pet in Oslo');
    expect(weightOf('dog')).toBeGreaterThan(0);
    expect(weightOf('dog')).toBeLessThan(weightOf('pet'));
    expect(alternatives.has('dog')).toBe(true);
    expect(alternatives.has('pet')).toBe(false);
    expect(own.indices).toHaveLength(2);
    expect(total).toBeCloseTo(weightOf('pet') + weightOf('oslo'), 3);
  });

  test('weigh by how rare they are, words that frame a question half of it', () => {
    const { weightOf } = weigh('what kind of boat', { kind: 4, boat: 4 });
    expect(weightOf('kind')).toBeCloseTo(weightOf('boat') / 2, 9);
    const rare = weigh('what kind of boat', { kind: 4, boat: 1 });
    expect(rare.weightOf('boat')).toBeGreaterThan(weightOf('boat'));
  });

  test('weigh the same to a reader without frequencies, and none of them is taken for two', () => {
    const { weightOf } = weigh('roadtrip harbour');
    expect(weightOf('roadtrip')).toBeCloseTo(weightOf('harbour'), 9);
    expect(weightOf('road')).toBe(0);
    expect(weigh('roadtrip harbour', { road: 3, trip: 3 }).weightOf('road')).toBeGreaterThan(0);
  });

  test('that all weigh nothing ask for nothing, not even written as one', () => {
    const { asked, own, total } = weigh('it was one');
    expect([asked.indices, own.indices, total]).toEqual([[], [], 0]);
  });

  test('are as few as are asked for, the weightiest of them', () => {
    const many = Array.from({ length: 240 }, (_, n) => `word${n} pet family trip`).join(' ');
    const { alternatives, asked, own, weightOf } = weigh(many);
    expect(asked.indices).toHaveLength(256);
    expect(own.indices).toHaveLength(243);
    expect(alternatives.size).toBe(13);
    // Weighed like a word of the question, as often as it was said.
    expect(weightOf('pet')).toBeGreaterThan(100 * weightOf('word7'));
  });
});

describe('the terms that are looked up', () => {
  const idOf = (term: string): number => termId(ACCOUNT, term);

  test('are those of the query, of what may stand for them, and parts of what may be two words', () => {
    const wanted = termIdsOf(planOf('roadtrip with a pet'), ACCOUNT);
    expect(wanted[0]).toBe(idOf('roadtrip'));
    expect(wanted).toEqual(expect.arrayContaining(['pet', 'dog', 'road', 'trip'].map(idOf)));
    expect(new Set(wanted).size).toBe(wanted.length);
  });

  test('are bounded, those of the query first', () => {
    const words = Array.from({ length: 256 }, (_, n) => `unheardword${n} pet family roadtrips`);
    const plan = planOf(words.join(' '));
    const wanted = termIdsOf(plan, ACCOUNT);
    expect(wanted.length).toBeLessThanOrEqual(512);
    const own = [...plan.terms.keys()].map(idOf);
    expect(own).toHaveLength(256);
    expect(wanted.slice(0, 256)).toEqual(own);
  });
});

describe('a word that nobody used', () => {
  const held = ['boat', 'harbour', 'home', 'carolin'].map(
    (term) => [termId(ACCOUNT, term), 4] as const,
  );
  const known = { byTerm: new Map(held), units: 100 };
  const repair = { term: 'harbuor', meant: 'harbour' };
  const weighed = (query: string, repairs = [repair]) => {
    const words = weighWords(planOf(query), ACCOUNT, known, repairs);
    const weightOf = (term: string): number =>
      words.asked.values[words.asked.indices.indexOf(termId(ACCOUNT, term))] ?? 0;
    return { ...words, weightOf };
  };

  test('is asked for as it is and as it may be meant, which counts less than a word that is spelt right', () => {
    const { alternatives, own, weightOf } = weighed('harbuor boat');
    expect(weightOf('harbour')).toBeCloseTo(0.8 * weightOf('boat'), 2);
    expect(weightOf('harbuor')).toBeGreaterThan(weightOf('harbour'));
    expect(own.indices).toHaveLength(2);
    expect(alternatives.has('harbour')).toBe(true);
  });

  test('counts in the total as much as the word that is meant', () => {
    const { total, weightOf } = weighed('harbuor boat');
    expect(total).toBeCloseTo(2 * weightOf('boat'), 2);
    expect(weighed('harbuor boat', []).total).toBeGreaterThan(total);
  });

  test('has the related words of the word that is meant, below it', () => {
    const { weightOf } = weighed('huose', [{ term: 'huos', meant: 'home' }]);
    expect(weightOf('apart')).toBeGreaterThan(0);
    expect(weightOf('apart')).toBeLessThan(weightOf('home'));
  });

  test('names a speaker as the word that is meant does', () => {
    const repairs = [{ term: 'carolne', meant: 'carolin' }];
    const speakers = [
      { id: '1', name: 'Caroline' },
      { id: '2', name: 'Ben' },
    ];
    expect(personNamed(weighed('carolne boat', repairs).reading, speakers)).toBe('1');
    expect(personNamed(weighed('carolne boat', []).reading, speakers)).toBeNull();
  });

  test.each([
    ['harbuor', ['harbuor']],
    ['canoe or harbuor', ['canoe', 'harbuor']],
    ['"harbuor" canoe', ['canoe']],
    ['harbuor "red harbuor" canoe', ['canoe']],
    ['canoe -harbuor -"red harbuor"', ['canoe']],
    ['harbuor7 cot 12345 лодкаа', []],
  ])('may be repaired in %s: %j', (query, words) => {
    expect(planOf(query).repairable.map(({ word }) => word)).toEqual(words);
  });
});
