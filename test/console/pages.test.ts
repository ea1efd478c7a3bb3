/** What each identity sees and may do on the pages, and that hidden and missing are one page. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { closeWithoutErrors, openScene, type Browser, type Scene } from './scene.ts';

let scene: Scene;
const browsers = new Map<string, Browser>();
/** Statements about alice: that wait, that are believed, and one in a scope of another branch. */
let waits: string;
let believed: string;
let elsewhere: string;

beforeAll(async () => {
  scene = await openScene();
  await scene.service.home.person('away', { role: 'curator', scope: '/else' });
  waits = await scene.said('I live in Porto.');
  believed = await scene.said('I play the cello.');
  elsewhere = await scene.said('I keep bees.', '/else');
  for (const who of ['reader', 'member', 'curator', 'admin', 'alice', 'away']) {
    browsers.set(who, await scene.signedIn(who));
  }
  const alice = at('alice');
  await alice.submit(await alice.open(`/console/knowledge/${believed}`), 'Yes, it is true');
  await scene.service.quiet();
});
afterAll(async () => closeWithoutErrors(scene?.service));

function at(who: string): Browser {
  const browser = browsers.get(who);
  if (browser === undefined) throw new Error(`nobody is called ${who}`);
  return browser;
}

async function itemOf(id: string): Promise<string> {
  const [row] = await scene.service.rows(
    `select id from review_items where knowledge_id = $1 and decided_at is null`,
    [id],
  );
  return String(row?.['id']);
}

describe('the head of every page leads', () => {
  test.each([
    ['reader', ['Overview', 'Knowledge', 'About me']],
    ['curator', ['Overview', 'Knowledge', 'About me', 'Decisions']],
    ['admin', ['Overview', 'Knowledge', 'About me', 'Decisions']],
  ])('a %s to %j', async (who, names) => {
    const page = await at(who).open('/console');
    for (const name of ['Overview', 'Knowledge', 'About me', 'Decisions']) {
      expect([name, page.source.includes(`>${name}</a`)]).toEqual([name, names.includes(name)]);
    }
  });
});

describe('the overview', () => {
  test('shows the subject what was lately said, and curators what waits for them', async () => {
    const alice = await at('alice').open('/console');
    expect(alice.text).toContain('Alice keeps bees.');
    expect(alice.text).not.toContain('Waits for a decision');
    const curator = await at('curator').open('/console');
    expect(curator.text).toContain('Alice lives in Porto.');
    expect(curator.text).not.toContain('bees');
    const reader = await at('reader').open('/console');
    expect(reader.text).not.toContain('Porto');
  });

  test('shows health to administrators only', async () => {
    expect((await at('admin').open('/console')).text).toContain('Health Ready');
    expect((await at('curator').open('/console')).text).not.toContain('Health');
  });

  test('of an empty installation says what to do first', async () => {
    const other = await scene.service.account('empty');
    await other.person('first', { role: 'account-admin' });
    const browser = scene.browser();
    const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
      email: 'first@empty.example',
      password: 'correct horse battery',
    });
    expect(page.text).toContain('Nothing is known yet');
    expect(page.text).toContain('vouch key create');
  });
});

