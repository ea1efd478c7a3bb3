import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MOST_QUERY_NAMES, namesInQuery } from '../../../domain/entities/possible-names.ts';
import { aliasesOf, entitiesAmong, type NamedStatement } from '../../support/entity-index.ts';

const statementsOf = (...texts: readonly string[]): NamedStatement[] =>
  texts.map((text, n) => ({ id: String(n).padStart(4, '0'), text }));

const named = (query: string, ...texts: readonly string[]) =>
  aliasesOf(entitiesAmong(statementsOf(...texts), query));

describe('the entities of a query', () => {
  test.each([
    'Acme Rockets',
    'acme rockets',
    "acme rockets'",
    "who runs Acme Rockets' hall?",
    'ACME-ROCKETS',
  ])('are found by names of several words: %s', (query) => {
    expect(named(query, 'She joined Acme Rockets')).toEqual([['acme rockets']]);
  });

  test('are found by an address, whole', () => {
    expect(named('mail of anna@x.example?', 'Write to Anna@X.example')).toEqual([
      ['anna@x.example'],
    ]);
    expect(named('mail of anna?', 'Write to Anna@X.example')).toEqual([]);
  });

  test('join a single name to the one longer name that contains it', () => {
    const texts = ['We met Anna Smith', 'They like Anna'];
    expect(named('Where is Anna?', ...texts)).toEqual([['anna', 'anna smith']]);
    expect(named('where is anna smith', ...texts)).toEqual([['anna', 'anna smith']]);
  });

  test('leave a single name alone where two longer names contain it', () => {
    const texts = ['We met Anna Smith', 'We met Anna Jones', 'They like Anna'];
    expect(named('Where is Anna?', ...texts)).toEqual([['anna']]);
    expect(named('where is anna smith', ...texts)).toEqual([['anna smith']]);
  });

  test('join a single name that stands nowhere alone only where the query writes it as a name', () => {
    expect(named('the rooms of Lisbon', 'We saw the Lisbon Museum')).toEqual([['lisbon museum']]);
    expect(named('which museum', 'We saw the Lisbon Museum')).toEqual([]);
  });

  test('are not words that most statements write as a word', () => {
    const texts = ['She teaches Dance', 'a dance at night', 'we dance', 'they dance'];
    expect(named('what dance is it', ...texts)).toEqual([]);
    expect(named('what is Dance about', ...texts)).toEqual([['dance']]);
  });

  test('are not words that only begin sentences, unless the query writes them as names', () => {
    expect(named('who pays at acme', 'Acme pays well')).toEqual([]);
    expect(named('who pays at Acme', 'Acme pays well')).toEqual([['acme']]);
    expect(named('who pays at acme', 'Acme pays well', 'He joined Acme')).toEqual([['acme']]);
  });

  test('are not what the query excludes', () => {
    expect(named('rockets -Bob Acme', 'He met Bob at Acme')).toEqual([['acme']]);
  });

  test('do not overlap: the longest known name counts', () => {
    expect(named('New York Times', 'They read the New York Times in New York')).toEqual([
      ['new york times'],
    ]);
  });

  test('are resolved in each scope by itself', () => {
    const texts: NamedStatement[] = [
      { id: '1', text: 'We met Anna Smith', scopeId: 'a' },
      { id: '2', text: 'They like Anna', scopeId: 'a' },
      { id: '3', text: 'We met Anna Jones', scopeId: 'b' },
    ];
    expect(aliasesOf(entitiesAmong(texts, 'Where is Anna?'))).toEqual([
      ['anna', 'anna jones', 'anna smith'],
    ]);
    const [entity] = entitiesAmong(texts, 'where is Anna Smith');
    expect(entity?.names.map(({ scopeId }) => scopeId)).toEqual(['a', 'a']);
  });

  test('are found inside runs of scripts without spaces', () => {
    expect(named('三体的作者是谁', '他读了《三体》')).toEqual([['三体']]);
  });
});

test('a query has a bounded number of possible names, whatever it consists of', () => {
  for (const text of ['Ab '.repeat(1_000), '漢'.repeat(1_000), 'a@b.c '.repeat(600)]) {
    expect(namesInQuery(text, text.toLowerCase()).length).toBeLessThanOrEqual(MOST_QUERY_NAMES);
  }
});

const FIRST = ['Anna', 'Bob', 'Carla'] as const;
const LAST = ['Smith', 'Jones', ''] as const;
const statement = fc
  .tuple(
    fc.constantFrom(...FIRST),
    fc.constantFrom(...LAST),
    fc.constantFrom('We met', 'met'),
    fc.boolean(),
  )
  .map(([first, last, verb, begins]) => `${begins ? '' : `${verb} `}${first} ${last} and left`);

test('any order of the same statements gives the same entities', () => {
  fc.assert(
    fc.property(
      fc.array(statement, { minLength: 1, maxLength: 12 }).chain((texts) => {
        const all = statementsOf(...texts);
        return fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
        );
      }),
      fc.constantFrom('Where is Anna?', 'anna smith', 'Bob and Carla Jones', 'carla'),
      ([all, shuffled], query) => {
        expect(entitiesAmong(shuffled, query)).toEqual(entitiesAmong(all, query));
      },
    ),
  );
});
