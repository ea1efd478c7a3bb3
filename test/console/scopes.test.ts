/** The directory of scopes: who finds which, what is told of each, and to whom roles are shown. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { linkScopes } from '../../operations/scopes/links.ts';
import { closeWithoutErrors, openScene, type Page, type Scene } from './scene.ts';

const MARKUP = '/team/<b>bold<\u202Eb>"x';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  const { home } = scene.service;
  await scene.said('I own a blue boat.', '/team/blue/deep');
  await scene.said('I own a green boat.', '/team/green');
  await scene.said('I own an old boat.', '/secret/plan');
  await scene.said('I own a bold boat.', '/team/<b>bold');
  await home.person('teamster', { role: 'member', scope: '/team' });
  await home.person('narrow', { role: 'reader', scope: '/team/green' });
  await home.person('denied', { role: 'reader' });
  await home.grant('denied@home.example', { scope: '/secret', effect: 'deny' });
  await home.grant('denied@home.example', { scope: '/team', effect: 'deny', propagate: false });
  await scene.service.operate(linkScopes, { account: 'home', from: '/team', to: '/secret/plan' });
});
afterAll(() => closeWithoutErrors(scene.service));

const open = async (person: string, path = ''): Promise<Page> =>
  (await scene.signedIn(person)).open(`/console/scopes${path}`);

/** The scopes that the tree of the page links to, in its order. */
const listed = (page: Page): string[] =>
  page.links
    .filter((link) => link.startsWith('/console/scopes?scope='))
    .map((link) => new URL(link, 'http://x').searchParams.get('scope') ?? '');

const ALL = [
  '/',
  '/secret',
  '/secret/plan',
  '/team',
  '/team/<b>bold',
  '/team/blue',
  '/team/blue/deep',
  '/team/green',
];

describe('the directory of scopes', () => {
  test('is the tree of those that the viewer may read, each below the one above it', async () => {
    const page = await open('admin');
    expect([page.status, page.title]).toEqual([200, 'Scopes · Vouch']);
    expect(listed(page)).toEqual(ALL);
  });

  test('leaves out what lies outside of a role, and what a denial closes', async () => {
    expect(listed(await open('teamster'))).toEqual(ALL.filter((path) => path.startsWith('/team')));
    expect(listed(await open('narrow'))).toEqual(['/team/green']);
    expect(listed(await open('denied'))).toEqual([
      '/',
      ...ALL.filter((path) => path.startsWith('/team/')),
    ]);
  });

  test('is narrowed by a path, and a hidden path narrows it like a missing one', async () => {
    expect(listed(await open('admin', '?within=/team/blue'))).toEqual([
      '/team/blue',
      '/team/blue/deep',
    ]);
    const hidden = await open('teamster', '?within=/secret');
    const missing = await open('teamster', '?within=/nowher');
    expect(hidden.status).toBe(200);
    expect(hidden.text.replace('/secret', '/nowher')).toBe(missing.text);
  });

  test('tells a path that is none beside the field, and keeps it', async () => {
    const page = await open('admin', `?within=${encodeURIComponent('/a/../b')}`);
    expect(page.status).toBe(422);
    expect(page.text).toContain('must be a scope path');
    expect(page.forms.find(({ button }) => button === 'Show')?.fields).toEqual({
      within: '/a/../b',
    });
  });

  test('counts the statements that the viewer may see, and no others', async () => {
    const counted = async (person: string) =>
      /(no|\d+) statements?/.exec((await open(person, '?within=/team/green')).text)?.[0];
    // What alice said of herself is provisional: nobody but alice and the relay see it.
    expect(await counted('alice')).toBe('1 statement');
    expect(await counted('teamster')).toBe('no statement');
  });

  test('counts all documents and sessions for curators, and for others their own', async () => {
    const sessions = async (person: string) =>
      /(no|\d+) sessions?/.exec((await open(person, '?within=/team/green')).text)?.[0];
    expect(await sessions('curator')).toBe('1 session');
    expect(await sessions('alice')).toBe('1 session');
    expect(await sessions('teamster')).toBe('no session');
  });
});

