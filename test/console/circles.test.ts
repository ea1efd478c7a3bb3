/** Circles on pages: who makes, sees, changes and deletes them, and what is said before somebody becomes a member. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { closeWithoutErrors, openScene, type Browser, type Page, type Scene } from './scene.ts';

const PATH = '/console/scopes/circles';
const HERE = `${PATH}?scope=/team`;

let scene: Scene;
let curator: Browser;
let reader: Browser;
let alice: Browser;

beforeAll(async () => {
  scene = await openScene();
  await scene.said('I keep bees.', '/else');
  curator = await scene.signedIn('curator');
  reader = await scene.signedIn('reader');
  alice = await scene.signedIn('alice');
});
afterAll(async () => closeWithoutErrors(scene?.service));

const create = async (name: string, members: string, browser = curator): Promise<Page> =>
  browser.submit(await browser.open(HERE), 'Create', { name, members });
const pathOf = (page: Page): string => page.path.split('?')[0] ?? '';
const buttons = ({ forms }: Page): readonly string[] => forms.map(({ button }) => button);
const READS_EARLIER = 'reads everything that is addressed to the circle, earlier things too';

/** A form that the page of the browser does not show. */
async function send(browser: Browser, path: string, fields: Readonly<Record<string, string>>) {
  const csrf = (await browser.open('/console')).forms[0]?.fields['_csrf'] ?? '';
  return browser.request('POST', path, { fields: { _csrf: csrf, ...fields } });
}

describe('a curator', () => {
  test('makes a circle, and is told before what its members will read', async () => {
    expect((await curator.open(HERE)).text).toContain(READS_EARLIER);
    const page = await create('care team', 'alice, relay');
    expect([page.status, page.text.includes('You created the circle')]).toEqual([200, true]);
    for (const words of ['care team', '2 members', 'alice', 'relay']) {
      expect(page.text).toContain(words);
    }
    expect((await curator.open(HERE)).text).toContain('care team');
  });

  test('adds and removes members on its page, where the same sentence stands', async () => {
    const page = await create('changing', 'alice');
    expect(page.text).toContain(READS_EARLIER);
    const own = scene.emailOf('curator');
    const more = await curator.submit(page, 'Add', { add: own });
    expect([more.text.includes('You added members'), more.text.includes('2 members')]).toEqual([
      true,
      true,
    ]);
    expect(more.text).toContain('Added themself');
    const same = await curator.submit(more, 'Add', { add: own });
    expect(same.text).toContain('Nothing was changed');
    const less = await curator.submit(same, 'Remove alice');
    expect(less.text).toContain('You removed the member');
    expect(less.text).toContain('one member');
  });

  test('is told who is unknown by the key, and keeps what was typed', async () => {
    const page = await create('strangers', 'alice\nnobody');
    expect(page.status).toBe(422);
    expect(page.text).toContain('“nobody” must be the key of a peer');
    expect(page.text).not.toContain('“alice”');
    const form = page.forms.find(({ button }) => button === 'Create');
    expect(form?.fields).toMatchObject({ name: 'strangers', members: 'alice\nnobody' });
    const known = await create('known', '');
    const refused = await curator.submit(known, 'Add', { add: 'nobody' });
    expect([refused.status, refused.text.includes('“nobody” must be')]).toEqual([422, true]);
  });

  test('makes no second circle of one name', async () => {
    await create('twice', 'alice');
    const again = await create('twice', '');
    expect([again.status, again.text.includes('a circle of that name exists')]).toEqual([
      409,
      true,
    ]);
    const [listed] = (await curator.open(HERE)).source.split('twice</').slice(1);
    expect(listed).toContain('one member');
  });

  test('is told what deleting does, and deletes it', async () => {
    const page = await create('going', 'alice');
    expect(page.text).toContain('through this circle alone read it no more');
    const after = await curator.submit(page, 'Delete this circle');
    expect([after.status, after.text.includes('You deleted the circle')]).toEqual([200, true]);
    expect(after.text).not.toContain('going');
    expect((await curator.open(pathOf(page))).status).toBe(404);
  });

  test('makes circles only in the scopes that it curates', async () => {
    expect(buttons(await curator.open(`${PATH}?scope=/else`))).not.toContain('Create');
    const form = await curator.open(HERE);
    const page = await curator.submit(form, 'Create', { scope_path: '/else', name: 'x' });
    expect([page.status, page.text.includes('Your role does not permit')]).toEqual([403, true]);
    expect(page.forms.find(({ button }) => button === 'Create')?.fields).toMatchObject({
      scope_path: '/else',
      name: 'x',
    });
  });
});

describe('a member', () => {
  test('sees its circles with who added whom, and nothing to change', async () => {
    const made = await create('seen', 'alice');
    await create('not hers', 'relay');
    const list = await alice.open(HERE);
    expect([list.text.includes('seen'), list.text.includes('not hers')]).toEqual([true, false]);
    const page = await alice.open(pathOf(made));
    expect([page.status, page.text.includes(scene.emailOf('curator'))]).toEqual([200, true]);
    expect(buttons(page)).toEqual(buttons(await alice.open('/console')));
    for (const [word, fields] of [
      ['add', { add: 'relay' }],
      ['remove', { peer: 'alice' }],
      ['delete', {}],
    ] as const) {
      expect((await send(alice, `${pathOf(made)}/${word}`, fields)).status).toBe(403);
    }
    expect((await alice.open(pathOf(made))).text).toContain('one member');
  });
});

describe('a reader who is no member', () => {
  test('is told of a circle what it is told of none', async () => {
    const made = await create('hidden crew', 'alice');
    const missing = `${PATH}/${uuidv7()}`;
    const [hidden, none] = [await reader.open(pathOf(made)), await reader.open(missing)];
    expect([hidden.status, hidden.text]).toEqual([404, none.text]);
    for (const word of ['add', 'remove', 'delete']) {
      const fields = { add: 'alice', peer: 'alice' };
      const [one, other] = [
        await send(reader, `${pathOf(made)}/${word}`, fields),
        await send(reader, `${missing}/${word}`, fields),
      ];
      expect([one.status, other.status]).toEqual([404, 404]);
    }
    const list = await reader.open(HERE);
    expect([list.text.includes('hidden crew'), list.text.includes('No circle here')]).toEqual([
      false,
      true,
    ]);
  });
});

test('a scope that is no path is told of above the list', async () => {
  const page = await curator.open(`${PATH}?scope=/a/../b`);
  expect([page.status, page.text.includes('must be a scope path')]).toEqual([422, true]);
});