describe('knowledge', () => {
  test('lists what the reader may see in a scope, with its filters in the address', async () => {
    const page = await at('reader').open('/console/knowledge?scope=%2Fteam');
    expect(page.text).toContain('Alice plays the cello.');
    expect(page.text).not.toContain('Porto');
    const waiting = await at('alice').open('/console/knowledge?scope=%2Fteam&state=provisional');
    // She is no submitter of what the agent passed on in her name alone.
    expect(waiting.status).toBe(200);
    expect(waiting.forms.find(({ method }) => method === 'get')?.fields).toEqual({
      q: '',
      scope: '/team',
      state: 'provisional',
      kind: '',
      sensitivity: '',
      level: '',
      about: '',
      as_of: '',
      size: '25',
    });
  });

  test('finds by words, and says how the search went', async () => {
    const page = await at('reader').open('/console/knowledge?scope=%2Fteam&q=cello');
    expect(page.text).toContain('Alice plays the cello.');
    expect(page.text).toContain('One was found');
    expect(page.text).toMatch(/Found by (?:meaning|words)/);
    const nothing = await at('reader').open('/console/knowledge?scope=%2Fteam&q=%22zeppelin%22');
    expect(nothing.text).toContain('Nothing was found');
  });

  test('says what is wrong with an address, and what an empty list means', async () => {
    for (const query of ['scope=a/../b', 'cursor=x', 'q=%22a', 'scope=%00']) {
      const page = await at('reader').open(`/console/knowledge?${query}`);
      expect([query, page.status < 500]).toEqual([query, true]);
    }
    const bad = await at('reader').open('/console/knowledge?cursor=nonsense');
    expect([
      bad.status,
      bad.text.includes('cursor: must be the cursor of the previous page'),
    ]).toEqual([422, true]);
    const none = await at('reader').open('/console/knowledge?scope=%2Fnowhere&state=stale');
    expect(none.text).toContain('Choose another state');
  });

  test('goes on page by page', async () => {
    for (let n = 0; n < 27; n += 1)
      await scene.said(`I own ${n + 40} stamps of lot ${n}.`, '/pages');
    await scene.service.rows(
      `update knowledge k set state = 'active' from scopes s
        where s.account_id = k.account_id and s.id = k.scope_id and s.path = '/pages'`,
    );
    const first = await at('reader').open('/console/knowledge?scope=%2Fpages');
    const next = first.links.find((link) => link.includes('cursor='));
    const second = await at('reader').open(next ?? '');
    const idsOn = (links: readonly string[]) =>
      links.filter((link) => /^\/console\/knowledge\/[0-9a-f-]{36}$/.test(link));
    expect(idsOn(first.links)).toHaveLength(25);
    expect(idsOn(second.links).length).toBeGreaterThan(0);
    expect(idsOn(first.links).filter((id) => idsOn(second.links).includes(id))).toEqual([]);
  });
});

describe('one statement', () => {
  test('shows its subject the words that support it, history, decisions and three buttons', async () => {
    const page = await at('alice').open(`/console/knowledge/${waits}`);
    expect(page.text).toContain('Alice lives in Porto.');
    expect(page.source).toMatch(/<mark>[^<]*I live in Porto/);
    expect(page.text).toContain('It is about you.');
    expect(page.text).toContain('History');
    expect(page.text).toContain('Lineage');
    const buttons = page.forms.map(({ button }) => button.split(': ')[0]);
    expect(buttons).toEqual(
      expect.arrayContaining(['Yes, it is true', 'Let a curator decide', 'Withdraw it for good']),
    );
  });

  test('shows a reader neither its words, its history nor a button', async () => {
    const page = await at('reader').open(`/console/knowledge/${believed}`);
    expect(page.text).toContain('Alice plays the cello.');
    expect(page.text).toContain('You were not there when it was said');
    expect(page.text).not.toContain('I play the cello');
    expect(page.text).not.toContain('History');
    expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
  });

  test('shows its curator history and the way to a wider scope, and a curator elsewhere neither', async () => {
    const page = await at('curator').open(`/console/knowledge/${believed}`);
    expect(page.text).toContain('For its curators');
    expect(page.text).toContain('History');
    expect((await at('away').open(`/console/knowledge/${believed}`)).status).toBe(404);
  });

  test('can be contested by its subject, decided by a curator, and taken away', async () => {
    const id = await scene.said('I drive a blue van.');
    const alice = at('alice');
    const contested = await alice.submit(
      await alice.open(`/console/knowledge/${id}`),
      'Let a curator decide',
    );
    expect(contested.text).toContain('You have contested it.');
    const curator = at('curator');
    const item = await curator.open(`/governance/${await itemOf(id)}`);
    const decided = await curator.submit(item, 'It is true after all', { undo_seconds: '0' });
    expect(decided.path).toMatch(/^\/governance\?kind=contest&did=approve&item=[0-9a-f-]{36}/);
    expect(decided.text).toContain('You approved: Alice drives a blue van.');
    const gone = await alice.submit(
      await alice.open(`/console/knowledge/${id}`),
      'Withdraw it for good',
    );
    expect([gone.path, gone.text.includes('blue van')]).toEqual([
      '/console/me?done=redacted',
      false,
    ]);
    expect((await alice.open(`/console/knowledge/${id}`)).status).toBe(404);
  });

  test('is shown again, with the reason, when a form comes too late', async () => {
    const id = await scene.said('I paint at night.');
    const alice = at('alice');
    const early = await alice.open(`/console/knowledge/${id}`);
    await scene.service.rows(`update knowledge set state = 'rejected' where id = $1`, [id]);
    const page = await alice.submit(early, 'Yes, it is true');
    expect(page.status).toBe(409);
    expect(page.text).toContain('Alice paints at night.');
    expect(page.text).toContain('It has changed since you opened the page');
  });

  test('can be put forward for a wider scope', async () => {
    const { id: own } = { id: believed };
    const curator = at('curator');
    const page = await curator.open(`/console/knowledge/${own}`);
    expect(page.text).toContain('you must be a curator of that scope too');
    const typed = async (scope: string) => {
      const { _csrf = '' } = page.forms[0]?.fields ?? {};
      const answer = await curator.request('POST', `/console/knowledge/${own}/promote`, {
        fields: { _csrf, target_scope_path: scope },
      });
      return [answer.status, /must be|Your role does not permit/.exec(answer.text)?.[0]];
    };
    expect(await typed('nonsense/../x')).toEqual([422, 'must be']);
    expect(await typed('/')).toEqual([403, 'Your role does not permit']);
    await scene.service.home.person('wide', { role: 'curator' });
    const wide = await scene.signedIn('wide');
    const asked = await wide.submit(await wide.open(`/console/knowledge/${own}`), 'Ask', {
      target_scope_path: '/',
    });
    expect(asked.text).toContain('The curators of the wider scope are asked.');
  });
});

