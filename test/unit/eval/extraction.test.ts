import { describe, expect, test } from '@jest/globals';
import { declarativeBaseline, sentenceBaseline } from '../../../measure/eval/metrics/baselines.ts';
import {
  combined,
  measureExtraction,
  repeatedFromOneSource,
  type ExtractionCase,
} from '../../../measure/eval/metrics/extraction.ts';
import { stemsOf, tokenF1 } from '../../../measure/eval/metrics/stems.ts';

const CASE: ExtractionCase = {
  messages: new Map([
    ['m1', 'I bought a red kettle in Riga.'],
    ['m2', 'My cousin repairs old clocks.'],
    ['m3', 'Nice weather today!'],
  ]),
  statements: [
    { text: 'Ada bought a red kettle in Riga', sources: ['m1'], subject: 'Ada' },
    { text: 'The weather pleases everybody', sources: ['m3'], subject: 'Ada' },
  ],
  facts: [
    { text: 'Ada buys a kettle in Riga.', subject: 'Ada', evidence: ['m1'] },
    { text: "Ada's cousin repairs clocks.", subject: 'Ada', evidence: ['m2'] },
  ],
  answers: [
    { text: 'a red kettle', evidence: ['m1'] },
    { text: 'old clocks and watches', evidence: ['m2'] },
  ],
};

describe('stems', () => {
  test('fold case, inflection and irregular forms, and leave out stop words', () => {
    expect(stemsOf("She went to Ada's old clocks")).toEqual(['go', 'ada', 'old', 'clock']);
  });

  test('their F1 counts a repeated token as often as both have it', () => {
    expect(tokenF1(['a', 'a', 'b'], ['a', 'c'])).toBeCloseTo(2 / 5);
    expect(tokenF1(['a'], [])).toBe(0);
  });
});

describe('extraction figures', () => {
  const figures = measureExtraction(CASE);

  test('a fact is covered by a statement that cites its message, whatever its text', () => {
    expect(figures.coverage).toEqual({ held: 1, of: 2 });
  });

  test('a statement is on evidence when it cites a message of some fact', () => {
    expect(figures.precision).toEqual({ held: 1, of: 2 });
  });

  test('a fact and a statement match only when they share a message', () => {
    expect(figures.factRecall).toEqual({ held: 1, of: 2 });
    expect(figures.factPrecision).toEqual({ held: 1, of: 2 });
    const elsewhere = CASE.statements.map((statement) => ({ ...statement, sources: ['m2'] }));
    expect(measureExtraction({ ...CASE, statements: elsewhere }).factRecall.held).toBe(0);
  });

  test('an answer counts by the words that its evidence holds', () => {
    expect(figures.answerWords).toEqual({ held: 2, of: 4 });
  });

  test('a subject is compared only for a statement that matches a fact', () => {
    expect(figures.subject).toEqual({ held: 1, of: 1 });
    const wrong = CASE.statements.map((statement) => ({ ...statement, subject: 'Bob' }));
    expect(measureExtraction({ ...CASE, statements: wrong }).subject).toEqual({ held: 0, of: 1 });
  });

  test('conversations add up', () => {
    expect(combined([figures, figures]).perMessage).toEqual({ held: 4, of: 6 });
  });
});

test('a statement repeats another when text, subject and a source are the same', () => {
  const first = { text: 'Ada likes tea.', sources: ['m1'], subject: 'Ada' };
  const again = { ...first, text: 'ADA likes tea' };
  expect(repeatedFromOneSource([first, again])).toBe(1);
  expect(repeatedFromOneSource([first, { ...again, sources: ['m2'] }])).toBe(0);
  expect(repeatedFromOneSource([first, { ...again, subject: 'Bob' }])).toBe(0);
});

describe('baselines', () => {
  const message = {
    id: 'm1',
    speaker: 'Ada',
    content: 'Hi Bob! How are you? I sold my old wooden canoe yesterday. It was fun.',
  };

  test('every sentence is a statement of its speaker', () => {
    expect(sentenceBaseline([message]).map(({ text }) => text)).toEqual([
      'Ada Hi Bob!',
      'Ada How are you?',
      'Ada I sold my old wooden canoe yesterday.',
      'Ada It was fun.',
    ]);
  });

  test('the declarative one leaves out questions, greetings and what says little', () => {
    expect(declarativeBaseline([message]).map(({ text }) => text)).toEqual([
      'Ada I sold my old wooden canoe yesterday.',
    ]);
  });
});
