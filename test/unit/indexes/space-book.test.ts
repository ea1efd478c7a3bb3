/** What a process knows of the collections that stand side by side. */
import { expect, test } from '@jest/globals';
import type { KeptSpace } from '../../../domain/models/vector-spaces.ts';
import { SpaceBook } from '../../../engine/indexes/spaces/space-book.ts';

const OLD: KeptSpace = { collection: 'old', dimensions: 384, state: 'ready' };
const NEW: KeptSpace = { collection: 'new', dimensions: 8, state: 'building' };

function bookOf(first: readonly KeptSpace[]) {
  const world = { kept: first, now: 0, asked: 0 };
  const book = new SpaceBook({
    own: { collection: 'new', dimensions: 8 },
    kept: async () => {
      world.asked += 1;
      return world.kept;
    },
    now: () => world.now,
  });
  return { book, world };
}

test('a search notices within a second that the new collection is ready, and asks no more often', async () => {
  const { book, world } = bookOf([OLD, NEW]);
  await book.load();
  expect([book.reading(), book.readsOwn()]).toEqual(['old', false]);
  world.kept = [{ ...NEW, state: 'ready' }, OLD];
  world.now = 999;
  for (let n = 0; n < 5; n += 1) book.reading();
  expect(world.asked).toBe(1);
  world.now = 1_000;
  for (let n = 0; n < 5; n += 1) book.reading();
  await Promise.resolve();
  expect(world.asked).toBe(2);
  expect([book.reading(), book.readsOwn()]).toEqual(['new', true]);
});

test('a write asks every time', async () => {
  const { book, world } = bookOf([OLD]);
  expect((await book.writing()).map(({ collection }) => collection)).toEqual(['old']);
  world.kept = [OLD, NEW];
  expect((await book.writing()).map(({ collection }) => collection)).toEqual(['new', 'old']);
  expect(world.asked).toBe(2);
});

test('without an answer of Postgres a search goes on with what was known, and a write fails', async () => {
  const failing = new SpaceBook({
    own: { collection: 'new', dimensions: 8 },
    kept: () => Promise.reject(new Error('away')),
    now: () => 5_000,
  });
  expect(failing.reading()).toBe('new');
  await expect(failing.writing()).rejects.toThrow('away');
});
