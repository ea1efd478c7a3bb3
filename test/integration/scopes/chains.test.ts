/** The chain of a path, as SQL makes it and as scopes are made from it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { path, Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const LONGEST = path(`/${'𝔘'.repeat(128)}`.repeat(32));

function ensure(account: string, at: ScopePath): Promise<string> {
  return scene.environment.inAccount(account, ({ scopes }) => scopes.ensureChain(at));
}

async function scopesOf(account: string) {
  const rows = await scene.rows(
    `select s.path, parent.path as parent from scopes s left join scopes parent
       on parent.account_id = s.account_id and parent.id = s.parent_id
     where s.account_id = $1 order by char_length(s.path)`,
    [account],
  );
  return rows.map(({ path: at, parent }) => [at, parent]);
}

test('SQL and the rules make the same chain of a path', async () => {
  const segment = fc.constantFrom(
    'a',
    'team',
    'Ä',
    '語',
    '𝔘',
    'a b',
    '""',
    '{x}',
    '\\',
    'null',
    '%',
  );
  const paths = fc
    .array(segment, { maxLength: 32 })
    .map((segments) => path(`/${segments.join('/')}`));
  const sameChain = async (at: ScopePath): Promise<void> => {
    const [row] = await scene.rows('select scope_chain($1) as chain', [at]);
    expect(row).toEqual({ chain: scopeChain(at) });
  };
  await sameChain(LONGEST);
  await fc.assert(fc.asyncProperty(paths, sameChain));
});

test('a scope is made with what is missing above it, and is found from then on', async () => {
  const account = await scene.account();
  const team = await ensure(account, path('/team'));
  const deep = await ensure(account, path('/team/blue/desk'));
  expect(await scopesOf(account)).toEqual([
    ['/', null],
    ['/team', '/'],
    ['/team/blue', '/team'],
    ['/team/blue/desk', '/team/blue'],
  ]);
  expect(await ensure(account, path('/team'))).toBe(team);
  expect(await ensure(account, path('/team/blue/desk'))).toBe(deep);
});

test('several who make the longest path at once make it once', async () => {
  const account = await scene.account();
  const ids = await Promise.all(Array.from({ length: 4 }, () => ensure(account, LONGEST)));
  expect(new Set(ids).size).toBe(1);
  const chain = scopeChain(LONGEST);
  expect(await scopesOf(account)).toEqual(chain.map((at, depth) => [at, chain[depth - 1] ?? null]));
});
