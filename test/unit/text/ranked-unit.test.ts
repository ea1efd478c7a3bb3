import { describe, expect, test } from '@jest/globals';
import { dateTerms, readUnit } from '../../../engine/text/ranked-unit.ts';
import { cuesOf, readQuestion } from '../../../engine/text/ranked-question.ts';

const SPEAKERS = [
  { id: 'p1', name: 'Ada Stone' },
  { id: 'p2', name: 'Bob' },
];

describe('a unit', () => {
  test('is a short question only when it says little else', () => {
    expect(readUnit('What did you buy?').isShortQuestion).toBe(true);
    expect(readUnit('I bought a kettle.').isShortQuestion).toBe(false);
    expect(
      readUnit('I moved the old boat to the harbour near Bergen last week, did you see it?')
        .isShortQuestion,
    ).toBe(false);
  });

  test.each(['We met last week', 'It was in March', 'on the 3rd', 'Back in 2019', 'two days ago'])(
    'has a cue of time: %s',
    (text) => expect(readUnit(text).hasTimeCue).toBe(true),
  );

  test.each(['Ada likes tea', 'They marched on', 'a kettle for 30 euros'])(
    'has no cue of time: %s',
    (text) => expect(readUnit(text).hasTimeCue).toBe(false),
  );

  test("has the words of the day in the sender's own time", () => {
    const newYear = Date.UTC(2023, 11, 31, 23, 30);
    expect(dateTerms(newYear)).toEqual(['decemb', '31', '2023']);
    expect(dateTerms(newYear, 60)).toEqual(['januari', '1', '2024']);
    expect(dateTerms(Number.NaN)).toEqual([]);
  });
});

describe('a question', () => {
  const cues = (question: string, asker: string | null = null) =>
    cuesOf(readQuestion(question), SPEAKERS, asker);

  test('names a person by any part of the name, and nobody when it names several', () => {
    expect(cues("Where is Ada's boat?").person).toBe('p1');
    expect(cues('What do Ada and Bob like?').person).toBeNull();
    expect(cues('What is a boat?').person).toBeNull();
  });

  test('is compared with a bounded number of names', () => {
    const crowd = Array.from({ length: 4_000 }, (_, n) => ({ id: `p${n}`, name: `Guest ${n}` }));
    const late = [...crowd, { id: 'ada', name: 'Ada' }];
    expect(cuesOf(readQuestion('Where is Ada?'), late, null).person).toBeNull();
    expect(cuesOf(readQuestion('Where is Ada?'), late.toReversed(), null).person).toBe('ada');
  });

  test('is of the asker only where it speaks in the first person', () => {
    expect(cues('What is my quota?', 'p1').asker).toEqual({ speaker: 'p1' });
    expect(cues('What is my quota?').asker).toEqual({ speaker: null });
    expect(cues('What is the quota?', 'p1').asker).toBeNull();
  });

  test.each([
    'When did it end?',
    'How long was it?',
    'How many days passed?',
    'Which year was it?',
  ])('asks for a time: %s', (text) => expect(readQuestion(text).asksWhen).toBe(true));
});
