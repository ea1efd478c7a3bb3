/** What the desk and the pages around it say and let people do: at three widths, in both themes, with scripts and without. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { closeWithoutErrors, openScene, type Scene } from '../console/scene.ts';
import { lengthenUndo } from '../support/long-undo.ts';
import { SERVERS_MS } from '../support/patience.ts';
import { signIn } from './sign-in.ts';
import { startBrowser, type Look, type WatchedBrowser } from './watched-browser.ts';

/** Each width with scripts and without, each of them in both themes. */
const LOOKS: readonly Look[] = [
  { width: 390, theme: 'light', scripts: true },
  { width: 390, theme: 'dark', scripts: false },
  { width: 768, theme: 'dark', scripts: true },
  { width: 768, theme: 'light', scripts: false },
  { width: 1_440, theme: 'light', scripts: true },
  { width: 1_440, theme: 'dark', scripts: false },
];

let scene: Scene;
let browser: WatchedBrowser;
/** Ids of statements, and of the items about them. */
let ids: Readonly<Record<'proposed' | 'believed' | 'contested' | 'conflicting', string>>;
let items: Readonly<Record<'proposed' | 'contested' | 'conflicting', string>>;

async function itemOf(statement: string, kind: string): Promise<string> {
  const [row] = await scene.service.rows(
    'select id from review_items where knowledge_id = $1 and kind = $2 and decided_at is null',
    [statement, kind],
  );
  return String(row?.['id']);
}

/** A conversation of the agent and alice, of whose middle turn a statement is drawn. */
async function talked(): Promise<string> {
  const turns = ['Good morning.', 'What do you own?', 'I own a bronze bell.', 'How nice!', 'Bye.'];
  let drawn = '';
  for (const [at, content] of turns.entries()) {
    const isAlice = at === 2;
    const { knowledge } = await scene.service.ingestAndWait(scene.relay, {
      ...(isAlice ? { peer_key: 'alice' } : { role: 'assistant' }),
      session_id: 'the bell',
      scope_path: '/team',
      content,
      occurred_at: new Date(Date.UTC(2026, 4, 1, 9, at)).toISOString(),
    });
    if (isAlice) drawn = String(knowledge[0]?.['id']);
  }
  return drawn;
}

beforeAll(async () => {
  scene = await openScene();
  await lengthenUndo((query) => scene.service.rows(query));
  ids = {
    proposed: await talked(),
    believed: await scene.said('I own a wooden kayak.'),
    contested: await scene.said('I own a blue canoe.'),
    conflicting: await scene.said('I own a green sail.'),
  };
  const alice = await scene.signedIn('alice');
  const about = (id: string) => alice.open(`/console/knowledge/${id}`);
  await alice.submit(await about(ids.believed), 'Yes, it is true');
  await alice.submit(await about(ids.contested), 'Let a curator decide', {
    reason: 'That was my sister.',
    correction: 'Eva owns a blue canoe.',
  });
  // What contradicts what stands higher: made here, because the rules that ask so are tested where they are.
  await scene.service.rows(
    `update review_items set kind = 'conflict', reason = 'contradicts_higher_standing', conflict_knowledge_id = $2
     where knowledge_id = $1`,
    [ids.conflicting, ids.believed],
  );
  items = {
    proposed: await itemOf(ids.proposed, 'gate_a_b'),
    contested: await itemOf(ids.contested, 'contest'),
    conflicting: await itemOf(ids.conflicting, 'conflict'),
  };
  await scene.service.quiet();
  browser = await startBrowser(scene.service.url);
}, SERVERS_MS);
afterAll(async () => {
  await browser?.close();
  await closeWithoutErrors(scene?.service);
}, SERVERS_MS);

async function signedIn(look: Look, person: string): Promise<Page> {
  return signIn(await browser.open(look), scene, person);
}

