/** What stands around every page. */
import { describe, expect, test } from '@jest/globals';
import { loadAssets } from '../../../console/assets.ts';
import { layout } from '../../../console/design/layout.ts';
import { html } from '../../../console/design/markup.ts';
import { isWithinPage, NAVIGATION } from '../../../console/design/navigation.ts';
import { doneNotice, pager, timeOf, withQuery } from '../../../console/design/elements.ts';
import { CONSOLE_ROUTES } from '../../../console/routes.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { CALLER } from '../../support/fake-door.ts';
import { readPage } from '../../console/browser.ts';

const assets = loadAssets();
const viewer = { caller: { ...CALLER, kind: 'human', peerKey: '<b>ana</b>' } } as const;

function page(path: string, who: typeof viewer | null) {
  const text = layout(
    { title: '<i>T</i>', main: html`<h1>Here</h1>` },
    { path, viewer: who, csrf: 'token' },
    assets,
  );
  return readPage(
    { status: 200, headers: {}, text, bytes: Buffer.from(text), json: () => null },
    path,
  );
}

describe('the layout', () => {
  test('has a language, a title, a link past the head, and one script of its own', () => {
    const { elements, source, title } = page('/console', viewer);
    expect(title).toBe('<i>T</i> · Vouch');
    expect(source).toContain('<html lang="en">');
    expect(source).toContain('<a class="skip" href="#main">');
    expect(source.match(/<script/g)).toHaveLength(1);
    expect([...elements].filter((name) => name.startsWith('@on') || name === '@style')).toEqual([]);
  });

  test('shows who has signed in as text, with a form to sign out', () => {
    const { elements, forms, text } = page('/console', viewer);
    expect(text).toContain('<b>ana</b>');
    expect(elements.has('b')).toBe(false);
    expect(forms).toEqual([
      { action: '/sign-out', method: 'post', button: 'Sign out', fields: { _csrf: 'token' } },
    ]);
  });

  test('marks the page that is open, and shows nobody else any page', () => {
    const marked = (path: string) =>
      /aria-current="page"\s*>([^<]*)</.exec(page(path, viewer).source)?.[1];
    expect(marked('/console')).toBe('Overview');
    expect(marked('/console/knowledge/1')).toBe('Knowledge');
    expect(page('/sign-in', null).links).toEqual(['#main', '/console']);
  });
});

describe('the head', () => {
  test('leads to pages that exist', () => {
    const paths = new Set(CONSOLE_ROUTES.map(({ path }) => path));
    expect(NAVIGATION.filter(({ path }) => !paths.has(path))).toEqual([]);
  });

  test('takes a page below another one for a part of it', () => {
    expect(isWithinPage('/console/knowledge/7', '/console/knowledge')).toBe(true);
    expect(isWithinPage('/console/knowledgeable', '/console/knowledge')).toBe(false);
    expect(isWithinPage('/console/me', '/console')).toBe(false);
  });
});

describe('the routes', () => {
  test('name each path once, and only the sign-in and the root are for everybody', () => {
    const paths = CONSOLE_ROUTES.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(
      CONSOLE_ROUTES.filter(({ access }) => access === 'public').map(({ path }) => path),
    ).toEqual([ROOT_PATH, '/sign-in', '/governance/sign-in']);
  });
});

describe('small parts', () => {
  test('a time is UTC for everybody, and an instant for the script', () => {
    expect(timeOf('2026-03-02T09:05:00+01:00').toString()).toBe(
      '<time datetime="2026-03-02T08:05:00.000Z" data-local="">2026-03-02 08:05 UTC</time>',
    );
  });

  test('a page of a list keeps its filters in the address of the next one', () => {
    const query = new URLSearchParams({ scope: '/a b', cursor: 'one' });
    expect(withQuery('/p', query, { cursor: 'two' })).toBe('/p?scope=%2Fa+b&cursor=two');
    expect(withQuery('/p', query, { cursor: null, scope: '' })).toBe('/p');
    expect(pager('/p', new URLSearchParams(), null).toString()).toBe('');
    expect(pager('/p', query, 'two').toString()).toContain('href="/p?scope=%2Fa+b&amp;cursor=two"');
  });

  test('a notice says words of the page only', () => {
    const words = { saved: 'It is saved.' };
    expect(doneNotice(new URLSearchParams({ done: 'saved' }), words).toString()).toContain('saved');
    for (const done of ['', '<b>', 'toString', '__proto__']) {
      expect(doneNotice(new URLSearchParams({ done }), words).toString()).toBe('');
    }
  });
});
