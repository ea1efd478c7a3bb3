import { describe, expect, test } from '@jest/globals';
import { containsWord, probeFor } from '../../../measure/bench/probe.ts';

describe('a probe', () => {
  test('is a phrase that message and statement share, and its longest word', () => {
    const probe = probeFor(
      'I bought a copper kettle in Riga, at last!',
      'Nora bought a copper kettle in Riga.',
    );
    expect(probe).toEqual({
      phrase: '"bought a copper"',
      word: 'bought',
      others: 'Nora copper kettle Riga',
      excluding: 'Nora copper kettle Riga -bought',
    });
  });

  test('keeps the marks inside a phrase and drops those around it', () => {
    expect(probeFor('"Kids & work" swamp me.', 'Kids & work swamp Nora.')?.phrase).toBe(
      '"Kids & work"',
    );
  });

  test('excludes no word that the rest of its query asks for', () => {
    const probe = probeFor('A boat is a boat, she said.', 'A boat is a boat, Nora said.');
    expect(probe?.others.toLowerCase().split(' ')).not.toContain(probe?.word.toLowerCase());
  });

  test('is none when nothing is shared', () => {
    expect(probeFor('Yes.', 'Nora agrees.')).toBeNull();
  });
});

test('a word is contained as a whole, in any case', () => {
  expect(containsWord("Nora's Boat sank.", 'boat')).toBe(true);
  expect(containsWord('Nora went boating.', 'boat')).toBe(false);
});