/** The words of the page as a person reads them, without what is folded. */
const wordsOf = async (page: Page): Promise<string> =>
  (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');

describe.each(LOOKS)('at $width, $theme, with scripts: $scripts', (look) => {
  let curator: Page;
  let alice: Page;
  beforeAll(async () => {
    [curator, alice] = [await signedIn(look, 'curator'), await signedIn(look, 'alice')];
  }, SERVERS_MS);
  afterAll(async () => {
    await curator?.context().close();
    await alice?.context().close();
  });

  test('contests and conflicts have a place of their own, where nothing is chosen among many', async () => {
    for (const [kind, name] of [
      ['contest', 'Contests'],
      ['conflict', 'Conflicts'],
    ] as const) {
      await curator.goto(`/governance?kind=${kind}`);
      expect(await curator.getByRole('checkbox').count()).toBe(0);
      expect(await curator.locator('a[aria-current]', { hasText: name }).count()).toBe(1);
    }
    await curator.goto('/governance?kind=gate_a_b');
    expect(await curator.locator('.queue').getByText('blue canoe').count()).toBe(0);
    await curator.goto(`/governance/bulk?action=approve&item.${items.contested}=1`);
    expect(await wordsOf(curator)).toContain('to be decided by itself');
  });

  test('whoever decides a contest reads what is wrong, and what would be right', async () => {
    await curator.goto(`/governance/${items.contested}`);
    const words = await wordsOf(curator);
    expect(words).toContain('That was my sister.');
    expect(words).toContain('It should say: Eva owns a blue canoe.');
  });

  test('a curator can ask again about what is believed, with a reason, and withhold it', async () => {
    await curator.goto(`/console/knowledge/${ids.believed}`);
    await curator.getByText('Ask again about it').click();
    expect(await curator.getByLabel('Why do you doubt it?').isVisible()).toBe(true);
    expect(await curator.getByRole('checkbox', { name: 'Withhold it meanwhile' }).count()).toBe(1);
  });

  test('what was decided is named, with a link, the place in the list and one click that takes it back', async () => {
    await curator.goto(`/governance/${items.proposed}`);
    await curator.locator('.item form[action*="/approve"] button').click();
    const notice = curator.getByRole('status');
    expect(await notice.getByRole('link').innerText()).toContain('bell');
    expect((await notice.innerText()).replaceAll(/\s+/g, ' ')).toContain('unless you take it back');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await curator.getByText('You took the decision back. Nothing was changed.').waitFor();
    const [row] = await scene.service.rows('select state from knowledge where id = $1', [
      ids.proposed,
    ]);
    expect(row).toEqual({ state: 'provisional' });
  });

  test('each answer about oneself names who reads the statement then, wrong stands beside, and withdrawing asks once more', async () => {
    await alice.goto(`/console/knowledge/${ids.proposed}`);
    const yes = alice.getByRole('button', { name: 'Yes, it is true' });
    expect((await yes.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/(then|still) read by/);
    expect(await alice.getByText('That is wrong').isVisible()).toBe(true);
    const forGood = alice.locator('form[action*="/redact"] button');
    expect(await forGood.isVisible()).toBe(false);
    await alice.getByText('Withdraw it').first().click();
    await forGood.waitFor();
  });

  test('a decision has its speaker, date, person and turns around, and both sides of a conflict', async () => {
    await curator.goto(`/governance/${items.proposed}`);
    const words = await wordsOf(curator);
    for (const part of [
      'About alice, in /team',
      'Good morning.',
      'What do you own?',
      'I own a bronze bell.',
      'How nice!',
      'Bye.',
    ]) {
      expect(words).toContain(part);
    }
    // Scripts show times as the browser does.
    expect(words).toMatch(/alice (?:May 1, 2026|2026-05-01)/);
    await curator.goto(`/governance/${items.conflicting}`);
    expect(await curator.locator('.side').allInnerTexts()).toEqual([
      expect.stringMatching(/This one[\s\S]*green sail[\s\S]*I own a green sail\./),
      expect.stringMatching(/The other one[\s\S]*wooden kayak[\s\S]*I own a wooden kayak\./),
    ]);
  });

  test('who reads a statement has one answer, and its level is technical', async () => {
    await curator.goto(`/console/knowledge/${ids.believed}`);
    const words = await wordsOf(curator);
    expect(words.match(/Read by everyone who may read \/team\./g)).toHaveLength(1);
    expect(words).not.toContain('Shared with');
    expect(words).not.toMatch(/\bLevel\b/);
  });

  test('the list says what differs, in two lines an item, and begins on the first screen', async () => {
    await curator.goto('/governance?kind=gate_a_b');
    const entry = curator.locator('.queue .entry').first();
    const box = await entry.boundingBox();
    expect(box?.y).toBeLessThan(900);
    expect(box?.height).toBeLessThan(70);
    // The sentence why each of them waits is on the item.
    expect(await curator.locator('.queue').innerText()).not.toContain('because');
  });
});

test('no page asked another origin, broke its policy, or had an error in its script', () => {
  expect(browser.offences).toEqual([]);
});
