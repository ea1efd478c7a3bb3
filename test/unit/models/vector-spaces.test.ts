/** Which collections a process reads and writes while several vector spaces stand side by side. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readSpace, writtenSpaces, type KeptSpace } from '../../../domain/models/vector-spaces.ts';

const OLD: KeptSpace = { collection: 'old', dimensions: 384, state: 'ready' };
const NEW: KeptSpace = { collection: 'new', dimensions: 1024, state: 'building' };
const own = ({ collection, dimensions }: KeptSpace) => ({ collection, dimensions });

describe('a process of the new embedder', () => {
  test('searches the old collection until its own is ready', () => {
    expect(readSpace(own(NEW), [OLD, NEW]).collection).toBe('old');
    expect(readSpace(own(NEW), [{ ...NEW, state: 'ready' }, OLD]).collection).toBe('new');
  });

  test('searches the one that became ready last where its own was never begun', () => {
    const latest: KeptSpace = { collection: 'latest', dimensions: null, state: 'ready' };
    expect(readSpace(own(NEW), [latest, OLD]).collection).toBe('latest');
  });

  test('writes its own collection first, and the others too', () => {
    const written = writtenSpaces(own(NEW), [OLD, NEW]).map(({ collection }) => collection);
    expect(written).toEqual(['new', 'old']);
  });
});

test('a process of the old embedder goes on searching its own after the switch', () => {
  const switched: KeptSpace = { ...NEW, state: 'ready' };
  expect(readSpace(own(OLD), [switched, OLD]).collection).toBe('old');
  expect(readSpace(own(OLD), [switched]).collection).toBe('new');
});

test('a process that knows of no collection reads and writes its own', () => {
  expect(readSpace(own(NEW), [])).toEqual(own(NEW));
  expect(writtenSpaces(own(NEW), [])).toEqual([own(NEW)]);
});

test('every kept collection is written once, whoever writes', () => {
  const kept = fc.uniqueArray(
    fc.record<KeptSpace>({
      collection: fc.string({ minLength: 1, maxLength: 3 }),
      dimensions: fc.option(fc.integer({ min: 1, max: 9 })),
      state: fc.constantFrom('building', 'ready'),
    }),
    { selector: ({ collection }) => collection, minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(kept, fc.nat(9), (spaces, n) => {
      const mine = spaces[n % spaces.length] ?? NEW;
      const names = writtenSpaces(own(mine), spaces).map(({ collection }) => collection);
      expect(names.toSorted()).toEqual(spaces.map(({ collection }) => collection).toSorted());
      expect(names[0]).toBe(mine.collection);
      const read = readSpace(own(mine), spaces);
      const ready = spaces.filter(({ state }) => state === 'ready');
      expect(
        ready.length === 0 || ready.some(({ collection }) => collection === read.collection),
      ).toBe(true);
    }),
  );
});
