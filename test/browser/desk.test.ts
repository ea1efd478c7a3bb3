/** The desk of a curator in a real browser: keys with the evidence in view, undo, taking a statement back, narrow screens. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { closeWithoutErrors, openScene, type Scene } from '../console/scene.ts';
import { lengthenUndo } from '../support/long-undo.ts';
import { SERVERS_MS } from '../support/patience.ts';
import { signIn } from './sign-in.ts';
import { startBrowser, type Look, type WatchedBrowser } from './watched-browser.ts';

const ITEMS = 20;
const MOST_KEYS = 22;

let scene: Scene;
let browser: WatchedBrowser;

beforeAll(async () => {
  scene = await openScene();
  await lengthenUndo((query) => scene.service.rows(query));
  for (let lot = 1; lot <= ITEMS; lot += 1) await scene.said(`I own ${lot} stamps of lot ${lot}.`);
  await scene.service.quiet();
  browser = await startBrowser(scene.service.url);
}, SERVERS_MS);
afterAll(async () => {
  await browser?.close();
  await closeWithoutErrors(scene?.service);
}, SERVERS_MS);

async function signedIn(look: Look, person = 'curator'): Promise<Page> {
  return signIn(await browser.open(look), scene, person);
}

/** Whether all of it is in the window. */
async function isInView(page: Page, part: Locator): Promise<boolean> {
  const [box, window] = [await part.boundingBox(), page.viewportSize()];
  return box !== null && window !== null && box.y >= 0 && box.y + box.height <= window.height;
}

const scheduled = (): Promise<number> =>
  scene.service
    .rows(`select count(*)::int as n from scheduled_decisions where state <> 'undone'`)
    .then(([row]) => Number(row?.['n']));

/** One key that leads to another page. */
async function press(page: Page, key: string): Promise<void> {
  const before = page.url();
  await page.keyboard.press(key);
  await page.waitForURL((url) => url.href !== before);
}

describe('with the keyboard', () => {
  test('twenty items take as many keys, the evidence of each is in view, and one more key takes a slip back', async () => {
    const page = await signedIn({ scripts: true, width: 1_440 });
    await page.goto('/governance?kind=gate_a_b&order=newest');
    const approve = page.locator('[data-key=a]');
    const seen = new Set<string>();
    let keys = 0;
    for (; keys < ITEMS; keys += 1) {
      expect([
        await isInView(page, page.locator('.said blockquote')),
        await isInView(page, approve),
      ]).toEqual([true, true]);
      seen.add(await page.locator('.item > .statement').innerText());
      await press(page, 'a');
    }
    expect(seen.size).toBe(ITEMS);
    expect(await scheduled()).toBe(ITEMS);
    await page.getByText('You approved:').waitFor();
    await press(page, 'z');
    keys += 1;
    await page.getByText('You took the decision back. Nothing was changed.').waitFor();
    expect(await scheduled()).toBe(ITEMS - 1);
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
  });

  test('nothing is decided that is not on the screen', async () => {
    await scene.said('I own 31 stamps of lot 31.');
    const page = await signedIn({ scripts: true, width: 390 });
    await page.goto('/governance?kind=gate_a_b&order=newest');
    const [before, url] = [await scheduled(), page.url()];
    for (const key of ['a', 'r', 'd']) await page.keyboard.press(key);
    await page.reload();
    expect([await scheduled(), page.url()]).toEqual([before, url]);
  });
});

describe.each([true, false])('with scripts: %s', (scripts) => {
  const lot = scripts ? 41 : 42;

  test('a statement that is believed is taken back in three clicks', async () => {
    const id = await scene.said(`I own ${lot} stamps of lot ${lot}.`);
    const alice = await scene.signedIn('alice');
    const at = `/console/knowledge/${id}`;
    await alice.submit(await alice.open(at), 'Yes, it is true');
    const page = await signedIn({ scripts });
    await page.goto(at);
    await page.getByText('Ask again about it').click();
    await page.getByLabel('Why do you doubt it?').fill('It is a secret.');
    await page.getByRole('checkbox', { name: 'Withhold it meanwhile' }).click();
    await page.locator('form[action$="/reopen"] button').click();
    await page.getByText('You asked again about it.').waitFor();
    const [row] = await scene.service.rows('select state from knowledge where id = $1', [id]);
    expect(row).toEqual({ state: 'held' });
  });

  test('a wide screen has the list and the item, a narrow one a page for each', async () => {
    await scene.said(`I own ${lot + 10} stamps of lot ${lot + 10}.`);
    const [list, item] = ['.queue', '.item'];
    const shown = async (page: Page) => [
      await page.locator(list).isVisible(),
      await page.locator(item).isVisible(),
    ];
    const wide = await signedIn({ scripts, width: 1_440 });
    await wide.goto('/governance?kind=gate_a_b');
    expect(await shown(wide)).toEqual([true, true]);
    // Twenty-five of them take less than 1,600 pixels.
    const rows = await wide.locator('.entry').count();
    const heights = await wide.evaluate("document.querySelector('.items').scrollHeight");
    expect(Number(heights) / rows).toBeLessThan(1_600 / 25);
    const narrow = await signedIn({ scripts, width: 390 });
    await narrow.goto('/governance?kind=gate_a_b');
    expect(await shown(narrow)).toEqual([true, false]);
    const first = narrow.locator('.entry .title').first();
    expect(await isInView(narrow, first)).toBe(true);
    await first.click();
    await narrow.waitForURL(/\/governance\/[0-9a-f-]{36}/);
    expect(await shown(narrow)).toEqual([false, true]);
    await narrow.getByRole('link', { name: 'List' }).click();
    expect(await shown(narrow)).toEqual([true, false]);
  });

  test('a slip is taken back with one click', async () => {
    const id = await scene.said(`I own ${lot + 20} stamps of lot ${lot + 20}.`);
    const page = await signedIn({ scripts, width: 1_440 });
    await page.goto('/governance?kind=gate_a_b&order=newest');
    await page.locator('[data-key=r]').click();
    const notice = page.getByRole('status');
    await notice.getByText(`lot ${lot + 20}.`).waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('You took the decision back. Nothing was changed.').waitFor();
    const [row] = await scene.service.rows('select state from knowledge where id = $1', [id]);
    expect(row).toEqual({ state: 'provisional' });
  });
});

test('no page asked another origin, broke its policy, or had an error in its script', () => {
  expect(browser.offences).toEqual([]);
});
