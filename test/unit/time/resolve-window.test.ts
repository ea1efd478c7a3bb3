import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { resolveWindow } from '../../../engine/english/time/resolve-window.ts';

/** A Wednesday noon in UTC. */
const AT = '2026-03-11T12:00:00Z';

/** "from..until" as dates with their precision, on a sender in UTC. */
function windowOf(text: string, occurredAt = AT): string {
  const { from, until } = resolveWindow(text, { occurredAt, offsetMinutes: 0 });
  const show = (end: typeof from): string =>
    end === null ? '' : `${end.at.slice(0, 10)} ${end.precision}`;
  return `${show(from)}..${show(until)}`;
}

describe('days', () => {
  test.each([
    ['I called her yesterday', '2026-03-10 day..2026-03-11 day'],
    ['We left the day before yesterday', '2026-03-09 day..2026-03-10 day'],
    ['I saw it last Friday', '2026-03-06 day..2026-03-07 day'],
    ['I joined last Tues.', '2026-03-10 day..2026-03-11 day'],
    ['I went for a check-up Monday', '2026-03-09 day..2026-03-10 day'],
    ['We will meet on Friday', '2026-03-13 day..2026-03-14 day'],
    ['We meet next Friday', '2026-03-20 day..2026-03-21 day'],
    ['I met him three days ago', '2026-03-08 day..2026-03-09 day'],
    ['I met him a few days ago', '2026-03-04 day..2026-03-11 day'],
    ['I just launched a shop', '2026-03-11 day..2026-03-12 day'],
    ['It opens on 3 May 2026', '2026-05-03 day..2026-05-04 day'],
    ['It ran from May 3 to May 5, 2023', '2023-05-03 day..2023-05-06 day'],
    ['Signed 2023-05-08', '2023-05-08 day..2023-05-09 day'],
    ['We married on the 5th.', '2026-03-05 day..2026-03-06 day'],
  ])('%s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });

  test.each([
    ['The fair is on 03/04/2026', '..'],
    ['The fair is on 3-4-2026', '..'],
    ['The fair is on 03.04.2026', '..'],
    ['The fair is on 13/04/2026', '2026-04-13 day..2026-04-14 day'],
    ['The fair is on 04/13/2026', '2026-04-13 day..2026-04-14 day'],
    ['The fair is on 04/04/2026', '2026-04-04 day..2026-04-05 day'],
  ])('a date that two readers read as two days names none: %s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });

  test('last night at nine is the evening before', () => {
    const { from } = resolveWindow('He came last night at 9', { occurredAt: AT, offsetMinutes: 0 });
    expect(from).toEqual({ at: '2026-03-10T21:00:00.000Z', precision: 'time' });
  });
});

describe('weeks, weekends, months, seasons, quarters and years', () => {
  test.each([
    ['I was ill last week', '2026-03-02 day..2026-03-11 day'],
    ['We hiked last weekend', '2026-03-07 day..2026-03-09 day'],
    ['We tried snowshoeing this weekend', '2026-03-07 day..2026-03-09 day'],
    ['We will hike this weekend', '2026-03-14 day..2026-03-16 day'],
    ['I moved a few weeks back', '2026-02-04 day..2026-02-25 day'],
    ['I got hurt last month', '2026-02-01 month..2026-03-01 month'],
    ['We go camping next month', '2026-04-01 month..2026-05-01 month'],
    ['I started three months ago', '2025-12-01 month..2026-01-01 month'],
    ['We met in May', '2025-05-01 month..2025-06-01 month'],
    ['It was March 2022', '2022-03-01 month..2022-04-01 month'],
    ['We met last summer', '2025-06-01 month..2025-09-01 month'],
    ['A reunion next summer', '2026-06-01 month..2026-09-01 month'],
    ['Sales fell in Q3 2025', '2025-07-01 month..2025-10-01 month'],
    ['He left in early 2024', '2024-01-01 month..2024-05-01 month'],
    ['She painted it last year', '2025-01-01 year..2026-01-01 year'],
    ['He retired in 2019', '2019-01-01 year..2020-01-01 year'],
    ['It was the music of the 1990s', '1990-01-01 year..2000-01-01 year'],
    ['I quit three years ago', '2023-01-01 year..2024-01-01 year'],
    ['I lived in Rome from 2015 to 2019', '2015-01-01 year..2020-01-01 year'],
  ])('%s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });
});

describe('a state that began and continues', () => {
  test.each([
    ['I have been here for two years now', '2024-01-01 year..'],
    ['Seven years now, and I still paint', '2019-01-01 year..'],
    ['I have owned it for three months', '2025-12-01 month..'],
    ['Over the past two weeks I slept badly', '2026-02-25 day..'],
    ['She works there since 2019', '2019-01-01 year..'],
    ['Starting tomorrow, I will run', '2026-03-12 day..'],
    ['I lived there until 2021', '..2021-01-01 year'],
    ['Closed since last summer until March 2027', '2025-06-01 month..2027-03-01 month'],
  ])('%s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });
});

describe('an approximate number of months identifies a calendar month and ends nothing', () => {
  test.each([
    ['I adopted a grey cat called Miso about three months ago', '2025-12-01 month..'],
    ['About three months ago I adopted a grey cat', '2025-12-01 month..'],
    ['It was around 3 months ago that I moved', '2025-12-01 month..'],
    ['I bought it roughly three months back', '2025-12-01 month..'],
    ['I bought it approximately three months ago', '2025-12-01 month..'],
    ['I bought it just over three months ago', '2025-12-01 month..'],
    ['I bought it just under three months ago', '2025-12-01 month..'],
    ['I bought it more than three months ago', '2025-12-01 month..'],
    ['I bought it nearly three months ago', '2025-12-01 month..'],
    ['I bought it, I think, three months ago', '2025-12-01 month..'],
    ['I bought it maybe three months ago', '2025-12-01 month..'],
    ['I bought it some three months ago', '2025-12-01 month..'],
    ['I bought it close to three months ago', '2025-12-01 month..'],
    ['I bought it ~3 months ago', '2025-12-01 month..'],
    ['I bought it two or three months ago', '2025-12-01 month..'],
    ['I bought it two to three months ago', '2025-12-01 month..'],
    ['I bought it 2-3 months ago', '2025-12-01 month..'],
    ['I bought it three months ago or so', '2025-12-01 month..'],
    ['I bought it three months or so ago', '2025-12-01 month..'],
    ['I bought it three or so months ago', '2025-12-01 month..'],
    ['I bought it three months ago, give or take', '2025-12-01 month..'],
    ['I bought it three months ago, I think', '2025-12-01 month..'],
    ['I bought it a few months ago', '2025-12-01 month..'],
    ['I bought it several months ago', '2025-11-01 month..'],
    ['I bought it a couple of months ago', '2026-01-01 month..'],
    ['I bought it two and a half months ago', '2025-12-01 month..'],
    ['I bought it about a month ago', '2026-02-01 month..'],
    ['I bought it half a year ago', '2025-09-01 month..'],
    ['I bought it about a year and a half ago', '2024-09-01 month..'],
    ['I bought it about a year ago', '2025-03-01 month..'],
    ['I have had him for about three months', '2025-12-01 month..'],
    ['I have had him about three months now', '2025-12-01 month..'],
    ['He has been ours for a few months', '2025-12-01 month..'],
    ['I have owned it since about three months ago', '2025-12-01 month..'],
    ['It will open in about three months', '2026-06-01 month..'],
    ['It will open about three months from now', '2026-06-01 month..'],
    ['I will be away for the next few months', '2026-03-11 month..'],
  ])('%s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });

  test.each([
    ['I bought it three months ago', '2025-12-01 month..2026-01-01 month'],
    ['I bought it exactly three months ago', '2025-12-01 month..2026-01-01 month'],
    ['I bought it only three months ago', '2025-12-01 month..2026-01-01 month'],
    ['I bought it about three days ago', '2026-03-08 day..2026-03-09 day'],
    ['I bought it about two years ago', '2024-01-01 year..2025-01-01 year'],
    ['I will be away for the next three months', '2026-03-11 month..2026-06-01 month'],
    ['I lived there until about three months ago', '..2025-12-01 month'],
  ])('while other words keep their end: %s', (text, window) => {
    expect(windowOf(text)).toBe(window);
  });
});

describe('no window without a cue', () => {
  test.each([
    'I like green tea',
    'Add 1/2 cup of sugar and 3 eggs',
    'I sat in the sun',
    'He may go, and she will march on',
    'My son is 5 years old',
    'Since we last spoke, things were fine',
    "It's been a few days since we talked",
    'I go there every Friday',
    'It feels like just yesterday',
    'Room 2019 has 2,020 seats',
    'We lived there for two years',
    'The second one at 5',
    'Version 10.2.1 of the 24/7 service',
  ])('%s', (text) => {
    expect(resolveWindow(text, { occurredAt: AT, offsetMinutes: 0 })).toEqual({
      from: null,
      until: null,
      spans: [],
    });
  });
});

test("a day is the sender's day: its midnight in UTC moves with the offset", () => {
  const late = { occurredAt: '2026-03-11T23:30:00Z', offsetMinutes: 120 };
  expect(resolveWindow('I flew today', late).from?.at).toBe('2026-03-11T22:00:00.000Z');
  const west = { occurredAt: '2026-03-11T03:30:00Z', offsetMinutes: -300 };
  expect(resolveWindow('I flew today', west).from?.at).toBe('2026-03-10T05:00:00.000Z');
});

test('a named period wins over just, a statement over a question, and spans show the words', () => {
  const text = 'Free tomorrow? I just joined a club last Tuesday.';
  const { from, spans } = resolveWindow(text, { occurredAt: AT, offsetMinutes: 0 });
  expect(from?.at).toBe('2026-03-10T00:00:00.000Z');
  expect(spans.map(([start, end]) => text.slice(start, end))).toEqual(['last Tuesday']);
});

test('any text gives ordered ends, spans inside the text, and never throws', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'since ',
      'until ',
      'for ',
      '2 ',
      'years ',
      'ago ',
      'last ',
      'May ',
      '2019',
      'Friday ',
      'now ',
      'the ',
    ),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      fc.date({ noInvalidDate: true }),
      fc.integer({ min: -840, max: 840 }),
      (pieces, date, offsetMinutes) => {
        const text = pieces.join('');
        const { from, until, spans } = resolveWindow(text, {
          occurredAt: date.toISOString(),
          offsetMinutes,
        });
        if (from !== null && until !== null) expect(from.at < until.at).toBe(true);
        expect(spans.length > 0).toBe(from !== null || until !== null);
        expect(spans.every(([s, e]) => s >= 0 && s < e && e <= text.length)).toBe(true);
      },
    ),
  );
});
