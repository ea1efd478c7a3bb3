/** What a request describes without naming it is what its speaker had said of that thing, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import { valuesDescribed } from '../../../engine/english-extractor/described-values.ts';

const SAID = [
  'The Blue Cedar line is 020 7946 0184.',
  'One update: the borrowed safe phone changes, use 020 7946 0174 instead of 020 7946 0186.',
  'My cell is 020 7946 0112.',
  'My door code is 4471.',
  'We meet at noon in room 12.',
];

describe('a thing that was spoken of', () => {
  test.each([
    ['Please delete the old Blue Cedar callback line from shared memory.', ['020 7946 0184']],
    [
      'After Tuesday is done, please delete the temporary safe numbers from the shared memory.',
      ['020 7946 0174', '020 7946 0186'],
    ],
    ['Delete the door code from memory.', ['4471']],
    ['Please forget my phone number.', ['020 7946 0112']],
    ['Please delete my number from memory.', ['020 7946 0112']],
  ])('%s', (request, values) => {
    expect(valuesDescribed(request, SAID)).toEqual(values);
  });
});

describe('nothing', () => {
  test.each([
    'Please delete the Green Alder line from memory.',
    'Please delete my password from memory.',
    'The Blue Cedar line is busy.',
    'Delete the meeting room from memory.',
  ])('%s', (request) => {
    expect(valuesDescribed(request, SAID)).toEqual([]);
  });

  test('where somebody has two numbers and names neither', () => {
    const two = ['My number is 020 7946 0001.', "Ana's mobile is 020 7946 0002."];
    expect(valuesDescribed('Please forget my phone number.', two)).toEqual([]);
    expect(valuesDescribed('Please forget my phone number.', two.slice(1))).toEqual([
      '020 7946 0002',
    ]);
  });

  test('where it may be more than four values', () => {
    const many = Array.from({ length: 5 }, (_, at) => `The Cedar line is 020 7946 000${at}.`);
    expect(valuesDescribed('Delete the Cedar line from memory.', many)).toEqual([]);
  });
});
