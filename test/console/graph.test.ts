/** A scope as a picture and as a table: what is in it for whom, and that it tells nothing of what is hidden. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, openScene, type Page, type Scene } from './scene.ts';

let scene: Scene;
let canoe: string;
let paris: string;
let deep: string;

const ID = /^\/console\/knowledge\/([0-9a-f-]{36})$/;

beforeAll(async () => {
  scene = await openScene();
  const { home } = scene.service;
  paris = await scene.said('I live in Paris.', '/team/pictures');
  canoe = await scene.said('I own a white canoe.', '/team/pictures');
  deep = await scene.said('I own a blue kite.', '/team/pictures/deep');
  await scene.said('I own a secret boat.', '/secret');
  for (const id of [paris, canoe])
    await home.rewrite(id, { state: 'active', sensitivity: 'internal' });
  await scene.service.rows('update knowledge set statement = $2 where id = $1', [
    canoe,
    'Alice owns a <b>bold</b> canoe.',
  ]);
  await home.rewrite(deep, { state: 'active', sensitivity: 'internal' });
  await home.person('teamster', { role: 'member', scope: '/team' });
});
afterAll(() => closeWithoutErrors(scene.service));

const open = async (person: string, query: string): Promise<Page> =>
  (await scene.signedIn(person)).open(`/console/graph${query}`);

/** The statements of the page, each once: in the picture, and in the table. */
function statementsOf(page: Page): readonly string[] {
  const ids = page.links.flatMap((link) => ID.exec(link)?.[1] ?? []);
  const picture = ids.slice(0, ids.length / 2);
  expect(ids.slice(ids.length / 2)).toEqual(picture);
  return picture.toSorted();
}

describe('the picture of a scope', () => {
  test('has each statement that the viewer may see, and its table has the same', async () => {
    const page = await open('teamster', '?scope=/team/pictures');
    expect([page.status, page.title]).toEqual([200, 'Picture of a scope · Vouch']);
    expect(statementsOf(page)).toEqual([paris, canoe].toSorted());
    expect(page.text).toContain('The same in words');
  });

  test('takes in the scopes below only when it is asked to', async () => {
    const page = await open('teamster', '?scope=/team/pictures&descendants=1');
    expect(statementsOf(page)).toEqual([paris, canoe, deep].toSorted());
    expect(page.text).toContain('in /team/pictures/deep');
  });

  test('is the same, however often it is asked for', async () => {
    const browser = await scene.signedIn('teamster');
    const svg = async () =>
      /<svg[^]*<\/svg>/.exec(
        (await browser.open('/console/graph?scope=/team/pictures')).source,
      )?.[0];
    const first = await svg();
    expect(first).toBeDefined();
    expect(await svg()).toBe(first);
  });

  test('shows markup of statements as text', async () => {
    const page = await open('teamster', '?scope=/team/pictures');
    expect(page.elements.has('b')).toBe(false);
    expect(page.text).toContain('<b>bold</b>');
  });

  test('draws what replaced a statement, and names it in the table', async () => {
    const older = await scene.said('I own a green boat.', '/team/moves');
    const newer = await scene.said('I own a yellow boat.', '/team/moves');
    const { home, rows } = { ...scene.service, rows: scene.service.rows.bind(scene.service) };
    await home.rewrite(newer, { state: 'active', sensitivity: 'internal' });
    await rows(
      `update knowledge set state = 'superseded', sensitivity = 'internal', updated_by_id = $2,
         row_version = row_version + 1 where id = $1`,
      [older, newer],
    );
    await rows(
      `update belief_periods set state = 'active', sensitivity = 'internal' where knowledge_id = $1`,
      [older],
    );
    const page = await open('teamster', '?scope=/team/moves');
    expect(statementsOf(page)).toEqual([older, newer].toSorted());
    expect(page.source).toContain('class="superseded_by"');
    expect(page.text).toMatch(/replaced by \d/);
  });

  test('has nothing of a statement that is hidden: not its dot, not its tie, not its name', async () => {
    const before = await open('teamster', '?scope=/team/pictures');
    // What alice says now is provisional: she and her agent see it.
    const hidden = await scene.said('I own a black boat.', '/team/pictures');
    const after = await open('teamster', '?scope=/team/pictures');
    const without = ({ source }: Page) => source.replaceAll(/value="[^"]{20,}"/g, '');
    expect(without(after)).toBe(without(before));
    expect(statementsOf(await open('alice', '?scope=/team/pictures'))).toContain(hidden);
  });

  test('of a hidden scope is not found, like that of a missing one, byte for byte', async () => {
    const browser = await scene.signedIn('teamster');
    const hidden = await browser.request('GET', '/console/graph?scope=/secret');
    const missing = await browser.request('GET', '/console/graph?scope=/nowhere');
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(hidden.text).toBe(missing.text);
  });

  test('without a scope is that of the first one that the viewer may read', async () => {
    const page = await open('teamster', '');
    expect(page.status).toBe(200);
    expect(page.forms.find(({ button }) => button === 'Show')?.fields['scope']).toBe('/team');
  });

  test('tells what to do next where there is nothing to draw, and what is wrong with a path', async () => {
    const nothing = await open('admin', '?scope=/');
    expect(nothing.status).toBe(200);
    expect(nothing.text).toContain('Nothing to draw');
    const wrong = await open('admin', '?scope=/a/../b&limit=nonsense');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Scope: must be a scope path.');
    expect(wrong.forms.find(({ button }) => button === 'Show')?.fields['scope']).toBe('/a/../b');
  });

  test('people who signed in may do this', async () => {
    const nobody = await scene.browser().request('GET', '/console/graph?scope=/team');
    expect([nobody.status, nobody.headers.location]).toEqual([
      303,
      '/sign-in?return_to=%2Fconsole%2Fgraph%3Fscope%3D%2Fteam',
    ]);
    const key = await scene.browser().request('GET', '/console/graph?scope=/team', {
      headers: { authorization: `Bearer ${scene.relay}` },
    });
    expect(key.status).toBe(303);
  });
});
