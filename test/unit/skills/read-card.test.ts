/** Reading a card as a curator wrote it: every fault at once, and one form for each content. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SELECTOR_WORDS } from '../../../domain/skills/card.ts';
import { readRequirements } from '../../../domain/skills/read-card.ts';
import { CardReading } from '../../../domain/skills/reading.ts';
import { requirementOf } from './fixtures.ts';

function read(value: unknown) {
  const reading = new CardReading((topic) => topic !== 'the');
  const requirements = readRequirements(value, reading);
  return {
    requirements,
    faults: reading.faults.map(({ message, path }) => [path.join('.'), message] as const),
  };
}
const placesOf = (value: unknown): readonly string[] => read(value).faults.map(([path]) => path);

const WHOLE = { key: 'one', level: 'required', source_policy: 'either', selector: {} };

describe('faults', () => {
  test('are all named at once, each by its place', () => {
    const faults = placesOf([
      {
        key: 'Not a slug',
        level: 'urgent',
        source_policy: 7,
        selector: {
          kind: ['fact', 'opinion'],
          subject: 'me',
          topic: ['tea', 'the', 3],
          minimum_confidence: 2,
          minimum_corroboration: 0.5,
          colour: 'green',
        },
        freshness: { revalidated_within_seconds: 0 },
        prompt: 'x'.repeat(501),
        enabled: 'no',
      },
      { ...WHOLE },
      { ...WHOLE },
      'nothing',
    ]);
    expect(faults.toSorted()).toEqual(
      [
        '0.enabled',
        '0.freshness.revalidated_within_seconds',
        '0.key',
        '0.level',
        '0.prompt',
        '0.selector',
        '0.selector.kind.1',
        '0.selector.minimum_confidence',
        '0.selector.minimum_corroboration',
        '0.selector.subject',
        '0.selector.topic.1',
        '0.selector.topic.2',
        '0.source_policy',
        '2.key',
        '3',
      ].toSorted(),
    );
  });

  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['no list', {}, ['']],
    ['nothing at all', null, ['']],
    ['a requirement without anything', [{}], ['0.key', '0.level', '0.source_policy', '0.selector']],
    ['a tombstone with its key alone', [{ key: 'one', enabled: false }], []],
    ['a tombstone with a wrong level', [{ key: 'one', enabled: false, level: 'x' }], ['0.level']],
    ['null for what may be left out', [{ ...WHOLE, prompt: null, freshness: null }], []],
    ['a further member', [{ ...WHOLE, colour: 'green' }], ['0']],
    ['an empty list', [{ ...WHOLE, selector: { kind: [] } }], []],
    [
      'a list for what is no list',
      [{ ...WHOLE, selector: { subject: ['peer'] } }],
      ['0.selector.subject'],
    ],
    [
      'nine topics',
      [{ ...WHOLE, selector: { topic: Array.from('abcdefghi') } }],
      ['0.selector.topic'],
    ],
    [
      'an attribute of a scope',
      [{ ...WHOLE, selector: { attribute: 'residence', subject: 'scope' } }],
      ['0.selector.attribute'],
    ],
    ['a NUL', [{ ...WHOLE, description: 'a\0b' }], ['0.description']],
    ['too many', Array.from({ length: 65 }, (_, n) => ({ ...WHOLE, key: `k${n}` })), ['']],
  ];
  test.each(rows)('of %s', (_, value, places) => {
    expect(placesOf(value)).toEqual(places);
  });

  test('repeat nothing of what was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const secret = 'qzqzqz';
        const { faults } = read([
          { ...WHOLE, key: secret.toUpperCase(), [secret]: value, level: value },
        ]);
        expect(JSON.stringify(faults).toLowerCase()).not.toContain(secret);
      }),
    );
  });
});

describe('the form in which a card is kept', () => {
  test('fills in what was left out', () => {
    expect(read([WHOLE])).toEqual({ requirements: [requirementOf()], faults: [] });
  });

  test('is one for each content: words alone or in lists, in any order, repeated topics', () => {
    const all = Object.entries(SELECTOR_WORDS).map(([name, words]) =>
      fc.subarray([...words] as string[], { minLength: 1 }).map((some) => [name, some] as const),
    );
    fc.assert(
      fc.property(
        fc.tuple(...all),
        fc.constantFrom('tea', ' tea ', 'te\u0301a'),
        (lists, topic) => {
          const plain = { ...Object.fromEntries(lists), topic: [topic] };
          const other = Object.fromEntries(
            Object.entries(plain).map(([name, words]) => {
              const [first] = words;
              return [name, words.length === 1 ? first : words.toReversed()];
            }),
          );
          const one = read([{ ...WHOLE, selector: plain }]);
          expect(one.faults).toEqual([]);
          expect(read([{ ...WHOLE, selector: { ...other, topic: [topic, topic] } }])).toEqual(one);
        },
      ),
    );
  });

  test('is read again as itself', () => {
    const { requirements } = read([{ ...WHOLE, selector: { kind: 'fact', topic: 'tea' } }]);
    expect(read(requirements).requirements).toEqual(requirements);
  });
});
