/** What people do in the console, in a real browser: with scripts, and without. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { closeWithoutErrors, openScene, PASSWORD, type Scene } from '../console/scene.ts';
import { SERVERS_MS, eventually } from '../support/patience.ts';
import { signIn } from './sign-in.ts';
import { startBrowser, type WatchedBrowser } from './watched-browser.ts';

const ANOTHER_PASSWORD = 'another long enough password';

let scene: Scene;
let browser: WatchedBrowser;
const keys = mkdtempSync(join(tmpdir(), 'vouch-keys-'));

beforeAll(async () => {
  scene = await openScene({
    SERVICE_ERASURE_SETTLE_SECONDS: '2',
    SERVICE_RECEIPT_KEY_FILE: join(keys, 'receipt-key.pem'),
  });
  browser = await startBrowser(scene.service.url);
}, SERVERS_MS);
afterAll(async () => {
  await browser?.close();
  await closeWithoutErrors(scene?.service);
  rmSync(keys, { recursive: true, force: true });
}, SERVERS_MS);

async function signInAt(page: Page, person: string, password = PASSWORD): Promise<void> {
  await signIn(page, scene, person, { from: '/', password });
}

/** Opens the page again and again until it says that. */
async function reloadedUntil(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    if ((await page.getByText(text).count()) > 0) return true;
    await page.waitForTimeout(500);
    await page.reload();
    return false;
  });
}

/** Moves through the page by keyboard until the button has the focus, and presses it. */
async function pressByKeyboard(page: Page, button: string): Promise<void> {
  const focused = page.locator('button:focus');
  for (let steps = 0; steps < 200; steps += 1) {
    await page.keyboard.press('Tab');
    const isThere = (await focused.count()) === 1;
    if (isThere && (await focused.innerText()).trim().startsWith(button)) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  throw new Error(`the keyboard does not reach ${button}`);
}

/** Of a test that is run with scripts and without, each with people of its own. */
const cases = [
  { scripts: true, name: 'with scripts', thing: 'kayak', owner: 'Nora' },
  { scripts: false, name: 'without scripts', thing: 'sledge', owner: 'Tomas' },
] as const;

describe.each(cases)('$name', ({ owner, scripts, thing }) => {
  test('a person signs in, finds a statement about herself and contests it; a curator decides with the keyboard', async () => {
    await scene.said(`I own a wooden ${thing}.`);
    await scene.service.quiet();
    const alice = await browser.open({ scripts });
    await signInAt(alice, 'alice');
    await alice.goto('/console/me');
    // Twice: she is asked whether it is true, and it is among all that is stated about her.
    await alice
      .getByRole('link', { name: `Alice owns a wooden ${thing}.` })
      .first()
      .click();
    await alice.getByText('That is wrong').click();
    await alice.getByRole('button', { name: 'Let a curator decide' }).click();
    await alice.getByText('contested').first().waitFor();

    const curator = await browser.open({ scripts });
    await signInAt(curator, 'curator');
    await curator.goto('/governance');
    await curator.getByRole('link', { name: `Alice owns a wooden ${thing}.` }).focus();
    await curator.keyboard.press('Enter');
    await curator.waitForURL(/\/governance\/[0-9a-f-]{36}/);
    await pressByKeyboard(curator, 'It is wrong');
    await curator.getByText(`You rejected: Alice owns a wooden ${thing}.`).waitFor();
    await eventually(async () => {
      const rows = await scene.service.rows('select state from knowledge where statement = $1', [
        `Alice owns a wooden ${thing}.`,
      ]);
      return rows[0]?.['state'] === 'rejected';
    });
  });

  test('a member uploads a document and sees the statements that it yields', async () => {
    const page = await browser.open({ scripts });
    await signInAt(page, 'member');
    await page.goto('/console/sources');
    await page.getByRole('link', { name: 'Upload a document' }).click();
    await page.getByLabel('Scope').selectOption('/team');
    await page.getByLabel('File').setInputFiles({
      name: `${thing}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# Note\n\n${owner} lives in Faro.\n`),
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.waitForURL(/\/console\/sources\/versions\//);
    await reloadedUntil(page, `${owner} lives in Faro.`);
  });

  test('a curator writes a skill card and sees what holds in its scope', async () => {
    const page = await browser.open({ scripts });
    await signInAt(page, 'curator');
    await page.goto('/console/skills/write?scope=/team');
    const card = {
      skill: `lend-a-${thing}`,
      scope_path: '/team',
      requirements: [
        {
          key: 'owner',
          level: 'required',
          source_policy: 'either',
          selector: { kind: 'fact', topic: [thing] },
        },
      ],
    };
    await page.getByLabel('Card (JSON)').fill('{');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('is not JSON').first().waitFor();
    await page.getByLabel('Card (JSON)').fill(JSON.stringify(card));
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(`lend-a-${thing}`).first().waitFor();
    await page.goto('/console/skills?scope=/team');
    await page.getByText(`lend-a-${thing}`).first().waitFor();
  });

  test('a person changes her password, is signed out everywhere, and signs in with the new one', async () => {
    const name = `changer-${thing}`;
    await scene.service.home.person(name, { role: 'reader' });
    const page = await browser.open({ scripts });
    const elsewhere = await browser.open({ scripts });
    await signInAt(page, name);
    await signInAt(elsewhere, name);
    await page.goto('/console/me');
    await page.getByText('Change it').click();
    await page.getByLabel('Old password').fill(PASSWORD);
    await page.getByLabel('New password').fill(ANOTHER_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.waitForURL(/\/sign-in/);
    await elsewhere.goto('/console');
    expect(elsewhere.url()).toContain('/sign-in');
    await signInAt(page, name, ANOTHER_PASSWORD);
  });

  test('a person has herself erased and reads the receipt', async () => {
    const name = `leaver-${thing}`;
    await scene.service.home.person(name, { role: 'reader' });
    const page = await browser.open({ scripts });
    await signInAt(page, name);
    await page.goto('/console/me');
    await page.getByText('Show the form for the erasure').click();
    await page.getByLabel(/^Type/).fill('erase');
    await page.getByRole('button', { name: 'Erase me' }).click();
    await page.waitForURL(/\/console\/me\/erasure\//);
    await reloadedUntil(page, '"signature"');
    await page.goto('/console');
    expect(page.url()).toContain('/sign-in');
  });
});

test('no page asked another origin, broke its policy, or had an error in its script', () => {
  expect(browser.offences).toEqual([]);
});
