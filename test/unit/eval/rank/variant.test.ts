import { describe, expect, test } from '@jest/globals';
import type { CorpusConversation } from '../../../../measure/eval/rank/corpus.ts';
import {
  scoreElsewhere,
  scoreLeavingOneOut,
  type RankerOf,
  type Variant,
} from '../../../../measure/eval/rank/variant.ts';

function conversation(name: string): CorpusConversation {
  return {
    name,
    style: 'peers',
    messages: [],
    questions: [{ text: 'q', answer: null, gold: ['gold'], kind: 'k' }],
    unanswerable: [],
    facts: [],
  };
}

/** Finds the gold message in the named conversations only. */
function findsIn(...names: string[]): RankerOf {
  return ({ name }) =>
    () =>
      names.includes(name) ? ['gold'] : ['other'];
}

const [a, b, c] = [conversation('a'), conversation('b'), conversation('c')];

describe('a setting', () => {
  const variant: Variant = {
    name: 'v',
    about: '',
    settings: [findsIn('a'), findsIn('b', 'c')],
  };

  test('is chosen without the conversation that it is scored on', () => {
    const [first, second] = scoreLeavingOneOut(variant, [[a, b], [c]]);
    // For `a`, the others prefer the second setting, which fails on it: its own gain does not count.
    expect(first?.map(({ figures }) => figures[0]?.[0])).toEqual([0, 0]);
    expect(second?.map(({ figures }) => figures[0]?.[0])).toEqual([0]);
  });

  test('for other conversations is the best on all of those that it is chosen by', () => {
    const [scored] = scoreElsewhere(variant, [[a, b], [c]], [c]);
    expect(scored?.figures[0]?.[0]).toBe(1);
  });
});
