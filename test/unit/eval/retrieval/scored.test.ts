import { describe, expect, test } from '@jest/globals';
import type { CorpusConversation } from '../../../../measure/eval/rank/corpus.ts';
import {
  figure,
  figuresOfAll,
  kindRows,
  only,
  ratioRows,
  recallAt,
  referencesOf,
} from '../../../../measure/eval/retrieval/scored.ts';

const said = (id: string, content: string) => ({
  id,
  session: 's',
  speaker: 'Ada',
  at: 0,
  content,
});
const conversation: CorpusConversation = {
  name: 'kettles',
  style: 'peers',
  messages: [said('m1', 'The kettles are red.'), said('m2', 'A boat sails.'), said('m3', 'Rain.')],
  questions: [
    { text: 'Which kettle?', answer: null, gold: ['m1'], kind: 'one' },
    { text: 'Which boat and which rain?', answer: null, gold: ['m2', 'm3'], kind: 'several' },
  ],
  unanswerable: [],
  facts: [],
};

const answered = [
  {
    conversation,
    found: [
      ['m2', 'm1'],
      ['m3', 'm1', 'm1'],
    ],
  },
];

describe('the figures of answers', () => {
  test('are the mean over all questions, or over some of them', () => {
    expect(figure(figuresOfAll(answered), 'R@1')).toBe(25);
    expect(figure(figuresOfAll(answered), 'R@10')).toBe(75);
    expect(figure(figuresOfAll(answered), 'MRR')).toBe(75);
    const several = answered.map((one) => only(one, ({ kind }) => kind === 'several'));
    expect(figure(figuresOfAll(several), 'R@10')).toBe(50);
    expect(kindRows('messages', answered)).toEqual([
      { metric: 'messages, one (1): R@10', value: 100 },
      { metric: 'messages, one (1): MRR', value: 50 },
      { metric: 'messages, several (1): R@10', value: 50 },
      { metric: 'messages, several (1): MRR', value: 100 },
    ]);
  });

  test('count a message where a statement cites it, within the depth', () => {
    const statements = [{ conversation, found: [[['m2', 'm1']], [['m1'], ['m2', 'm3']]] }];
    expect(recallAt(1, statements)).toBe(50);
    expect(recallAt(2, statements)).toBe(100);
  });

  test('count a question without an answer as not found', () => {
    const none = [{ conversation, found: [['m1'], []] }];
    expect(recallAt(10, none)).toBe(50);
    expect(figure(figuresOfAll(none), 'MRR')).toBe(50);
  });

  test('stand beside the references that are computed from the same messages', () => {
    const { stems, words } = referencesOf([conversation]);
    expect(stems[0]?.found[0]).toEqual(['m1']);
    expect(words[0]?.found[0]).toEqual([]);
  });

  test('are ratios with floors, which a lost place falls below', () => {
    const { stems } = referencesOf([conversation]);
    const reference = figuresOfAll(stems);
    const bars = { 'R@10': { floor: 1 } };
    expect(ratioRows('messages', figuresOfAll(stems), reference, bars)).toEqual([
      { metric: 'messages: R@10 / reference', value: 1, digits: 2, floor: 1 },
    ]);
    const [row] = ratioRows('messages', figuresOfAll(answered), reference, bars);
    expect(row?.value).toBe(0.75);
  });

  test('have names', () => {
    expect(() => figure([], 'R@7')).toThrow('no figure R@7');
  });
});
