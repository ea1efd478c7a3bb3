import { describe, expect, test } from '@jest/globals';
import {
  rescore,
  RESCORE_WEIGHTS,
  type QuestionCues,
  type RankedUnit,
} from '../../../domain/ranking/rescore.ts';

const NO_CUES: QuestionCues = { person: null, asker: null, asksWhen: false };

function unit(sourceId: string, score: number, more: Partial<RankedUnit> = {}): RankedUnit {
  return {
    sourceId,
    score,
    session: 's1',
    speaker: 'ada',
    order: 0,
    isShortQuestion: false,
    hasTimeCue: false,
    saysSomething: false,
    isToAssistant: false,
    ...more,
  };
}

function order(units: readonly RankedUnit[], cues: Partial<QuestionCues> = {}): string[] {
  return rescore(units, { ...NO_CUES, ...cues }).map(({ sourceId }) => sourceId);
}

describe('scoring again', () => {
  test('gives a message the score of its best passage, once', () => {
    expect(rescore([unit('a', 1), unit('a', 3), unit('b', 2)], NO_CUES)).toEqual([
      { sourceId: 'a', score: 3, order: 0 },
      { sourceId: 'b', score: 2, order: 0 },
    ]);
  });

  test('puts the earlier of equal scores first; noise of the index does not count', () => {
    const late = unit('late', 2.000_01, { order: 9 });
    expect(order([late, unit('early', 2, { order: 3 })])).toEqual(['early', 'late']);
  });

  test('lifts the speaker that the question names, and cues of time when time is asked', () => {
    const other = unit('other', 1.1, { speaker: 'bob' });
    expect(order([other, unit('a', 1)])).toEqual(['other', 'a']);
    expect(order([other, unit('a', 1)], { person: 'ada' })).toEqual(['a', 'other']);
    const timed = unit('timed', 1, { speaker: 'bob', hasTimeCue: true });
    expect(order([other, timed])).toEqual(['other', 'timed']);
    expect(order([other, timed], { asksWhen: true })).toEqual(['timed', 'other']);
  });

  test('lifts the turns of who asks, or of whoever speaks to the assistant, only where there is one', () => {
    const other = unit('other', 1.1, { speaker: 'bob', isToAssistant: true });
    const said = unit('a', 1, { isToAssistant: true });
    expect(order([other, said], { asker: { speaker: 'ada' } })).toEqual(['a', 'other']);
    expect(order([other, said], { asker: { speaker: null } })).toEqual(['other', 'a']);
    const answer = unit('answer', 1.1, { speaker: 'assistant' });
    expect(order([answer, said], { asker: { speaker: null } })).toEqual(['a', 'answer']);
    expect(order([answer, said])).toEqual(['answer', 'a']);
    const betweenPeople = [unit('other', 1.1, { speaker: 'bob' }), unit('a', 1)];
    expect(order(betweenPeople, { asker: { speaker: 'ada' } })).toEqual(['other', 'a']);
  });

  test('lowers a unit that only asks', () => {
    expect(order([unit('asks', 1.1, { isShortQuestion: true }), unit('says', 1)])).toEqual([
      'says',
      'asks',
    ]);
  });

  test('lifts a message that says something', () => {
    expect(order([unit('thanks', 1.05), unit('says', 1, { saysSomething: true })])).toEqual([
      'says',
      'thanks',
    ]);
  });

  test('lifts the session that holds most of the hits, where there are more than four', () => {
    const hits = (sessions: number): RankedUnit[] => [
      unit('alone', 2.05, { session: 's0' }),
      unit('x', 2, { session: 's1' }),
      unit('y', 2, { session: 's1', order: 1 }),
      ...Array.from({ length: sessions - 2 }, (_, n) => unit(`z${n}`, 0.1, { session: `t${n}` })),
    ];
    expect(order(hits(4))[0]).toBe('alone');
    expect(order(hits(5))[0]).toBe('x');
    const best = rescore(hits(5), NO_CUES)[0];
    expect(best?.score).toBeCloseTo(2 + RESCORE_WEIGHTS.session * 2.05, 3);
  });

  test('answers nothing for nothing, whatever is asked', () => {
    expect(rescore([], { person: 'ada', asker: null, asksWhen: true })).toEqual([]);
  });
});
