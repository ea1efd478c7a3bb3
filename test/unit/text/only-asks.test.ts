/** Which messages only ask: they are no evidence of what they ask about. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { onlyAsks } from '../../../engine/text/only-asks.ts';

test.each([
  'Where does Ana live?',
  'Hey Mel! How was the trip?',
  'Wow, thanks! Did you make that bowl yourself? And when?',
  'What is the number that she left?',
  'Wo wohnt Ana?',
  'アナはどこに住んでいますか？',
  '"Where is it?"',
])('only asks: %s', (text) => {
  expect(onlyAsks(text)).toBe(true);
});

test.each([
  'Ana lives in Porto.',
  'I moved to Porto in May. Where do you live?',
  'Where do you live? I live in Porto now.',
  'It was 415. Right?',
  'Hello there!',
  '',
  'Ana asked where the boathouse is.',
])('tells something, or asks nothing: %s', (text) => {
  expect(onlyAsks(text)).toBe(false);
});

test('a sentence that tells something ends it, wherever it stands', () => {
  const questions = fc.array(
    fc.constantFrom('Where is it?', 'Why?', 'Hey Mel!', 'When did she go?'),
  );
  fc.assert(
    fc.property(questions, questions, (before, after) => {
      const text = [...before, 'Ana keeps two goats here.', ...after].join(' ');
      expect(onlyAsks(text)).toBe(false);
    }),
  );
});
