import { describe, expect, test } from '@jest/globals';
import type { CorpusConversation, CorpusMessage } from '../../../../measure/eval/rank/corpus.ts';
import { ranker } from '../../../../measure/eval/rank/memory-index.ts';
import { prepare } from '../../../../measure/eval/rank/prepared.ts';
import { TARGET } from '../../../../measure/eval/rank/recipe.ts';
import { plainStemsOf, referenceRanker } from '../../../../measure/eval/rank/reference.ts';

function message(id: string, speaker: string, content: string, session = 's1'): CorpusMessage {
  return { id, session, speaker, at: Date.UTC(2024, 2, 1), content };
}

const TALK: CorpusConversation = {
  name: 'talk',
  style: 'peers',
  messages: [
    message('m1', 'Ada', 'Which boat did you buy in the end?'),
    message('m2', 'Bob', 'The green one with two masts.'),
    message('m3', 'Ada', 'Lovely weather today.'),
    message('m4', 'Bob', 'I repaired old clocks all winter.', 's2'),
    message('m5', 'Ada', 'My clocks are new.', 's2'),
  ],
  questions: [],
  unanswerable: [],
  facts: [],
};

describe('the ranker', () => {
  const rank = ranker(prepare(TALK, TARGET.passageTerms), TARGET);

  test('finds an answer by the words of the question before it', () => {
    expect(rank('What boat did Bob buy?')[0]).toBe('m2');
    const without = ranker(prepare(TALK, 40), {
      ...TARGET,
      bag: { ...TARGET.bag, next: 0, second: 0 },
    });
    expect(without('Which boat?')).toEqual(['m1']);
    expect(rank('Which boat?')).toContain('m2');
  });

  test('takes no words from another session', () => {
    expect(rank('clocks')).not.toContain('m3');
  });

  test('prefers the person that the question names', () => {
    expect(rank("Bob's clocks")[0]).toBe('m4');
    expect(rank("Ada's clocks")[0]).toBe('m5');
  });
});

describe('the reference', () => {
  test('ranks whole messages by their own stems', () => {
    expect(plainStemsOf('She went to the clocks')).toEqual(['went', 'clock']);
    expect(referenceRanker(TALK, plainStemsOf)('repairing clocks')).toEqual(['m4', 'm5']);
    expect(referenceRanker(TALK, plainStemsOf)('kettle')).toEqual([]);
  });
});
