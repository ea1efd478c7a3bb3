import { describe, expect, test } from '@jest/globals';
import { dateTerms, readUnit } from '../../../engine/text/ranked-unit.ts';
import { readQuestion } from '../../../engine/text/ranked-question.ts';

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
  test('names a person by any part of the name, and nobody when it names several', () => {
    expect(readQuestion("Where is Ada's boat?", SPEAKERS, null).cues.person).toBe('p1');
    expect(readQuestion('What do Ada and Bob like?', SPEAKERS, null).cues.person).toBeNull();
    expect(readQuestion('What is a boat?', SPEAKERS, null).cues.person).toBeNull();
  });

  test('is of the asker only where there is one and it speaks in the first person', () => {
    expect(readQuestion('What is my quota?', [], 'p1').cues.asker).toBe('p1');
    expect(readQuestion('What is the quota?', [], 'p1').cues.asker).toBeNull();
    expect(readQuestion('What is my quota?', [], null).cues.asker).toBeNull();
  });

  test.each([
    'When did it end?',
    'How long was it?',
    'How many days passed?',
    'Which year was it?',
  ])('asks for a time: %s', (text) =>
    expect(readQuestion(text, [], null).cues.asksWhen).toBe(true),
  );
});