describe('a scope of the directory', () => {
  test('shows a member the own role, and no other', async () => {
    const page = await open('teamster', '?scope=/team');
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are member here.');
    expect(page.text).not.toContain('curator@home.example');
    expect(page.text).not.toContain('narrow@home.example');
  });

  test('shows its curators all roles that were given there', async () => {
    const page = await open('curator', '?scope=/team');
    expect(page.text).toContain('curator@home.example');
    expect(page.text).toContain('teamster@home.example');
    expect(page.text).toContain('Denied');
    // What was given at the root is for those who curate the root.
    expect(page.text).not.toContain(scene.emailOf('admin'));
    expect((await open('admin', '?scope=/team')).text).toContain(scene.emailOf('admin'));
  });

  test('names linked scopes that the viewer may read, and no others', async () => {
    expect((await open('admin', '?scope=/team')).links).toContain(
      '/console/scopes?scope=%2Fsecret%2Fplan',
    );
    const page = await open('teamster', '?scope=/team');
    expect(page.source).not.toContain('secret');
    expect(page.text).toContain('No scope that you may read is linked to it.');
  });

  test('that is hidden is not found, like one that is missing, byte for byte', async () => {
    const browser = await scene.signedIn('teamster');
    const hidden = await browser.request('GET', '/console/scopes?scope=/secret');
    const missing = await browser.request('GET', '/console/scopes?scope=/nowhere');
    const foreign = await browser.request('GET', '/console/scopes?scope=/poc');
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
    expect(foreign.text).toBe(missing.text);
  });

  test('appears as text, whatever its path is made of', async () => {
    const page = await open('admin', `?scope=${encodeURIComponent('/team/<b>bold')}`);
    expect(page.status).toBe(200);
    expect(page.elements.has('b')).toBe(false);
    expect(page.text).toContain('/team/<b>bold');
    const shown = await open('admin', `?within=${encodeURIComponent(MARKUP)}`);
    expect([shown.status, shown.elements.has('b')]).toEqual([422, false]);
  });
});

describe('pages of the directory', () => {
  test('follow each other without a gap, and a place that somebody made up is refused', async () => {
    const { relay, service } = scene;
    for (let n = 10; n < 40; n += 1) {
      await service.ingest(relay, {
        peer_key: 'alice',
        session_id: `many-${n}`,
        scope_path: `/many/n${n}`,
        content: 'Nothing of note.',
      });
    }
    const browser = await scene.signedIn('reader');
    const first = await browser.open('/console/scopes?within=/many');
    const next = first.links.find((link) => link.includes('cursor=')) ?? '';
    const second = await browser.open(next);
    const both = [...listed(first), ...listed(second)];
    expect(both).toEqual(['/many', ...Array.from({ length: 30 }, (_, n) => `/many/n${n + 10}`)]);
    expect(second.text).toContain('This is the end of the list.');

    const other = await scene.signedIn('narrow');
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? '';
    const hidden = await other.open(`/console/scopes?cursor=${cursor}`);
    const missing = await other.open(
      `/console/scopes?cursor=${cursor.slice(0, -4)}${cursor.endsWith('0000') ? '1111' : '0000'}`,
    );
    expect([hidden.status, missing.status]).toEqual([422, 422]);
    expect(hidden.text).toBe(missing.text);
  });
});

describe('the door of the directory', () => {
  test('leads who has not signed in to the sign-in, and opens for no API key', async () => {
    const nobody = await scene.browser().request('GET', '/console/scopes');
    expect([nobody.status, nobody.headers.location]).toEqual([
      303,
      '/sign-in?return_to=%2Fconsole%2Fscopes',
    ]);
    const key = await scene.browser().request('GET', '/console/scopes', {
      headers: { authorization: `Bearer ${scene.relay}` },
    });
    expect(key.status).toBe(303);
  });
});

test('statements about somebody who is being erased are counted no more', async () => {
  const { home } = scene.service;
  const id = await scene.said('I own a last boat.', '/leaving');
  await home.rewrite(id, { state: 'active', sensitivity: 'public' });
  const counted = async () =>
    /(no|\d+) statements?/.exec((await open('admin', '?within=/leaving')).text)?.[0];
  expect(await counted()).toBe('1 statement');
  await scene.service.rows(
    `with leaving as (
       update peers set erasing_at = now() where key = 'alice' returning account_id, id
     ) insert into erasure_requests (account_id, id, peer_id, mode)
       select account_id, gen_random_uuid(), id, 'proportionate' from leaving`,
  );
  expect(await counted()).toBe('no statement');
});