describe('the queue', () => {
  test('is for curators, each with the items of the own scopes', async () => {
    const page = await at('curator').open('/governance');
    expect(page.text).toContain('Alice lives in Porto.');
    expect(page.text).not.toContain('bees');
    expect((await at('away').open('/governance')).text).toContain('Alice keeps bees.');
    expect((await at('reader').open('/governance')).status).toBe(403);
  });

  test('shows the evidence beside an item, and what a decision makes visible to whom', async () => {
    const page = await at('curator').open(`/governance/${await itemOf(waits)}`);
    expect(page.text).toContain('I live in Porto.');
    expect(page.text).toMatch(/Approve: then read by everyone who may read \/team .*\(now: alice/);
  });

  test('takes a decision of the version that was seen, and no other', async () => {
    const id = await scene.said('I sing in a choir.');
    const curator = at('curator');
    const seen = await curator.open(`/governance/${await itemOf(id)}`);
    const atOnce = { undo_seconds: '0' };
    const put = await curator.submit(seen, 'Defer until tomorrow', atOnce);
    expect(put.text).toContain('You deferred: Alice sing in a choir.');
    const late = await curator.submit(seen, 'Approve', atOnce);
    expect([late.status, late.text.includes('It has changed since you opened the page')]).toEqual([
      409,
      true,
    ]);
    const now = await curator.submit(
      await curator.open(`/governance/${await itemOf(id)}`),
      'Approve',
      atOnce,
    );
    expect(now.text).toContain('You approved: Alice sing in a choir. It has been carried out.');
    const [row] = await scene.service.rows('select state from knowledge where id = $1', [id]);
    expect(row).toEqual({ state: 'active' });
  });

  test('takes another wording, and keeps what was typed when it cannot be used', async () => {
    const id = await scene.said('I collect old maps.');
    const curator = at('curator');
    const item = await curator.open(`/governance/${await itemOf(id)}`);
    const bad = await curator.submit(item, 'Propose the new wording', { statement: '… !' });
    expect([bad.status, bad.text.includes('must hold a word')]).toEqual([422, true]);
    const good = await curator.submit(bad, 'Propose the new wording', {
      statement: 'Alice collects old sea charts.',
      undo_seconds: '0',
    });
    expect(good.text).toContain('You reworded: Alice collects old maps.');
    const rows = await scene.service.rows('select 1 from knowledge where statement = $1', [
      'Alice collects old sea charts.',
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('what is hidden', () => {
  const missing = uuidv7();
  const bytesAt = async (who: string, path: string): Promise<string> => {
    const { source, status } = await at(who).open(path);
    return `${status} ${source}`;
  };

  test.each([
    ['reader', () => waits, 'a statement that only its subject knows'],
    ['member', () => waits, 'a statement that only its subject knows'],
    ['curator', () => waits, 'a statement that is an item of the queue only'],
    ['curator', () => elsewhere, 'a statement of a scope that is not the own'],
    ['away', () => believed, 'a statement of a scope that is not the own'],
  ])('from a %s is as missing, byte for byte', async (who, id) => {
    const hidden = await bytesAt(who, `/console/knowledge/${id()}`);
    expect(hidden).toBe(await bytesAt(who, `/console/knowledge/${missing}`));
    expect(hidden).toBe(await bytesAt(who, '/console/knowledge/no-id-at-all'));
    expect(hidden.startsWith('404 ')).toBe(true);
  });

  test('among items is as missing, byte for byte, and so is it for forms', async () => {
    const item = await itemOf(waits);
    const hidden = await bytesAt('away', `/governance/${item}`);
    expect(hidden).toBe(await bytesAt('away', `/governance/${missing}`));
    const { fields = {} } = (await at('away').open('/console')).forms[0] ?? {};
    const sent = async (path: string) => {
      const answer = await at('away').request('POST', path, {
        fields: { ...fields, version: '1' },
      });
      return `${answer.status} ${answer.text}`;
    };
    for (const action of ['approve', 'reject', 'defer', 'edit']) {
      const typed = await sent(`/governance/${item}/${action}`);
      expect(typed).toBe(await sent(`/governance/${missing}/${action}`));
    }
    for (const word of ['confirm', 'contest', 'redact']) {
      const typed = await sent(`/console/knowledge/${waits}/${word}`);
      expect(typed).toBe(await sent(`/console/knowledge/${missing}/${word}`));
      expect(typed.startsWith('404 ')).toBe(true);
    }
  });

  test('in another account is as missing', async () => {
    await scene.service.other.person('stranger', { role: 'account-admin' });
    const browser = scene.browser();
    await browser.submit(await browser.open('/sign-in'), 'Sign in', {
      email: 'stranger@other.example',
      password: 'correct horse battery',
    });
    const there = await browser.open(`/console/knowledge/${believed}`);
    const nowhere = await browser.open(`/console/knowledge/${missing}`);
    expect(`${there.status} ${there.source}`).toBe(`${nowhere.status} ${nowhere.source}`);
    expect(there.status).toBe(404);
  });
});

describe('nobody', () => {
  test.each(['/console', '/console/knowledge', '/console/me', '/governance', '/console/nothing'])(
    'opens %s without a session, whatever key is sent along',
    async (path) => {
      const answer = await scene.browser().request('GET', path, {
        headers: { authorization: `Bearer ${scene.relay}` },
      });
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toContain('/sign-in');
    },
  );
});

describe('every page', () => {
  test.each(['/sign-in', '/console', '/console/knowledge', '/console/me', '/console/nothing'])(
    '%s is kept by nobody and may run nothing that another host sent',
    async (path) => {
      const { headers } = await at('admin').open(path);
      expect(headers['cache-control']).toBe('no-store');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  test('has assets that may be kept for ever, under names of their content', async () => {
    const { source } = await at('reader').open('/console');
    const addresses = [...source.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(
      ([, to]) => to ?? '',
    );
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const answer = await scene.browser().request('GET', address);
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await scene.browser().request('GET', '/console/assets/console.css')).status).toBe(404);
  });
});
