/** Markup, bidi controls and long words in content, names and scope paths appear as text on every page. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formOf } from './browser.ts';
import { closeWithoutErrors, openScene, type Browser, type Page, type Scene } from './scene.ts';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'><b>bold</b>';
const SCOPE = '/team/<b onclick=alert(3)>"quoted"&amp;';
/** Whom a circle of a hostile name has as its member, in a hostile scope. */
const CIRCLE = `${MARKUP} circle`;
const UNSEEN = ['\u0001', '\u001B', '\u007F', '\u202A', '\u202C', '\u202E', '\u2066', '\u2069'];
const LONG = 'w'.repeat(10_000);

let scene: Scene;
let alice: Browser;
let curator: Browser;
let plain: ReadonlySet<string>;
let id: string;
let circle: string;
let hold: string;

/** Gives the statement words that no extraction would: what stands in the store is shown as it is. */
async function rewrite(words: string): Promise<void> {
  await scene.service.rows('update knowledge set statement = $2 where id = $1', [id, words]);
}

beforeAll(async () => {
  scene = await openScene();
  const { home } = scene.service;
  await home
    .person('mallory', { peer: MARKUP.slice(0, 200), role: 'reader' })
    .catch(() => undefined);
  id = await scene.said(`I live in Porto. ${MARKUP} null undefined NaN`, SCOPE);
  await home.person('overseer', { role: 'curator' });
  alice = await scene.signedIn('alice');
  curator = await scene.signedIn('overseer');
  const created = await curator.submit(
    await curator.open(`/console/scopes/circles?scope=${encodeURIComponent(SCOPE)}`),
    'Create',
    { name: CIRCLE, members: 'alice' },
  );
  circle = created.path.split('?')[0] ?? '';
  await scene.service.rows(
    `insert into forget_holds (account_id, id, scope_id, message_id, kind, is_acting, sealed_key, due_at)
     select m.account_id, m.id, m.scope_id, m.id, 'others', false, decode(repeat('00', 32), 'hex'), now()
     from messages m join provenance p on p.account_id = m.account_id and p.message_id = m.id
     where p.knowledge_id = $1 limit 1`,
    [id],
  );
  const [opened] = await scene.service.rows('select id from forget_holds');
  hold = `/governance/forgetting/${String(opened?.['id'])}`;
  // The elements and attributes that our own pages have, before any hostile word stands on one.
  const harmless = await scene.said('I like tea.');
  const pages = [
    await alice.open('/console'),
    await alice.open(`/console/knowledge/${harmless}`),
    await alice.open('/console/me'),
    await alice.open('/console/knowledge?scope=%2Fteam&q=tea'),
    await alice.open('/console/scopes?scope=/team'),
    await alice.open('/console/graph?scope=/team&descendants=1'),
    await curator.open('/governance'),
    await curator.open(`/governance/${await itemOf(harmless)}`),
    await curator.open(`/governance/${await itemOf(harmless)}?merge=1`),
    await curator.open('/console/skills'),
    await curator.open(await harmlessCircle()),
    await curator.open('/console/scopes/circles?scope=/team'),
    await curator.open('/console/knowledge?cursor=x'),
    await curator.open(await harmlessHold()),
    await curator.open('/governance/forgetting'),
  ];
  plain = new Set(pages.flatMap(({ elements }) => [...elements]));
});
afterAll(async () => closeWithoutErrors(scene?.service));

async function harmlessHold(): Promise<string> {
  const [row] = await scene.service.rows(
    `insert into forget_holds (account_id, id, scope_id, message_id, kind, is_acting, sealed_key, due_at)
     select account_id, gen_random_uuid(), scope_id, null, 'others', false, sealed_key, due_at
     from forget_holds limit 1 returning id`,
  );
  return `/governance/forgetting/${String(row?.['id'])}`;
}

async function harmlessCircle(): Promise<string> {
  const page = await curator.open('/console/scopes/circles?scope=/team');
  const made = await curator.submit(page, 'Create', { name: 'desk', members: 'alice' });
  return made.path;
}

async function itemOf(statement: string): Promise<string> {
  const [row] = await scene.service.rows(
    'select id from review_items where knowledge_id = $1 and decided_at is null',
    [statement],
  );
  return String(row?.['id']);
}

