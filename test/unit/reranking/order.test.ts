/** The laws of an order that a reranker changed, for any judgements. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  judgementsIn,
  reasonOfJudgements,
  reordered,
  type Judgement,
} from '../../../domain/retrieval/reranking.ts';

const candidates = (count: number): string[] => Array.from({ length: count }, (_, at) => `c${at}`);
const PLAIN = { idOf: (id: string) => id, endedBy: () => null };

/** Candidates, and judgements of some of them with scores that often tie. */
const judgedSearches = fc.integer({ min: 0, max: 30 }).chain((count) =>
  fc.record({
    items: fc.constant(candidates(count)),
    judgements: fc.uniqueArray(
      fc.record({
        index: fc.integer({ min: 0, max: Math.max(0, Math.min(count, 20) - 1) }),
        score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })),
      }),
      { selector: ({ index }) => index, maxLength: Math.min(count, 20) },
    ),
  }),
);

describe('reranking', () => {
  test('loses no candidate and makes none up', () => {
    fc.assert(
      fc.property(judgedSearches, ({ items, judgements }) => {
        expect(reordered(items, judgements, PLAIN).toSorted()).toEqual(items.toSorted());
      }),
    );
  });

  test('leaves every candidate that was not judged in its place', () => {
    fc.assert(
      fc.property(judgedSearches, ({ items, judgements }) => {
        const judged = new Set(judgements.map(({ index }) => index));
        const result = reordered(items, judgements, PLAIN);
        for (const [place, item] of items.entries()) {
          if (!judged.has(place)) expect(result[place]).toBe(item);
        }
      }),
    );
  });

  test('puts the judged ones in the order of their scores, and ties in their old order', () => {
    fc.assert(
      fc.property(judgedSearches, ({ items, judgements }) => {
        const scoreOf = new Map(judgements.map(({ index, score }) => [items[index], score]));
        const judged = reordered(items, judgements, PLAIN).filter((item) => scoreOf.has(item));
        for (const [at, item] of judged.entries()) {
          const next = judged[at + 1];
          if (next === undefined) continue;
          const [score = 0, nextScore = 0] = [scoreOf.get(item), scoreOf.get(next)];
          expect(score).toBeGreaterThanOrEqual(nextScore);
          if (score === nextScore) expect(items.indexOf(item)).toBeLessThan(items.indexOf(next));
        }
      }),
    );
  });

  test('does not depend on the order in which the judgements came', () => {
    fc.assert(
      fc.property(judgedSearches, ({ items, judgements }) => {
        const turned = reordered(items, judgements.toReversed(), PLAIN);
        expect(turned).toEqual(reordered(items, judgements, PLAIN));
      }),
    );
  });

  test('never puts a judged statement before the judged one that ended it', () => {
    fc.assert(
      fc.property(judgedSearches, fc.nat(), ({ items, judgements }, step) => {
        // Each statement was ended by one that is some places further, so there are chains and no circles.
        const endedBy = (id: string): string | null =>
          items[items.indexOf(id) + 1 + (step % 5)] ?? null;
        const judged = new Set(judgements.map(({ index }) => items[index]));
        const result = reordered(items, judgements, { ...PLAIN, endedBy });
        for (const older of judged) {
          const newer = older === undefined ? null : endedBy(older);
          if (older === undefined || newer === null || !judged.has(newer)) continue;
          expect(result.indexOf(newer)).toBeLessThan(result.indexOf(older));
        }
      }),
    );
  });
});

/** A valid list for so many documents, in any of the two spellings. */
const validAnswers = fc.integer({ min: 0, max: 20 }).chain((documents) =>
  fc.record({
    documents: fc.constant(documents),
    rankings: fc.uniqueArray(
      fc.record({
        index: fc.integer({ min: 0, max: Math.max(0, documents - 1) }),
        score: fc.double({ noNaN: true, noDefaultInfinity: true }),
        name: fc.constantFrom('score', 'relevance_score'),
      }),
      { selector: ({ index }) => index, maxLength: documents },
    ),
  }),
);

describe('an answer of an endpoint', () => {
  test('is read in both spellings, whatever else it holds', () => {
    fc.assert(
      fc.property(validAnswers, ({ documents, rankings }) => {
        const sent = rankings.map(({ index, score, name }) => ({
          index,
          [name]: score,
          document: { text: 'x' },
        }));
        const read: Judgement[] = rankings.map(({ index, score }) => ({ index, score }));
        expect(judgementsIn(sent, documents)).toEqual(read);
        expect(reasonOfJudgements(read, documents)).toBe(
          read.length < documents ? 'partial_rankings' : null,
        );
      }),
    );
  });

  test.each([
    ['no list', { results: [] }],
    ['nothing', undefined],
    ['null', null],
    ['a text', '[{"index":0,"score":1}]'],
    ['a place past the documents', [{ index: 3, score: 1 }]],
    ['a negative place', [{ index: -1, score: 1 }]],
    ['half a place', [{ index: 0.5, score: 1 }]],
    ['a place as text', [{ index: '0', score: 1 }]],
    ['no place', [{ score: 1 }]],
    ['a score as text', [{ index: 0, score: '0.9' }]],
    ['no score', [{ index: 0 }]],
    ['null for a score', [{ index: 0, relevance_score: null }]],
    ['a score that is no number', [{ index: 0, score: Number.NaN }]],
    ['a score without end', [{ index: 0, score: Number.POSITIVE_INFINITY }]],
    ['a list in a list', [[0, 1]]],
    ['null in the list', [{ index: 0, score: 1 }, null]],
    ['a number in the list', [7]],
    [
      'a document twice',
      [
        { index: 1, score: 0.2 },
        { index: 1, score: 0.2 },
      ],
    ],
  ])('is not believed when it holds %s', (_, rankings) => {
    expect(judgementsIn(rankings, 3)).toBeNull();
    expect(reasonOfJudgements(judgementsIn(rankings, 3), 3)).toBe('invalid_result');
  });

  test('is not even walked through when it holds more rankings than documents', () => {
    let looked = 0;
    const trap = new Proxy(Array.from({ length: 1_000_000 }), {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    expect(judgementsIn(trap, 20)).toBeNull();
    expect(looked).toBe(0);
  });

  test('is read or refused without an exception, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(20), (answer, documents) => {
        const read = judgementsIn(answer, documents);
        expect(read === null || read.length <= documents).toBe(true);
      }),
    );
  });
});
