/** Skill cards on pages: who sees and writes them, what holds where, and the check for oneself. */
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

const PATH = '/console/skills';
const HOSTILE = '<img src=x onerror=alert(1)>"\' </textarea>\u202E';
const asked = (key: string, more: object = {}) => ({
  key,
  level: 'required',
  source_policy: 'either',
  selector: {},
  ...more,
});
const DIET = asked('diet', { description: 'what is not eaten', selector: { kind: 'preference' } });

let scene: Scene;
let curator: Browser;
let reader: Browser;
let wide: Browser;
let alice: Browser;

beforeAll(async () => {
  scene = await openScene();
  await scene.said('I live in Porto.', '/team/project');
  await scene.said('I keep bees.', '/else');
  await scene.service.home.person('wide', { role: 'curator' });
  await scene.service.home.person('away', { role: 'reader', scope: '/else' });
  curator = await scene.signedIn('curator');
  reader = await scene.signedIn('reader');
  wide = await scene.signedIn('wide');
  alice = await scene.signedIn('alice');
});
afterAll(async () => closeWithoutErrors(scene?.service));

async function publish(browser: Browser, card: unknown): Promise<Page> {
  const text = typeof card === 'string' ? card : JSON.stringify(card);
  return browser.submit(await browser.open(`${PATH}/write`), 'Publish', { card: text });
}

const idOf = (page: Page): string => /cards\/([0-9a-f-]{36})/.exec(page.path)?.[1] ?? '';

