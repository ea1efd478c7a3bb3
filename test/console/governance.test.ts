/** The queue of a curator: filters, many decisions at once, one after the other, merges. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lengthenUndo } from '../support/long-undo.ts';
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
  await lengthenUndo((query) => scene.service.rows(query));
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

/** Decides at once: the tests do not wait until a decision can no longer be taken back. */
const AT_ONCE = { undo_seconds: '0' };

const chosen = (...items: readonly string[]) =>
  Object.fromEntries(items.map((id) => [`item.${id}`, '1']));

/** The page that says what the decision would do, about these items in their first version. */
function preview(browser: Browser, action: string, ...items: readonly string[]): Promise<Page> {
  const query = new URLSearchParams({ action, ...chosen(...items) });
  return browser.open(`/governance/bulk?${query.toString()}`);
}

/** Sends the form of the preview as if only these items, in their first version, had been chosen. */
async function decide(
  browser: Browser,
  page: Page,
  action: string,
  ...items: readonly string[]
): Promise<Page> {
  const { _csrf = '' } = page.forms[0]?.fields ?? {};
  const fields = { _csrf, action, ...chosen(...items) };
  const answer = await browser.request('POST', '/governance/bulk', { fields });
  return answer.status === 303
    ? browser.open(String(answer.headers.location))
    : { ...page, status: answer.status, source: answer.text, text: answer.text };
}

