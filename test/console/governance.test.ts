/** The queue of a curator: filters, many decisions at once, one after the other, merges. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import {
  closeWithoutErrors,
  openScene,
  PASSWORD,
  type Browser,
  type Page,
  type Scene,
} from './scene.ts';

let scene: Scene;
let curator: Browser;
let away: Browser;

beforeAll(async () => {
  scene = await openScene();
  await scene.service.home.person('away', { role: 'curator', scope: '/else' });
  curator = await scene.signedIn('curator');
  away = await scene.signedIn('away');
});
afterAll(async () => closeWithoutErrors(scene?.service));

async function itemOf(statement: string): Promise<string> {
  const [row] = await scene.service.rows(
    'select id from review_items where knowledge_id = $1 and decided_at is null',
    [statement],
  );
  return String(row?.['id']);
}

async function stateOf(statement: string): Promise<unknown> {
  const [row] = await scene.service.rows('select state from knowledge where id = $1', [statement]);
  return row?.['state'];
}

const BULK = 'Defer the chosen items until tomorrow';
const chosen = (...items: readonly string[]) =>
  Object.fromEntries(items.map((id) => [`item.${id}`, '1']));

/** The form of the queue as it is sent with only these items chosen, which are in their first version. */
async function decide(
  browser: Browser,
  page: Page,
  action: string,
  ...items: readonly string[]
): Promise<Page> {
  const form = page.forms.find(({ button }) => button === BULK);
  const fields = { _csrf: form?.fields['_csrf'] ?? '', action, ...chosen(...items) };
  const answer = await browser.request('POST', form?.action ?? '', { fields });
  return answer.status === 303
    ? browser.open(String(answer.headers.location))
    : { ...page, status: answer.status, source: answer.text, text: answer.text };
}

describe('an entry of the queue', () => {
  test('says why it waits, and whom approval would show it to', async () => {
    await scene.said('I live in Porto.');
    const page = await curator.open('/governance');
    expect(page.text).toContain('Alice lives in Porto.');
    expect(page.text).toMatch(/waits: [a-z ]+/);
    expect(page.text).toContain('After approval these people see it: everyone who may read /team');
  });

  test('is found by whom it is about, and the filters go along to the item and back', async () => {
    const page = await curator.open('/governance?subject=alice&order=newest&scope=%2Fteam');
    const link = page.links.find((to) => /^\/governance\/[0-9a-f-]{36}\?(?!.*walk)/.test(to)) ?? '';
    expect(link.split('?')[1]).toBe('scope=%2Fteam&subject=alice&order=newest');
    const item = await curator.open(link);
    expect(item.links).toContain('/governance?scope=%2Fteam&subject=alice&order=newest');
    const nobody = await curator.open('/governance?subject=nobody');
    expect(nobody.text).toContain('Nothing waits here');
  });

  test('says what is wrong with a filter', async () => {
    const page = await curator.open('/governance?kind=nonsense');
    expect([page.status, page.text.includes('kind: ')]).toEqual([422, true]);
  });
});