describe('writing a card', () => {
  test('publishes it, and says of the same content that nothing changed', async () => {
    const card = { skill: 'trip', scope_path: '/team', requirements: [DIET] };
    const page = await publish(curator, card);
    expect([page.status, page.path.endsWith('?done=published')]).toEqual([200, true]);
    expect(page.text).toContain('You published it');
    expect(page.text).toContain('version 1');
    const again = await publish(curator, card);
    expect([idOf(again), again.text.includes('has the same content')]).toEqual([idOf(page), true]);
  });

  test('begins with a card that can be published, and the next version with the one before', async () => {
    const begin = await curator.open(`${PATH}/write?scope=%2Fteam`);
    const first = await curator.submit(begin, 'Publish');
    expect(first.text).toContain('plan-a-trip');
    const next = await curator.open(`${PATH}/write?card=${idOf(first)}`);
    const text = next.forms.find(({ button }) => button === 'Publish')?.fields['card'] ?? '';
    expect((await curator.submit(next, 'Publish')).text).toContain('has the same content');
    expect(JSON.parse(text)).toMatchObject({ skill: 'plan-a-trip', scope_path: '/team' });
    const second = await curator.submit(next, 'Publish', { card: text.replace('diet', 'meals') });
    expect(second.text).toContain('version 2');
    expect((await curator.open(`${PATH}/cards/${idOf(first)}`)).text).toContain('Retired');
  });

  test('tells all faults at once by their places, and keeps what was written', async () => {
    const faulty = JSON.stringify({
      skill: 'Not A Slug',
      scope_path: '/team',
      description: HOSTILE,
      requirements: [{ key: 'a', level: 'perhaps', source_policy: 'x' }, { key: 'a' }],
    });
    const page = await publish(curator, faulty);
    expect(page.status).toBe(422);
    for (const place of [
      'skill',
      'requirements.0.level',
      'requirements.0.source_policy',
      'requirements.1.key',
    ]) {
      expect(page.source).toContain(`<code>${place}</code>`);
    }
    expect(page.forms.find(({ button }) => button === 'Publish')?.fields['card']).toBe(faulty);
    expect(page.elements.has('img')).toBe(false);
  });

  test.each([
    ['{"skill": "x",\n "requirements": [}', 'is not JSON: look at line 2, column 19'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['', 'is not JSON: look at line 1, column 1'],
    ['{"skil": "x"}', 'must have no members but skill, scope_path, description, requirements'],
  ])('of %j says what is wrong', async (text, words) => {
    const page = await publish(curator, text);
    expect([page.status, page.text.includes(words)]).toEqual([422, true]);
  });

  test('is for the curators of the scope, which is made where nothing was written to it yet', async () => {
    const elsewhere = { skill: 'trip', scope_path: '/else', requirements: [] };
    const page = await publish(curator, elsewhere);
    expect([page.status, page.text.includes('Your role does not permit')]).toEqual([403, true]);
    expect(page.source).toContain('/else');
    const early = { ...elsewhere, scope_path: '/early' };
    expect((await publish(curator, early)).status).toBe(403);
    expect((await publish(wide, early)).status).toBe(200);
    expect((await wide.open(`${PATH}?scope=%2Fearly`)).text).toContain('trip');
    expect((await reader.open(`${PATH}/write`)).status).toBe(403);
    expect((await reader.open(PATH)).text).not.toContain('Write a card');
    const token = (await reader.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const sent = await reader.request('POST', `${PATH}/publish`, {
      fields: { _csrf: token, card: JSON.stringify({ ...elsewhere, scope_path: '/team' }) },
    });
    expect(sent.status).toBe(403);
  });

  test('is refused without the token of the session, and after the sign-out', async () => {
    const fields = {
      card: JSON.stringify({ skill: 'forged', scope_path: '/team', requirements: [] }),
    };
    expect((await curator.request('POST', `${PATH}/publish`, { fields })).status).toBe(403);
    const other = await scene.signedIn('curator');
    const page = await other.open(`${PATH}/write`);
    const token = page.forms.find(({ button }) => button === 'Publish')?.fields['_csrf'] ?? '';
    await other.submit(page, 'Sign out');
    const replayed = await other.request('POST', `${PATH}/publish`, {
      fields: { ...fields, _csrf: token },
    });
    expect([303, 403]).toContain(replayed.status);
    expect((await curator.open(`${PATH}?scope=%2Fteam&skill=forged`)).text).toContain(
      'No card here',
    );
  });
});

describe('checking a card', () => {
  const check = async (browser: Browser, card: unknown, people = ''): Promise<Page> => {
    const text = typeof card === 'string' ? card : JSON.stringify(card);
    return browser.submit(await browser.open(`${PATH}/write`), 'Check', { card: text, people });
  };
  const cards = () => scene.service.rows('select id from skill_cards order by id');
  const named = () =>
    scene.service.rows(
      `select p.key from audit_events e join peers p on p.id = e.resource_id::uuid
       where e.action = 'reader.named' and e.metadata ->> 'operation' = 'skills.check' order by e.id`,
    );

  test('says what publishing would do, and publishes nothing', async () => {
    const card = { skill: 'checked', scope_path: '/team', requirements: [DIET] };
    const before = await cards();
    const first = await check(curator, card);
    expect([first.status, first.path]).toEqual([200, `${PATH}/check`]);
    expect(first.text).toContain('The card has no faults');
    expect(first.text).toContain('the first card of the skill');
    expect(await cards()).toEqual(before);
    const kept = first.forms.find(({ button }) => button === 'Publish')?.fields['card'] ?? '';
    expect(JSON.parse(kept)).toEqual(card);
    const published = await curator.submit(first, 'Publish');
    expect(published.text).toContain('version 1');
    const same = await check(curator, card);
    expect(same.text).toContain('Version 1, which is in force, has the same content');
    const other = await check(curator, { ...card, requirements: [] });
    expect(other.text).toContain('Publishing would replace version 1.');
    expect(await cards()).toHaveLength(before.length + 1);
  });

  test('says who would be ready with it, and what would be lacking', async () => {
    const canoe = asked('canoe', { selector: { topic: ['canoe'] } });
    const phone = { ...asked('phone', { selector: { attribute: 'phone' } }), level: 'preferred' };
    const of = (requirements: readonly object[]) => ({
      skill: 'ready',
      scope_path: '/team/project',
      requirements,
    });
    const [row] = await scene.service.rows(
      `select id from knowledge where statement = 'Alice owns a red canoe.'`,
    );
    await scene.service.home.rewrite(String(row?.['id']), {
      state: 'active',
      sensitivity: 'internal',
    });
    const ready = await check(wide, of([canoe, phone]), 'alice\nmember@home.example');
    expect(ready.text).toContain('alice Ready phone: not known (only preferred)');
    expect(ready.text).toContain('member@home.example Not ready canoe: not known');
    const own = await check(wide, of([canoe]));
    expect(own.text).toContain('You Not ready canoe: not known');
    expect((await named()).map(({ key }) => key)).toEqual(['alice', 'member@home.example']);
  });

  test('counts the card in place of the one in force, with those above it', async () => {
    const skill = 'replaced';
    await publish(wide, {
      skill,
      scope_path: '/',
      requirements: [asked('above', { selector: { topic: ['zeppelin'] } })],
    });
    await publish(wide, {
      skill,
      scope_path: '/team',
      requirements: [asked('own', { selector: { topic: ['zeppelin'] } })],
    });
    const page = await check(wide, {
      skill,
      scope_path: '/team',
      requirements: [asked('draft', { selector: { topic: ['zeppelin'] } })],
    });
    expect(page.text).toContain('above: not known');
    expect(page.text).toContain('draft: not known');
    expect(page.text).not.toContain('own: not known');
  });

  test('tells all faults at once, those of the people and of strange members too', async () => {
    const faulty = {
      skill: 'Not A Slug',
      scope_path: 'a/../b',
      strange: 1,
      requirements: [{ key: 'a', level: 'perhaps' }],
    };
    for (const button of ['Check', 'Publish']) {
      const form = await curator.open(`${PATH}/write`);
      const page = await curator.submit(form, button, { card: JSON.stringify(faulty) });
      expect([button, page.status]).toEqual([button, 422]);
      for (const place of ['skill', 'scope_path', 'requirements.0.level']) {
        expect(page.source).toContain(`<code>${place}</code>`);
      }
      expect(page.text).toContain('must have no members but skill');
    }
    const card = { skill: 'people', scope_path: '/team', requirements: [] };
    const nobody = await check(curator, card, 'alice\nnobody <b>\nno one');
    expect(nobody.status).toBe(422);
    expect(nobody.text).toContain('“nobody <b>” must be the key of a peer of this account');
    expect(nobody.text).toContain('“no one” must be the key of a peer of this account');
    expect(nobody.elements.has('b')).toBe(false);
    const many = await check(curator, card, Array.from({ length: 9 }, (_, n) => n).join(','));
    expect([many.status, many.text.includes('must be at most 8')]).toEqual([422, true]);
    const kept = many.forms.find(({ button }) => button === 'Check')?.fields['people'];
    expect(kept?.trim()).toBe('0,1,2,3,4,5,6,7,8');
  });

  test('is for the curators of the scope, as publishing is', async () => {
    const card = { skill: 'trip', scope_path: '/else', requirements: [] };
    const before = await named();
    expect((await check(curator, card, 'alice')).status).toBe(403);
    const early = await check(wide, { ...card, scope_path: '/nowhere' }, '');
    expect(early.status).toBe(200);
    expect((await wide.open(`${PATH}?scope=%2Fnowhere`)).text).not.toContain('in /nowhere and');
    const token = (await reader.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const fields = { _csrf: token, card: JSON.stringify({ ...card, scope_path: '/team' }) };
    expect((await reader.request('POST', `${PATH}/check`, { fields })).status).toBe(403);
    const { _csrf: _none, ...forged } = fields;
    expect((await curator.request('POST', `${PATH}/check`, { fields: forged })).status).toBe(403);
    const nobody = await scene.browser().request('POST', `${PATH}/check`, { fields });
    expect([303, 403]).toContain(nobody.status);
    expect(await named()).toEqual(before);
  });
});

describe('the cards', () => {
  test('of a scope and those above it are listed for its readers, by skill and by version', async () => {
    await publish(wide, { skill: 'greet', scope_path: '/', requirements: [] });
    const page = await reader.open(`${PATH}?scope=%2Fteam`);
    expect(page.text).toContain('trip In force version 1 in /team and below one requirement');
    expect(page.text).toContain('greet');
    expect((await reader.open(`${PATH}?scope=%2Fteam&skill=greet`)).text).not.toContain('trip ');
    expect((await reader.open(`${PATH}?scope=%2Fteam`)).text).not.toContain('Retired version');
    expect((await reader.open(`${PATH}?scope=%2Fteam&versions=all`)).text).toContain('Retired');
    const away = await scene.signedIn('away');
    expect((await away.open(`${PATH}?scope=%2Fteam`)).text).not.toContain('trip');
  });

  test('that are hidden are as missing, byte for byte', async () => {
    const [row] = await scene.service.rows(
      `select c.id from skill_cards c join scopes s on s.id = c.scope_id where s.path = '/team' limit 1`,
    );
    const away = await scene.signedIn('away');
    const hidden = await away.open(`${PATH}/cards/${String(row?.['id'])}`);
    const missing = await away.open(`${PATH}/cards/${uuidv7()}`);
    expect([hidden.status, hidden.source]).toEqual([404, missing.source]);
    const token = (await curator.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const retired = await curator.request('POST', `${PATH}/cards/${uuidv7()}/retire`, {
      fields: { _csrf: token },
    });
    expect(retired.status).toBe(404);
  });

  test('of an account are not those of another, nor of who has not signed in', async () => {
    const other = await scene.service.account('neighbour');
    await other.person('stranger', { role: 'account-admin' });
    const stranger = scene.browser();
    await stranger.submit(await stranger.open('/sign-in'), 'Sign in', {
      email: 'stranger@neighbour.example',
      password: PASSWORD,
    });
    const [row] = await scene.service.rows('select id from skill_cards limit 1');
    const hidden = await stranger.open(`${PATH}/cards/${String(row?.['id'])}`);
    const missing = await stranger.open(`${PATH}/cards/${uuidv7()}`);
    expect([hidden.status, hidden.source]).toEqual([404, missing.source]);
    expect((await stranger.open(PATH)).text).toContain('No card here');
    expect((await stranger.open(`${PATH}/write?card=${String(row?.['id'])}`)).status).toBe(404);
    const headers = { authorization: `Bearer ${scene.relay}` };
    for (const path of [PATH, `${PATH}/held`, `${PATH}/write`]) {
      expect((await scene.browser().open(path)).path.startsWith('/sign-in?')).toBe(true);
      expect((await scene.browser().request('GET', path, { headers })).status).toBe(303);
    }
  });

  test('say what is wrong with a filter', async () => {
    for (const query of ['scope=a/../b', 'skill=Not+A+Slug', 'cursor=x']) {
      expect([query, (await reader.open(`${PATH}?${query}`)).status]).toEqual([query, 422]);
    }
    expect((await reader.open(`${PATH}/held?skill=Not+A+Slug&scope=%2Fteam`)).status).toBe(422);
  });

  test('show markup in their texts as text', async () => {
    const page = await publish(curator, {
      skill: 'hostile',
      scope_path: '/team',
      description: HOSTILE,
      requirements: [
        { ...DIET, description: HOSTILE, prompt: HOSTILE, selector: { topic: ['tea'] } },
      ],
    });
    const pages = [
      page,
      await reader.open(`${PATH}?scope=%2Fteam&skill=hostile`),
      await reader.open(`${PATH}/held?scope=%2Fteam&skill=hostile&check=me`),
      await curator.open(`${PATH}/write?card=${idOf(page)}`),
    ];
    for (const each of pages) {
      expect([each.path, each.elements.has('img'), each.status]).toEqual([each.path, false, 200]);
    }
    expect(pages[1]?.text).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('what holds at a scope', () => {
  test('is what the nearest card says of each key, with what it replaces and takes away', async () => {
    const skill = 'inherit';
    const of = (scope_path: string, requirements: readonly object[]) =>
      publish(wide, { skill, scope_path, requirements });
    await of('/', [DIET, asked('home'), asked('age')]);
    await of('/team', [{ ...DIET, description: 'nearer' }]);
    await of('/team/project', [{ key: 'home', enabled: false }]);
    const page = await reader.open(`${PATH}/held?skill=inherit&scope=%2Fteam%2Fproject`);
    expect(page.text).toContain('diet Replaced by version 1 in /team');
    expect(page.text).toContain('home Replaced by version 1 in /team/project');
    expect(page.text).toContain('age Holds');
    expect(page.text).toContain('home Taken away');
    const above = await reader.open(`${PATH}/held?skill=inherit&scope=%2Fteam`);
    expect(above.text).toContain('home Holds');
  });

  test('is compared with what is known of the viewer', async () => {
    await publish(wide, {
      skill: 'visit',
      scope_path: '/',
      requirements: [
        asked('home', { selector: { attribute: 'residence' } }),
        asked('phone', { selector: { attribute: 'phone' }, source_policy: 'ask-peer' }),
      ],
    });
    const [row] = await scene.service.rows(
      `select id from knowledge where statement = 'Alice lives in Porto.'`,
    );
    const id = String(row?.['id']);
    await alice.submit(await alice.open(`/console/knowledge/${id}`), 'Yes, it is true');
    await scene.service.quiet();
    const before = await alice.open(`${PATH}/held?skill=visit&scope=%2Fteam%2Fproject`);
    const page = await alice.submit(before, 'Check what is known about me');
    expect(page.text).toContain('Not ready One fact is missing.');
    expect(page.text).toContain('home Known');
    expect(page.text).toMatch(/phone Not known .*An agent may ask:/);
    expect(page.links).toContain(`/console/knowledge/${id}`);
    const nothing = await reader.open(`${PATH}/held?skill=no-such&scope=%2Fteam&check=me`);
    expect(nothing.text).toContain('No card is in force here');
  });

  test('no longer holds when a curator retires the card', async () => {
    const page = await publish(curator, {
      skill: 'short',
      scope_path: '/team',
      requirements: [DIET],
    });
    expect((await reader.open(`${PATH}/cards/${idOf(page)}`)).text).not.toContain(
      'For its curators',
    );
    const retired = await curator.submit(page, 'Retire this version');
    expect(retired.text).toContain('It is no longer in force');
    const held = await reader.open(`${PATH}/held?skill=short&scope=%2Fteam`);
    expect(held.text).toContain('No card is in force here');
  });
});
