/** Every page, looked at by axe and by its own policy: at three widths, in both themes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { closeWithoutErrors, openScene, type Scene } from '../console/scene.ts';
import { sized } from '../support/run.ts';
import { barriers } from './accessibility.ts';
import { signIn } from './sign-in.ts';
import { startBrowser, type Look, type WatchedBrowser } from './watched-browser.ts';
import { SERVERS_MS } from '../support/patience.ts';

let scene: Scene;
let browser: WatchedBrowser;
let statementId: string;
let itemId: string;
let contestId: string;
let contestedId: string;
let circleId: string;
let holdId: string;

beforeAll(async () => {
  scene = await openScene();
  statementId = await scene.said('I own a wooden kayak.');
  await scene.service.quiet();
  const [item] = await scene.service.rows('select id from review_items where knowledge_id = $1', [
    statementId,
  ]);
  itemId = String(item?.['id']);
  contestedId = await scene.said('I own a blue canoe.');
  const alice = await scene.signedIn('alice');
  const page = await alice.open(`/console/knowledge/${contestedId}`);
  await alice.submit(page, 'Let a curator decide');
  const [contest] = await scene.service.rows(
    `select id from review_items where knowledge_id = $1 and kind = 'contest'`,
    [contestedId],
  );
  contestId = String(contest?.['id']);
  const curator = await scene.signedIn('curator');
  const circle = await curator.submit(
    await curator.open('/console/scopes/circles?scope=/team'),
    'Create',
    {
      name: 'care team',
      members: 'alice\nrelay',
    },
  );
  circleId = circle.path.split(/[/?]/)[4] ?? '';
  await scene.service.ingestAndWait(scene.relay, {
    peer_key: 'alice',
    scope_path: '/team',
    session_id: 's1',
    content: 'Please delete the code 4471 from memory.',
  });
  const [hold] = await scene.service.rows('select id from forget_holds');
  holdId = String(hold?.['id']);
  browser = await startBrowser(scene.service.url);
}, SERVERS_MS);
afterAll(async () => {
  await browser?.close();
  await closeWithoutErrors(scene?.service);
}, SERVERS_MS);

const signedIn = (page: Page, person: string): Promise<Page> => signIn(page, scene, person);

/** Who opens which page. */
const PAGES: readonly (readonly [person: string, path: () => string])[] = [
  ['admin', () => '/console'],
  ['admin', () => '/console/knowledge'],
  ['admin', () => '/console/knowledge?q=kayak&scope=/team'],
  ['curator', () => `/console/knowledge/${statementId}`],
  ['alice', () => `/console/knowledge/${statementId}`],
  ['curator', () => `/console/knowledge/${contestedId}`],
  ['reader', () => '/console/knowledge?scope=/team&kind=skill'],
  ['alice', () => '/console'],
  ['alice', () => '/console/me'],
  ['reader', () => '/console/me'],
  ['admin', () => '/console/scopes'],
  ['curator', () => '/console/scopes?scope=/team'],
  ['admin', () => '/console/graph?scope=/team&descendants=1'],
  ['admin', () => '/console/sources'],
  ['admin', () => '/console/sources/upload'],
  ['admin', () => '/console/sources/sessions'],
  ['admin', () => '/console/sources/observations'],
  ['admin', () => '/console/sources/connectors'],
  ['curator', () => '/console/skills'],
  ['curator', () => '/console/skills/write'],
  ['curator', () => '/console/scopes/circles?scope=/team'],
  ['curator', () => `/console/scopes/circles/${circleId}`],
  ['alice', () => `/console/scopes/circles/${circleId}`],
  ['admin', () => '/console/tools'],
  ['admin', () => '/console/tools/search'],
  ['admin', () => '/console/operations'],
  ['curator', () => '/governance'],
  ['curator', () => `/governance/${itemId}`],
  ['curator', () => '/governance?kind=gate_a_b'],
  ['curator', () => `/governance/${contestId}`],
  ['curator', () => '/governance/forgetting'],
  ['curator', () => `/governance/forgetting/${holdId}`],
  ['curator', () => `/governance/bulk?action=approve&item.${itemId}=1`],
  ['admin', () => '/console/nothing-here'],
];

/**
 * How they are looked at. The narrow look finds most, so the short run takes it at every page; of the other two it takes one
 * at each page, in turns.
 */
const LOOKS: readonly (Omit<Look, 'scripts'> & { readonly ofEachTwo: readonly number[] })[] = [
  { width: 360, theme: 'light', ofEachTwo: [0, 1] },
  { width: 1_024, theme: 'dark', ofEachTwo: sized({ short: [0], long: [0, 1] }) },
  { width: 1_600, theme: 'light', ofEachTwo: sized({ short: [1], long: [0, 1] }) },
];

/** How far the page reaches past the window, in pixels. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.each(LOOKS)('at $width px, $theme', ({ ofEachTwo, ...look }) => {
  test('no page has a barrier, or is wider than its window', async () => {
    const found: unknown[] = [];
    const people = new Map<string, Page>();
    const stranger = await browser.open({ scripts: true, ...look });
    await stranger.goto('/sign-in');
    found.push(...(await barriers(stranger)), await overflow(stranger));
    for (const [person, path] of PAGES.filter((_, nth) => ofEachTwo.includes(nth % 2))) {
      const known = people.get(person);
      const page =
        known ?? (await signedIn(await browser.open({ scripts: true, ...look }), person));
      people.set(person, page);
      await page.goto(path());
      const told = [...(await barriers(page)), ...((await overflow(page)) > 0 ? ['too wide'] : [])];
      found.push(...told.map((barrier) => `${person} ${path()}: ${barrier}`));
    }
    expect(found.filter((one) => one !== 0)).toEqual([]);
  });
});

describe('the head of an administrator', () => {
  const rows = (page: Page): Promise<number> =>
    page.evaluate(
      "new Set([...document.querySelectorAll('.pages a')].map((link) => link.offsetTop)).size",
    );

  test.each([1_024, 1_600])('has all its pages in one row at %d px', async (width) => {
    const page = await signedIn(await browser.open({ scripts: true, width }), 'admin');
    expect(await rows(page)).toBe(1);
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
  });

  test('has them behind a button at 360 px, which needs no script', async () => {
    const page = await signedIn(await browser.open({ scripts: false, width: 360 }), 'admin');
    const knowledge = page.getByRole('link', { name: 'Knowledge', exact: true });
    expect(await knowledge.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await knowledge.click();
    await page.waitForURL(/\/console\/knowledge$/);
  });
});

test('no page asked another origin, broke its policy, or had an error in its script', () => {
  expect(browser.offences).toEqual([]);
});