describe('many decisions', () => {
  test('are each carried out and told, those that come too late with their reason', async () => {
    const [one, two, late] = [
      await scene.said('I own 41 stamps of lot 1.'),
      await scene.said('I own 42 stamps of lot 2.'),
      await scene.said('I own 43 stamps of lot 3.'),
    ];
    const items = [await itemOf(one), await itemOf(two), await itemOf(late)] as const;
    const page = await curator.open('/governance');
    await curator.submit(await curator.open(`/governance/${items[2]}`), 'Defer until tomorrow');
    const told = await decide(curator, page, 'approve', ...items);
    expect(told.status).toBe(200);
    expect(told.text).toContain('2 decided, 1 not.');
    expect(told.text).toContain('Done Alice owns 41 stamps of lot 1. approved');
    expect(told.text).toMatch(/Not done Alice owns 43 stamps of lot 3\. it has changed since/);
    expect([await stateOf(one), await stateOf(two)]).toEqual(['active', 'active']);
    expect(await stateOf(late)).not.toBe('active');
    const again = await decide(curator, page, 'approve', ...items);
    expect(again.text).toContain('0 decided, 3 not.');
  });

  test('reject, and put off', async () => {
    const [one, two] = [
      await scene.said('I own 44 stamps of lot 4.'),
      await scene.said('I own 45 stamps of lot 5.'),
    ];
    const page = await curator.open('/governance');
    const told = await decide(curator, page, 'reject', await itemOf(one));
    expect([told.text.includes('1 decided'), await stateOf(one)]).toEqual([true, 'rejected']);
    expect((await decide(curator, page, 'defer', await itemOf(two))).text).toContain('is deferred');
  });

  test('need a choice, and a word that is known; what was chosen stays chosen', async () => {
    const id = await itemOf(await scene.said('I own 46 stamps of lot 6.'));
    const page = await curator.open('/governance');
    const none = await decide(curator, page, 'approve');
    expect([none.status, none.text.includes('choose at least one')]).toEqual([422, true]);
    const odd = await decide(curator, page, 'nonsense', id);
    expect(odd.status).toBe(422);
    expect(odd.source).toMatch(new RegExp(`name="item.${id}"[^>]*checked`));
    const forged = await decide(curator, page, 'approve', 'no-id');
    expect(forged.status).toBe(422);
  });

  test('about items of others are told as if those did not exist', async () => {
    const statement = await scene.said('I own 47 stamps of lot 7.');
    const page = await away.open('/governance');
    expect(page.text).not.toContain('lot 7');
    await scene.said('I keep bees.', '/else');
    const own = await away.open('/governance');
    const told = await decide(away, own, 'approve', await itemOf(statement), uuidv7());
    expect(told.text).not.toContain('lot 7');
    expect(await stateOf(statement)).not.toBe('active');
    const result = await away.open(`/governance?decided=${await itemOf(statement)},x,${uuidv7()}`);
    expect([result.status, result.text.includes('lot 7')]).toEqual([200, false]);
  });

  test('can be made about a whole page without a script', async () => {
    await scene.said('I own 48 stamps of lot 8.');
    const page = await curator.open('/governance');
    const all = await curator.open(page.links.find((to) => to.includes('all=1')) ?? '');
    const form = all.forms.find(({ button }) => button === BULK);
    const shown = all.links.filter((to) => /^\/governance\/[0-9a-f-]{36}$/.test(to));
    const names = Object.keys(form?.fields ?? {}).filter((name) => name.startsWith('item.'));
    expect(names.length).toBeGreaterThan(1);
    expect(names.toSorted()).toEqual(
      [...new Set(shown)].map((to) => `item.${to.slice(12)}`).toSorted(),
    );
  });

  test('are refused without the token of the session, and to people who are curators nowhere', async () => {
    const id = await itemOf(await scene.said('I own 49 stamps of lot 9.'));
    const bare = await curator.request('POST', '/governance/bulk', { fields: chosen(id) });
    expect(bare.status).toBe(403);
    const reader = await scene.signedIn('reader');
    const token = (await reader.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const refused = await reader.request('POST', '/governance/bulk', {
      fields: { _csrf: token, action: 'approve', ...chosen(id) },
    });
    expect(refused.status).toBe(403);
  });
});

describe('one by one', () => {
  test('a decision leads to the item that follows, with its evidence beside it', async () => {
    const page = await curator.open('/governance?order=newest');
    const first = page.links.find((to) => to.includes('walk=1')) ?? '';
    const item = await curator.open(first);
    expect(item.text).toContain('Evidence');
    const next = await curator.submit(item, 'Reject');
    expect(next.path).toMatch(/^\/governance\/[0-9a-f-]{36}\?order=newest&done=rejected&walk=1$/);
    expect(next.text).toContain('You rejected it.');
    expect(next.path.slice(0, 48)).not.toBe(first.slice(0, 48));
  });

  test('the keys are named, and can be turned off for all that follows', async () => {
    const page = await curator.open('/governance');
    expect(page.elements.has('@data-keys')).toBe(true);
    const off = await curator.open(page.links.find((to) => to.includes('keys=off')) ?? '');
    expect(off.elements.has('@data-keys')).toBe(false);
    const link = off.links.find((to) => /^\/governance\/[0-9a-f-]{36}\?keys=off$/.test(to)) ?? '';
    expect((await curator.open(link)).elements.has('@data-keys')).toBe(false);
  });
});

describe('a merge', () => {
  test('is offered what a search finds, and makes one statement of two', async () => {
    const kept = await scene.said('I ride a green bicycle.');
    const alice = await scene.signedIn('alice');
    await alice.submit(await alice.open(`/console/knowledge/${kept}`), 'Yes, it is true');
    await scene.service.quiet();
    const other = await scene.said('I often ride my green bicycle.');
    const id = await itemOf(other);
    const page = await curator.open(`/governance/${id}`);
    const asked = await curator.open(page.links.find((to) => to.includes('merge=1')) ?? '');
    expect(asked.source).toContain(`value="${kept}"`);
    const none = await curator.submit(asked, 'Merge into it', { into: '', other: '' });
    expect([none.status, none.text.includes('choose a statement, or give its id')]).toEqual([
      422,
      true,
    ]);
    const hidden = await curator.submit(asked, 'Merge into it', { into: '', other: uuidv7() });
    expect([
      hidden.status,
      hidden.text.includes('must be a statement of a scope that you curate'),
    ]).toEqual([422, true]);
    const done = await curator.submit(asked, 'Merge into it', {
      into: '',
      other: `https://here.example/console/knowledge/${kept}`,
    });
    expect(done.text).toContain('You merged the two.');
    expect(await stateOf(other)).toBe('superseded');
  });
});

describe('the pages of decisions', () => {
  test('show nothing of an account to the administrators of another one', async () => {
    const id = await itemOf(await scene.said('I own 50 stamps of lot 10.'));
    const other = await scene.service.account('neighbour');
    await other.person('stranger', { role: 'account-admin' });
    const stranger = scene.browser();
    await stranger.submit(await stranger.open('/sign-in'), 'Sign in', {
      email: 'stranger@neighbour.example',
      password: PASSWORD,
    });
    const queue = await stranger.open('/governance');
    expect([queue.status, queue.text.includes('Nothing waits here')]).toEqual([200, true]);
    const hidden = await stranger.open(`/governance/${id}`);
    const missing = await stranger.open(`/governance/${uuidv7()}`);
    expect([hidden.status, hidden.source]).toEqual([404, missing.source]);
    const token = (await stranger.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const sent = await stranger.request('POST', '/governance/bulk', {
      fields: { _csrf: token, action: 'approve', ...chosen(id) },
    });
    expect(String(sent.headers.location)).toContain(`refused=${id}%3Anot_found`);
    const told = await stranger.open(String(sent.headers.location));
    expect(told.text).not.toContain('lot 10');
  });

  test('lead who has not signed in to the sign-in, and a key of an agent opens none', async () => {
    const page = await scene.browser().open('/governance');
    expect(page.path.startsWith('/governance/sign-in')).toBe(true);
    const headers = { authorization: `Bearer ${scene.relay}` };
    const answer = await scene.browser().request('GET', '/governance', { headers });
    expect(answer.status).toBe(303);
    const form = await scene.browser().request('POST', '/governance/bulk', { headers, fields: {} });
    expect([303, 403]).toContain(form.status);
  });
});
