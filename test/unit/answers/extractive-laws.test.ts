import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ExtractiveEvidence } from '../../../domain/answers/extractive/types.ts';
import { answerExtractively } from '../../../engine/answers/extractive.ts';
import { sized } from '../../support/run.ts';

const WORDS = 'race charity rain cake plum paints lake Oslo moved violin 2019 May when why'.split(
  ' ',
);
const PEOPLE = ['Anna', 'Bob', '李雷', null] as const;

const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(' '));

const instant = fc.constantFrom('2019-01-01T00:00:00Z', '2024-05-24T00:00:00Z', null);

function itemWith(text: fc.Arbitrary<string>): fc.Arbitrary<ExtractiveEvidence> {
  return fc.record({
    id: fc.uuid(),
    text,
    about: fc.constantFrom(...PEOPLE),
    spokenBy: fc.constantFrom(...PEOPLE),
    validity: fc.option(fc.record({ from: instant, until: instant })),
    saidAt: instant,
    score: fc.constantFrom(0, 0.2, 0.2, 0.9),
    disagreesWith: fc.constant([]),
    level: fc.constant('peer'),
    isProvisional: fc.boolean(),
  });
}

const evidence = fc.uniqueArray(itemWith(fc.oneof(sentence, fc.string())), {
  selector: ({ id }) => id,
  maxLength: 12,
});
/** The evidence, each item disputed by some of the others and by one that was not offered. */
const offered = fc.tuple(evidence, fc.array(fc.nat(11))).map(([items, disputed]) =>
  items.map((item, n) => ({
    ...item,
    disagreesWith: disputed.includes(n) ? [items.at(n - 1)?.id ?? '', 'elsewhere'] : [],
  })),
);
const question = fc.oneof(
  fc
    .tuple(fc.constantFrom('What did Anna', 'When did Bob', '李雷', 'Who'), sentence)
    .map((parts) => `${parts.join(' ')}?`),
  fc.string(),
);

function ask(asked: string, items: readonly ExtractiveEvidence[]) {
  return answerExtractively({
    question: asked,
    referenceTime: '2026-03-11T12:00:00Z',
    evidence: items,
  });
}

/** Signs and small words that no question asks for. */
const irrelevant = itemWith(fc.constantFrom('—', 'and of the', '…', '')).map((item) => ({
  ...item,
  id: `irrelevant ${item.id}`,
  about: null,
  spokenBy: null,
  saidAt: null,
  validity: null,
}));

describe('whatever is asked and offered', () => {
  test('only offered statements are cited, at most three, each once and word for word', () => {
    fc.assert(
      fc.property(question, offered, (asked, items) => {
        const { citedIds, text } = ask(asked, items);
        expect(citedIds.length).toBeLessThanOrEqual(3);
        expect(new Set(citedIds).size).toBe(citedIds.length);
        const quoted = citedIds.map((id) => items.find((item) => item.id === id)?.text);
        expect(quoted).not.toContain(undefined);
        expect(text).toBe(quoted.join('\n'));
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });

  test('the confidence is whole and between 0 and 100, and says whether the answer abstains', () => {
    fc.assert(
      fc.property(question, offered, (asked, items) => {
        const { abstained, citedIds, confidence } = ask(asked, items);
        expect(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100).toBe(true);
        expect(abstained).toBe(confidence < 50);
        if (citedIds.length === 0) expect(confidence).toBe(0);
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });

  test('the order of the evidence changes nothing', () => {
    fc.assert(
      fc.property(question, offered, fc.infiniteStream(fc.nat()), (asked, items, keys) => {
        const shuffled = items
          .map((item) => ({ item, key: keys.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ item }) => item);
        expect(ask(asked, shuffled)).toEqual(ask(asked, items));
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });

  test('an item that shares nothing with the question changes neither quotes nor confidence', () => {
    fc.assert(
      fc.property(question, offered, irrelevant, (asked, items, more) => {
        const before = ask(asked, items);
        expect(ask(asked, [...items, { ...more, score: 100 }])).toEqual(before);
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });

  test('the same answer is given again, and the evidence is left as it is', () => {
    fc.assert(
      fc.property(question, offered, (asked, items) => {
        const before = structuredClone(items);
        expect(ask(asked, items)).toEqual(ask(asked, items));
        expect(items).toEqual(before);
      }),
    );
  });

  test('without evidence it abstains', () => {
    fc.assert(
      fc.property(question, (asked) => {
        expect(ask(asked, [])).toEqual({ text: '', citedIds: [], confidence: 0, abstained: true });
      }),
    );
  });
});
