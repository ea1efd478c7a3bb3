/** One search over several scopes on the real indexes: one ranking, as if one scope held all of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSearchScene, type AccountScene, type SearchData, type SearchScene } from './scene.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

const TEXTS = [
  'Anna keeps a red canoe at the lake',
  'A canoe is for sale',
  'The lake freezes in January',
  'Bread is baked on Tuesdays',
  'The red barn stands at the lake',
  'Ben keeps a canoe and a kayak',
] as const;

/** The statements and messages of the texts, at one of the paths in turns. */
async function filled(...paths: readonly string[]): Promise<AccountScene> {
  const account = await scene.account();
  for (const [n, text] of TEXTS.entries()) {
    const path = paths[n % paths.length] ?? '/';
    await account.statement({ text, path, recordedAt: `2026-03-0${n + 1}T10:00:00.000Z` });
    await account.message({ speaker: 'anna', text, path, session: `talk-${n}` });
  }
  await account.refresh();
  return account;
}

const QUERY = { query: 'red canoe lake', limit: 100, deadline: null } as const;
const scored = ({ candidates }: SearchData) =>
  candidates.map(({ fusion_score: score, statement }) => [statement, score]);

describe('a search of several scopes', () => {
  test.each(['fast', 'balanced', 'thorough'])(
    'with the profile %s ranks and scores what they hold as if one scope held it',
    async (profile) => {
      const apart = await filled('/a', '/b/deep', '/c');
      const together = await filled('/all');
      const one = await scene.search(await together.caller({ peer: 'anna' }), {
        ...QUERY,
        profile,
        scope_path: '/all',
      });
      const several = await scene.search(await apart.caller({ peer: 'anna' }), {
        ...QUERY,
        profile,
        scope_paths: ['/c', '/a', '/b/deep', '/nowhere'],
      });
      expect(one.candidates.length).toBeGreaterThan(3);
      expect(scored(several)).toEqual(scored(one));
    },
  );

  test('by a search over messages scores them in the same way', async () => {
    const apart = await filled('/a', '/b');
    const together = await filled('/all');
    const find = async (account: AccountScene, scopes: object) => {
      const reader = await account.caller({ peer: 'anna' });
      const asked = { query: QUERY.query, mode: 'exact', limit: 100, ...scopes };
      const { results } = await scene.sources(reader, asked);
      return results.map(({ excerpt, score }) => [excerpt, score]);
    };
    const one = await find(together, { scope_path: '/all' });
    expect(one.length).toBeGreaterThan(3);
    expect(await find(apart, { scope_paths: ['/b', '/a'] })).toEqual(one);
  });

  test('names the paths in its answer as the request means them, each once', async () => {
    const account = await filled('/a', '/b');
    const reader = await account.caller({ peer: 'anna' });
    const scope_paths = ['b/', '/a', '/b', '//a'];
    for (const answer of [
      await scene.search(reader, { ...QUERY, scope_paths }),
      await scene.sources(reader, { query: 'canoe', scope_paths }),
    ]) {
      expect(answer).toMatchObject({ scope_path: '/b', scope_paths: ['/b', '/a'] });
    }
    const one = await scene.search(reader, { ...QUERY, scope_path: 'b/' });
    expect(one.scope_path).toBe('/b');
    expect(one).not.toHaveProperty('scope_paths');
  });
});