async function pagesWith(): Promise<readonly Page[]> {
  const scope = encodeURIComponent(SCOPE);
  return [
    await alice.open('/console'),
    await alice.open('/console/me'),
    await alice.open(`/console/knowledge/${id}`),
    await alice.open(`/console/knowledge?scope=${scope}&q=${encodeURIComponent(MARKUP)}`),
    await alice.open(`/console/knowledge?scope=${scope}&state=provisional`),
    await alice.open('/console/scopes'),
    await alice.open(`/console/scopes?scope=${scope}`),
    await alice.open(`/console/graph?scope=${scope}`),
    await curator.open('/governance'),
    await curator.open(`/governance?scope=${scope}`),
    await curator.open(`/governance/${await itemOf(id)}`),
    await curator.open(`/governance/${await itemOf(id)}?merge=1`),
    await curator.open(`/console/scopes/circles?scope=${scope}`),
    await curator.open('/governance/forgetting'),
    await curator.open(hold),
    await curator.open(circle),
    await alice.open(circle),
    await curator.open(`/console/skills?scope=${scope}`),
    await curator.open(`/console/skills/held?scope=${scope}&skill=none`),
  ];
}

const HOSTILE: Readonly<Record<string, string>> = {
  markup: MARKUP,
  'an end of our own elements': '</bdi></a></li></ul></main><form action="https://evil.example">',
  'bidi controls': 'abc \u202E\u2066 fdp.exe \u202C',
  'a word of ten thousand letters': LONG,
  'words that programs take for nothing': 'null undefined NaN [object Object] {{x}} ${x} <%= x %>',
  controls: 'a\u0001b\u001Bc\u007F',
};

test.each(Object.keys(HOSTILE))(
  '%s in a statement adds no element and no attribute',
  async (what) => {
    const words = HOSTILE[what] ?? '';
    await rewrite(words);
    for (const page of await pagesWith()) {
      expect([page.path, page.status]).toEqual([page.path, 200]);
      expect([page.path, [...page.elements].filter((name) => !plain.has(name))]).toEqual([
        page.path,
        [],
      ]);
      expect(page.forms.every(({ action }) => action.startsWith('/'))).toBe(true);
      // A field holds what it would send back, in a box and a direction of its own.
      const source = page.source.replaceAll(/<textarea[^>]*>[^<]*<\/textarea>/g, '');
      expect(UNSEEN.filter((character) => source.includes(character))).toEqual([]);
    }
    const statement = await alice.open(`/console/knowledge/${id}`);
    const shown = words
      .replaceAll(
        /[\u202A-\u202E\u2066-\u2069\u007F]/g,
        (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
      )
      .replaceAll('\u0001', '␁')
      .replaceAll('\u001B', '␛');
    expect(statement.text).toContain(shown.trim());
  },
);

test('the scope path and the source appear as text', async () => {
  const page = await alice.open(`/console/knowledge/${id}`);
  expect(page.text).toContain(SCOPE);
  expect(page.text).toContain(MARKUP);
  const overview = await alice.open('/console');
  const link = overview.links.find((to) => to.includes('onclick')) ?? '';
  expect(new URLSearchParams(link.split('?')[1]).get('scope')).toBe(SCOPE);
});

test('what was typed into a form comes back as it was', async () => {
  await rewrite('Alice likes tea.');
  const item = await curator.open(`/governance/${await itemOf(id)}`);
  const typed = `${MARKUP}\n</textarea>\u202E ${'x'.repeat(5_000)}`;
  const again = await curator.submit(item, 'Propose the new wording', { statement: typed });
  expect(again.status).toBe(422);
  const form = formOf(again, 'Propose the new wording');
  expect(form?.fields['statement']).toBe(typed);
});

test('an e-mail address that was typed comes back as text', async () => {
  const browser = scene.browser();
  const page = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
    email: MARKUP,
    password: 'whatever it is',
  });
  expect(page.status).toBe(401);
  expect(page.forms[0]?.fields['email']).toBe(MARKUP);
  expect(page.elements.has('img')).toBe(false);
});