describe('an entry of the queue', () => {
  test('leads to why it waits, what was said, and whom approval would show it to', async () => {
    await scene.said('I live in Porto.');
    const page = await curator.open('/governance?order=newest');
    expect(page.text).toContain('Alice lives in Porto.');
    expect(page.text).toMatch(/New \d+ · oldest/);
    expect(page.text).toMatch(
      /It waits, because [a-z ]+\. What was said alice .* I live in Porto\./,
    );
    expect(page.forms.map(({ button }) => button)).toContainEqual(
      expect.stringMatching(
        /^Approve: then read by everyone who may read \/team \(\d+ readers\) \(now: alice/,
      ),
    );
  });

  test('is found by whom it is about, and the filters go along to the item and back', async () => {
    const page = await curator.open('/governance?subject=alice&order=newest&scope=%2Fteam');
    const link = page.links.find((to) => /^\/governance\/[0-9a-f-]{36}\?/.test(to)) ?? '';
    expect(link.split('?')[1]).toBe('scope=%2Fteam&subject=alice&order=newest&walk=1-');
    const item = await curator.open(link);
    expect(item.links).toContain(
      '/governance?scope=%2Fteam&subject=alice&order=newest&kind=gate_a_b',
    );
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
    const late3 = await curator.open(`/governance/${items[2]}`);
    const page = await preview(curator, 'approve', ...items);
    expect(page.text).toMatch(
      /3 statements then read by everyone who may read \/team \(\d+ readers/,
    );
    await curator.submit(late3, 'Defer until tomorrow', AT_ONCE);
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
    const page = await preview(curator, 'reject', await itemOf(one), await itemOf(two));
    expect(page.text).toContain('2 statements still read by the same people as now');
    const told = await decide(curator, page, 'reject', await itemOf(one));
    expect([told.text.includes('1 decided'), await stateOf(one)]).toEqual([true, 'rejected']);
    expect((await decide(curator, page, 'defer', await itemOf(two))).text).toContain('is deferred');
  });

  test('need a choice, and a word that is known', async () => {
    const id = await itemOf(await scene.said('I own 46 stamps of lot 6.'));
    const none = await preview(curator, 'approve');
    expect([none.status, none.text.includes('choose at least one')]).toEqual([422, true]);
    const page = await preview(curator, 'approve', id);
    const odd = await decide(curator, page, 'nonsense', id);
    expect(odd.status).toBe(422);
    const forged = await decide(curator, page, 'approve', 'no-id');
    expect(forged.status).toBe(422);
    expect((await preview(curator, 'approve', 'no-id')).status).toBe(422);
  });

  test('leave contests alone, over the form as over its preview', async () => {
    const statement = await scene.said('I own 51 stamps of lot 11.');
    const alice = await scene.signedIn('alice');
    await alice.submit(await alice.open(`/console/knowledge/${statement}`), 'Let a curator decide');
    const id = await itemOf(statement);
    for (const action of ['approve', 'reject', 'defer']) {
      const page = await preview(curator, action, id);
      expect(page.text).toContain('None of them can be decided so.');
      const told = await decide(curator, page, action, id);
      expect(told.text).toContain('0 decided, 1 not.');
      expect(await stateOf(statement)).toBe('contested');
    }
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
    const page = await curator.open('/governance?kind=gate_a_b');
    const all = await curator.open(page.links.find((to) => to.includes('all=1')) ?? '');
    const form = all.forms.find(({ action }) => action === '/governance/bulk');
    const shown = all.links.filter((to) => /^\/governance\/[0-9a-f-]{36}\?.*walk=/.test(to));
    const names = Object.keys(form?.fields ?? {}).filter((name) => name.startsWith('item.'));
    expect(names.length).toBeGreaterThan(1);
    expect(names.toSorted()).toEqual(
      [...new Set(shown.map((to) => `item.${to.slice(12, 48)}`))].toSorted(),
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
  test('a decision leads to the item that follows, with its evidence beside it, and says what was decided', async () => {
    await scene.said('I own 52 stamps of lot 12.');
    await scene.said('I own 53 stamps of lot 13.');
    const page = await curator.open('/governance?order=newest&kind=gate_a_b');
    expect(page.text).toMatch(/What was said .*I own 53 stamps of lot 13\./);
    const next = await curator.submit(page, 'Reject');
    expect(next.path).toMatch(
      /^\/governance\/[0-9a-f-]{36}\?kind=gate_a_b&order=newest&did=reject&item=[0-9a-f-]{36}&walk=2-\d+$/,
    );
    expect(next.text).toMatch(
      /You rejected: Alice owns 53 stamps of lot 13\. It is carried out in/,
    );
    expect(next.text).toMatch(/What was said .*I own 52 stamps of lot 12\./);
    await curator.submit(next, 'Undo');
  });

  test('a slip is taken back with one button; after that there is nothing to take back', async () => {
    const statement = await scene.said('I own 54 stamps of lot 14.');
    const id = await itemOf(statement);
    const before = await stateOf(statement);
    const decided = await curator.submit(await curator.open(`/governance/${id}`), 'Approve');
    expect(await stateOf(statement)).toBe(before);
    const waiting = await curator.open(`/governance/${id}`);
    expect(waiting.text).toContain('It was approved by you.');
    expect(waiting.forms.map(({ button }) => button)).not.toContainEqual(
      expect.stringMatching(/^Approve: /),
    );
    const undone = await curator.submit(decided, 'Undo');
    expect(undone.text).toContain('You took the decision back. Nothing was changed.');
    expect(undone.forms.map(({ button }) => button)).toContainEqual(
      expect.stringMatching(/^Approve: /),
    );
    const late = await curator.submit(decided, 'Undo');
    expect([late.status, late.text.includes('It is too late for that')]).toEqual([409, true]);
    expect(await stateOf(statement)).toBe(before);
  });

  test('the keys are named, and can be turned off for all that follows', async () => {
    const page = await curator.open('/governance?kind=gate_a_b');
    expect(page.elements.has('@data-keys')).toBe(true);
    const off = await curator.open(page.links.find((to) => to.includes('keys=off')) ?? '');
    expect(off.elements.has('@data-keys')).toBe(false);
    const link = off.links.find((to) => /^\/governance\/[0-9a-f-]{36}\?keys=off/.test(to)) ?? '';
    expect((await curator.open(link)).elements.has('@data-keys')).toBe(false);
  });
});

describe('a contest', () => {
  test('is decided by who reads what the person wrote, and reworded by it', async () => {
    const statement = await scene.said('I own 55 stamps of lot 15.');
    const alice = await scene.signedIn('alice');
    await alice.submit(
      await alice.open(`/console/knowledge/${statement}`),
      'Let a curator decide',
      { reason: 'That was my sister.', correction: 'Eva owns 55 stamps.' },
    );
    const page = await curator.open(`/governance/${await itemOf(statement)}`);
    expect(page.text).toMatch(/alice .* That was my sister\. It should say: Eva owns 55 stamps\./);
    const edit = page.forms.find(({ button }) => button.startsWith('Propose the new wording'));
    expect(edit?.fields['statement']).toContain('Eva owns 55 stamps.');
    const queue = await curator.open('/governance?kind=contest');
    expect(queue.elements.has('@data-choose-all')).toBe(false);
    expect(queue.forms.map(({ action }) => action)).not.toContain('/governance/bulk');
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
      ...AT_ONCE,
      into: '',
      other: `https://here.example/console/knowledge/${kept}`,
    });
    expect(done.text).toMatch(/You merged: .* It has been carried out\./);
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
