/** A request names values: numbers, codes, addresses, quotations, names. What is to be kept is none of them. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldedTokens, keysOf } from '../../../domain/forgetting/tokens.ts';
import { requestsToForget } from '../../../engine/english-extractor/meant.ts';
import { valuesToForget } from '../../../engine/english-extractor/values-to-forget.ts';

const named = (content: string): readonly string[] =>
  valuesToForget(content).map(({ end, start }) => content.slice(start, end));
const doors = (content: string): readonly string[] =>
  valuesToForget(content)
    .filter(({ opensDoor }) => opensDoor)
    .map(({ end, start }) => content.slice(start, end));

describe('what opens a door or names a person', () => {
  test.each([
    ['Please forget my phone number 020 7946 0011.', '020 7946 0011'],
    ['Delete my telephone number +44 20 7946 0011 from memory.', '+44 20 7946 0011'],
    ['Delete the door code 7719 from memory.', '7719'],
    ['Don’t remember my PIN 4410.', '4410'],
    ['Delete the code 88-41 I gave you.', '88-41'],
    ['Forget my e-mail ina.berg@example.org, please.', 'ina.berg@example.org'],
    ['Remove the gateway token gw_77-Q2K-88X1 from memory.', 'gw_77-Q2K-88X1'],
    ['Forget my old address at 14 Quay Lane.', '14 Quay Lane'],
    ['Please do not store my birth date, 3 May 1971.', '3 May 1971'],
    ['Purge my passport number X1234567 from the file.', 'X1234567'],
    ['Please forget my account number 4459-1120.', '4459-1120'],
    ['Delete extension 44 from memory.', 'extension 44'],
  ])('%s', (content, value) => {
    expect(named(content)).toEqual([value]);
    expect(doors(content)).toEqual([value]);
  });
});

describe('what names something else', () => {
  test.each([
    ['Remove the supplier name Harrow Mills from shared memory.', ['Harrow Mills']],
    ['Can you forget that I live in Tromso?', ['Tromso']],
    ['Forget that my sister is called Ida Berg.', ['Ida Berg']],
    ['Please also delete the retired figure of 1,870 USD from active memory.', ['1,870']],
    ['Delete the label “temporary relocation” from memory.', ['temporary relocation']],
    ["Do not keep the note 'Project Lark = Harrow Foods'.", ['Harrow Foods']],
    [
      'Delete the mapping of Lark: do not retain that it corresponds to Harrow Foods.',
      ['Harrow Foods'],
    ],
    ['Delete the room assignment North Annex room 216 from memory.', ['room 216']],
    ['Forget my nickname Bobo.', ['Bobo']],
    ['Delete the wording late summer review from memory.', ['late summer review']],
    ['Please delete the date 12 March 2026 from your notes.', ['12 March 2026']],
  ])('%s', (content, values) => {
    expect(named(content)).toEqual(values);
    expect(doors(content)).toEqual([]);
  });
});

describe('several values of one request', () => {
  test.each([
    [
      'Delete 020 7946 0162, Larch House unit 4B, and gate code 2271 from memory.',
      ['020 7946 0162', 'unit 4B', '2271'],
    ],
    [
      'Delete the old desk number, extension 44, alias Nia, and the phrase Larch front desk.',
      ['extension 44', 'Nia', 'Larch front desk'],
    ],
  ])('%s', (content, values) => {
    expect(named(content)).toEqual(values);
  });

  test('are twenty at most', () => {
    const codes = Array.from({ length: 40 }, (_, at) => `code ${7_000 + at}`).join(', ');
    expect(named(`Please delete the codes: ${codes} from memory.`).length).toBeLessThanOrEqual(20);
  });
});

describe('what is to be kept is not named', () => {
  test.each([
    ["Delete 'the old wording' from memory and keep only 'the new wording'.", ['the old wording']],
    [
      'Delete the amount 1,900 EUR from memory now that 2,150 EUR is the approved amount.',
      ['1,900'],
    ],
    [
      'Remove the token zz_41-K8QM-7T1C from memory; keep only the fact that 1 incident occurred.',
      ['zz_41-K8QM-7T1C'],
    ],
    ['Forget my number 020 7946 0011 and use 020 7946 0022 instead.', ['020 7946 0011']],
    [
      "Delete the name Harrow Mills from memory. Summaries may still say 'the mill'.",
      ['Harrow Mills'],
    ],
  ])('%s', (content, values) => {
    expect(named(content)).toEqual(values);
  });
});

describe('a request that goes back to the sentence before it', () => {
  test.each([
    [
      'My old number was 020 7946 0011. Please forget it, delete it from memory.',
      ['020 7946 0011'],
    ],
    ['My code was 4471 and my number 020 7946 0011. Please delete that from memory.', []],
    ['We met at noon. Please delete that from memory.', []],
  ])('%s', (content, values) => {
    expect(named(content)).toEqual(values);
  });
});

describe('nothing is named', () => {
  test.each([
    'Please forget my old number.',
    'Erase everything I told you about my divorce.',
    'Stop keeping my location.',
    'I want the old wording removed from memory.',
    'The old internal label is deleted from memory.',
    'A later label may exist, but the old one should be treated as unavailable.',
    'I forgot my PIN 4471.',
    'My code is 4471.',
    'Bo wrote: "Delete the code 4471 from memory."',
    "Don't forget the 4 bottles of milk.",
    'Delete row 12 from the table.',
    'She asked me to delete the code 4471 from memory.',
  ])('%s', (content) => {
    expect(named(content)).toEqual([]);
  });
});

describe('whatever is said', () => {
  const word = fc.constantFrom(
    'delete',
    'forget',
    'the',
    'my',
    'code',
    '4471',
    'from memory',
    'keep only',
    '"Lark"',
    'number',
    '020 7946 0011',
    'and',
    'it',
    'is',
    'Ida',
    '.',
    ',',
  );
  const texts = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));

  test('a value is a stretch of a request, or of the sentence before it, with one to eight words', () => {
    fc.assert(
      fc.property(texts, (content) => {
        const requests = requestsToForget(content);
        for (const { end, start } of valuesToForget(content)) {
          const tokens = foldedTokens(content.slice(start, end));
          expect(tokens.length).toBeGreaterThan(0);
          expect(tokens.length).toBeLessThanOrEqual(8);
          expect(requests.some(([, until]) => start < until)).toBe(true);
        }
      }),
    );
  });

  test('a number is the same value in any grouping', () => {
    const grouped = fc.constantFrom(' ', '-', '.', '');
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000, max: 9_999_999 }), grouped, (digits, sign) => {
        const text = String(digits);
        const content = `Please delete my number ${text.slice(0, 3)}${sign}${text.slice(3)} from memory.`;
        const [value] = named(content);
        expect(keysOf(value ?? '', foldedTokens(value ?? ''))).toContain(text);
      }),
    );
  });
});
