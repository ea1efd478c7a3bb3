import { describe, expect, test } from '@jest/globals';
import type { CorpusConversation } from '../../../../measure/eval/rank/corpus.ts';
import {
  equalWeights,
  mixed,
  ownFrequencies,
  poolFrequencies,
  softened,
  statementFrequencies,
} from '../../../../measure/eval/rank/frequencies.ts';
import { askedOf, index } from '../../../../measure/eval/rank/memory-index.ts';
import { prepare } from '../../../../measure/eval/rank/prepared.ts';
import { TARGET } from '../../../../measure/eval/rank/recipe.ts';
import type { Weighing } from '../../../../measure/eval/rank/shapes.ts';
import { statementsOf } from '../../../../measure/eval/rank/statements.ts';

const CONTENTS = [
  'I sold my old wooden canoe in Riga.',
  'I bought a bigger canoe last week.',
  'My cousin repairs clocks in Riga.',
  'Canoe, canoe!',
];

const TALK: CorpusConversation = {
  name: 'talk',
  style: 'peers',
  messages: CONTENTS.map((content, n) => ({
    id: `m${n}`,
    session: 's1',
    speaker: 'Ada',
    at: Date.UTC(2024, 2, 1),
    content,
  })),
  questions: [],
  unanswerable: [],
  facts: [],
};

const indexed = index(prepare(TALK, TARGET.passageTerms), TARGET);

function weights(weighing: Weighing): (term: string) => number {
  const weigh = weighing(indexed)(askedOf(indexed.prepared, 'canoe clocks'));
  return (term) => weigh(term, 1);
}

describe('weights of words', () => {
  test('follow the units that hold a word, the statements, or the units that were found', () => {
    for (const weighing of [ownFrequencies, statementFrequencies, poolFrequencies(4)]) {
      const weight = weights(weighing);
      expect(weight('clock')).toBeGreaterThan(weight('cano'));
    }
    const equal = weights(equalWeights);
    expect(equal('clock')).toBe(equal('cano'));
  });

  test('come closer together when softened or mixed with equal weights', () => {
    const spread = (weighing: Weighing): number => {
      const weight = weights(weighing);
      return weight('clock') / weight('cano');
    };
    expect(spread(softened(ownFrequencies, 0.5))).toBeLessThan(spread(ownFrequencies));
    expect(spread(mixed(ownFrequencies, equalWeights, 0.5, 1))).toBeLessThan(
      spread(ownFrequencies),
    );
  });

  test('are counted over the statements that the service draws from the messages', () => {
    const statements = statementsOf(TALK);
    expect(statements.map(({ sources }) => sources)).toContainEqual(['m0']);
    expect(statements.some(({ text }) => text.includes('canoe'))).toBe(true);
  });
});
