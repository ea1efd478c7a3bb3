/** The tree of scopes as it is read from the database, against the role that grants give at every path of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'slonik';
import { z } from 'zod';
import { roleAt, roleCovers, type Grant } from '../../../domain/identity/roles.ts';
import { openingsOf, openingsWithin, topsFrom } from '../../../domain/identity/openings.ts';
import {
  isWithin,
  parseScopePath,
  ROOT_PATH,
  type ScopePath,
} from '../../../domain/scopes/path.ts';
import { isOpen } from '../../../stores/postgres/visibility/open-scopes.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { Scene } from '../observations/scene.ts';

const RUNS = 60;

const path = (text: string): ScopePath => parseScopePath(text) ?? ROOT_PATH;

/** Names whose order by code points is another one than by language, and prefixes of each other. */
const NAMES = ['B', 'a', 'ab', 'a b', 'ä', '0', '-'];
const PATHS = [
  ROOT_PATH,
  ...NAMES.flatMap((one) => [
    path(one),
    ...NAMES.slice(0, 4).flatMap((two) => [path(`${one}/${two}`), path(`${one}/${two}/a`)]),
  ]),
];

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
/** Segments by their bytes, as the database compares them. */
const key = (text: string): string =>
  text === '/' ? '' : text.slice(1).split('/').map(bytes).join('!');
const inOrder = (paths: readonly string[]): string[] =>
  paths.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

const anyGrants: fc.Arbitrary<readonly Grant[]> = fc.array(
  fc.record({
    scopePath: fc.constantFrom(...PATHS, path('/missing'), path('/a/missing')),
    role: fc.constantFrom('reader', 'curator'),
    effect: fc.constantFrom('allow', 'allow', 'deny'),
    propagate: fc.boolean(),
  }),
  { maxLength: 6 },
);

let scene: Scene;
let account: string;
beforeAll(async () => {
  scene = await Scene.open();
  account = await scene.account();
  await createInAccount(scene.pool)(account, async ({ scopes }) => {
    for (const each of PATHS) await scopes.ensureChain(each);
  });
});
afterAll(() => scene.close());

/** All pages of the tree, each of so many scopes. */
async function pages(
  grants: readonly Grant[],
  within: ScopePath,
  limit: number,
): Promise<readonly string[]> {
  return createInAccount(scene.pool)(account, async ({ scopeDirectory }) => {
    const openings = openingsWithin(grants, within);
    const found: string[] = [];
    let after: { id: string; path: ScopePath } | null = null;
    for (;;) {
      const tops = after === null ? openings.tops : (topsFrom(openings.tops, after.path) ?? []);
      const rows = await scopeDirectory.page({ openings: { ...openings, tops }, after, limit });
      found.push(...rows.map((row) => row.path));
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return found;
      after = { id: last.id, path: path(last.path) };
    }
  });
}

describe('the tree of scopes', () => {
  test('is read in its order, whatever the language of the names', async () => {
    const all: Grant = { scopePath: ROOT_PATH, role: 'reader', effect: 'allow', propagate: true };
    expect(await pages([all], ROOT_PATH, 1_000)).toEqual(inOrder(PATHS));
  });

  test('lets through each scope that the grants open, once, over all pages, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyGrants,
        fc.constantFrom(...PATHS, path('/missing')),
        fc.integer({ min: 1, max: 20 }),
        async (grants, within, limit) => {
          const readable = PATHS.filter(
            (each) => isWithin(each, within) && roleAt(grants, each) !== null,
          );
          const found = await pages(grants, within, limit);
          expect(inOrder(found)).toEqual(inOrder(readable));
          expect(new Set(found).size).toBe(found.length);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('has the same scopes without an order, each once, those of a role too', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyGrants,
        fc.constantFrom(...PATHS, path('/missing')),
        fc.constantFrom('reader', 'curator'),
        async (grants, within, role) => {
          const openings = openingsWithin(grants, within, role);
          const some = (limit: number) =>
            createInAccount(scene.pool)(account, ({ scopeDirectory }) =>
              scopeDirectory.some(openings, limit),
            );
          const expected = PATHS.filter(
            (each) => isWithin(each, within) && roleCovers(roleAt(grants, each), role),
          );
          const found = (await some(1_000)).map((row) => row.path);
          expect(inOrder(found)).toEqual(inOrder(expected));
          expect(await some(3)).toHaveLength(Math.min(3, expected.length));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('says nothing of the scopes of another account', async () => {
    const other = await scene.account();
    const all: Grant = { scopePath: ROOT_PATH, role: 'reader', effect: 'allow', propagate: true };
    const found = await createInAccount(scene.pool)(other, ({ scopeDirectory }) =>
      scopeDirectory.page({ openings: openingsWithin([all], ROOT_PATH), after: null, limit: 100 }),
    );
    expect(found.map((row) => row.path).filter((each) => each !== ROOT_PATH)).toEqual([]);
  });
});

describe('the scope of a row', () => {
  test('is open where the grants give a role, as a condition of a query', async () => {
    await fc.assert(
      fc.asyncProperty(anyGrants, fc.option(fc.constantFrom(...PATHS)), async (grants, pin) => {
        const openings = openingsOf(grants, pin);
        const open = await withAccount(scene.pool, account, (tx) =>
          tx.anyFirst(sql.type(z.object({ path: z.string() }))`
            select s.path from scopes s where ${isOpen(sql.fragment`s.path`, openings)}`),
        );
        const readable = PATHS.filter(
          (one) =>
            (pin === null || isWithin(one, pin) || isWithin(pin, one)) &&
            roleCovers(roleAt(grants, one), 'reader'),
        );
        expect(inOrder(open)).toEqual(inOrder(readable));
      }),
      { numRuns: RUNS },
    );
  });
});
