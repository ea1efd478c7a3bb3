/** How a page of a list is filled from rows of which some are for others. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillPage, type FilledPage, type Looks } from '../../../operations/sources/places.ts';

/** A list that gives rows after one, as a store does. */
const listOf = (rows: readonly number[], limit: number) => async (after: number | null) => {
  const from = after === null ? 0 : rows.indexOf(after) + 1;
  return Promise.resolve(rows.slice(from, from + limit + 1));
};

/** All pages of a list, one after the other. */
async function pages(
  rows: readonly number[],
  limit: number,
  fits: (row: number) => boolean,
  looks?: Looks,
) {
  const found: number[][] = [];
  let cursor: number | null = null;
  do {
    const from: number | null = cursor;
    const page: FilledPage<number> = await fillPage(
      limit,
      (after: number | null) => listOf(rows, looks?.atOnce ?? limit)(after ?? from),
      fits,
      looks,
    );
    found.push([...page.rows]);
    cursor = page.last;
  } while (cursor !== null);
  return found;
}

describe('a page of a list', () => {
  test('leaves out nothing that fits and shows nothing twice, whatever is in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 120 }),
        fc.integer({ min: 1, max: 7 }),
        async (isMine, limit) => {
          const rows = isMine.map((_, at) => at);
          const fits = (row: number) => isMine[row] === true;
          const found = await pages(rows, limit, fits);
          expect(found.flat()).toEqual(rows.filter(fits));
          expect(found.every((page) => page.length <= limit)).toBe(true);
        },
      ),
    );
  });

  test('that looks at more or fewer rows at once leaves out nothing either', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 120 }),
        fc.integer({ min: 1, max: 7 }),
        fc.record({
          atOnce: fc.integer({ min: 1, max: 20 }),
          most: fc.integer({ min: 1, max: 4 }),
        }),
        async (isMine, limit, looks) => {
          const rows = isMine.map((_, at) => at);
          const fits = (row: number) => isMine[row] === true;
          const found = await pages(rows, limit, fits, looks);
          expect(found.flat()).toEqual(rows.filter(fits));
          expect(found.every((page) => page.length <= limit)).toBe(true);
        },
      ),
    );
  });

  test('ends early, with a cursor, when all that it looked at is for others', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => at);
    const page = await fillPage(5, listOf(rows, 5), (row) => row === 99);
    expect(page).toEqual({ rows: [], last: 49 });
  });
});
