/**
 * The matrix of the pages: every page and every form of the console, opened and sent by everybody, of everything that an
 * address can name. Each answer is the one that a row of the tables gives (`matrix/pages`), shows none of the words that its
 * viewer may not read, and is for a hidden thing what it is for a missing one, byte for byte.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations, type OperationName } from '../../operations/registry.ts';
import { sized } from '../support/run.ts';
import { closeWithoutErrors, openBrowser, type Browser } from '../console/scene.ts';
import { forgetful } from './matrix/forgetful.ts';
import { askPages } from './matrix/pages/ask-pages.ts';
import { requestFor, sendFrom } from './matrix/pages/page-requests.ts';
import { csrfOf, openPageScene, withErasure, type PageScene } from './matrix/pages/page-scene.ts';
import { thingsOf, type PageTable, type Viewer } from './matrix/pages/page-table.ts';
import { PAGE_TABLES } from './matrix/pages/tables.ts';

const MOST_SHOWN = 40;
const LEAST_COMPARED = sized({ short: 350, long: 400 });
const SESSION = 'vouch_session';

let pages: PageScene;

beforeAll(async () => {
  pages = await openPageScene();
}, 300_000);
afterAll(() => closeWithoutErrors(pages?.scene.service));

const FORMS = PAGE_TABLES.filter(({ route }) => !route.startsWith('GET '));
/** Who may send most forms, and who may send those about herself. */
const SENDERS: readonly Viewer[] = ['an administrator', 'the subject'];

/** Requests of the form for everything that there is; in the short run for one thing after the other, by its turn. */
function requestsOf(table: PageTable, turn: number) {
  const all = thingsOf(table);
  const one = all.slice(turn % all.length).slice(0, 1);
  const things = sized({ short: one, long: all });
  return things.map((thing) => requestFor(table, thing, pages, 'forged'));
}

/** Everything that a form could change, and every trace that it would leave. */
async function state(): Promise<unknown> {
  const hash = (columns: string, table: string, by = 'id') =>
    `(select md5(string_agg(concat_ws(' ', ${columns}), ',' order by ${by})) from ${table})`;
  const [row] = await pages.scene.service.rows(`select
    ${hash('id, state, row_version, statement', 'knowledge')} as knowledge,
    ${hash('id, state, version', 'review_items')} as items,
    ${hash('id, status', 'consents')} as consents,
    ${hash('id, ended_at, end_reason', 'questions')} as questions,
    ${hash('peer_id, max_per_session, max_per_day, paused_until', 'ask_preferences', 'peer_id')} as wishes,
    ${hash('id, retired_at', 'skill_cards')} as cards,
    ${hash('id', 'circles')} as circles,
    ${hash('circle_id, peer_id', 'circle_members', 'circle_id, peer_id')} as members,
    ${hash('id', 'document_versions')} as versions,
    ${hash('id, epoch', 'logins')} as logins,
    ${hash('id', 'erasure_requests')} as erasures,
    ${hash('id, revoked_at', 'credentials')} as credentials,
    (select count(*) from audit_events where actor_kind = 'credential') as events`);
  return row;
}

let turns = 0;

/** What every form is answered, sent side by side. */
async function answers(
  browser: Browser,
  csrf: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadonlySet<string>> {
  turns += 1;
  const sent = FORMS.flatMap((table) =>
    requestsOf(table, turns).map(async (request) => {
      const answer = await sendFrom(browser, request, csrf, headers);
      const to = answer.headers.location ?? '';
      return `${table.route}: ${answer.status} ${to}`.trim();
    }),
  );
  return new Set(await Promise.all(sent));
}

const allWith = (answer: string) => new Set(FORMS.map(({ route }) => `${route}: ${answer}`));

test.each(SENDERS)(
  'no form of %s counts that another page made: it is refused, and changes nothing',
  async (who) => {
    const before = await state();
    const browser = pages.browserOf(who);
    const other = await csrfOf(pages.browserOf("another account's administrator"));
    for (const forged of [null, 'a'.repeat(43), other]) {
      expect(await answers(browser, forged)).toEqual(allWith('403'));
    }
    const own = await csrfOf(browser);
    const strange = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of strange) {
      expect(await answers(browser, own, headers)).toEqual(allWith('403'));
    }
    expect(await state()).toEqual(before);
  },
  150_000,
);

test.each(SENDERS)(
  'no form of %s counts after the sign-out, sent again with all that the browser had',
  async (who) => {
    const browser = await pages.freshBrowser(who);
    const csrf = await csrfOf(browser);
    const kept = browser.cookies.get(SESSION) ?? '';
    await browser.request('POST', '/sign-out', { fields: { _csrf: csrf } });
    const before = await state();
    browser.cookies.set(SESSION, kept);
    const found = await answers(browser, csrf);
    const expected = FORMS.map(({ route }) => {
      // The token was that of a session, and the form of the sign-in belongs to a browser without one.
      if (route.endsWith('/sign-in')) return `${route}: 403`;
      const [, path = ''] = route.split(' ');
      return `${route}: 303 ${path.startsWith('/governance') ? '/governance/sign-in' : '/sign-in'}`;
    });
    expect(found).toEqual(new Set(expected));
    expect(await state()).toEqual(before);
  },
  150_000,
);

/** The scene at another door of the same service. */
function at(door: { readonly url: string }): PageScene {
  return {
    ...pages,
    browserOf(viewer) {
      const browser = openBrowser(door);
      for (const [name, value] of pages.browserOf(viewer).cookies) browser.cookies.set(name, value);
      return browser;
    },
  };
}

const FORGETFUL: readonly (readonly [OperationName, string])[] = [
  ['readScope', 'GET /console/scopes'],
  ['readReview', 'GET /governance/:id'],
  ['readIngestStatus', 'GET /console/sources/observations/:id'],
  ['listObservations', 'GET /console/sources/observations'],
];

test.each(FORGETFUL)(
  'the operation %s without its check is found out on %s',
  async (name, route) => {
    const door = await pages.scene.service.door({ ...operations, [name]: forgetful(name) });
    const tables = PAGE_TABLES.filter((table) => table.route === route);
    const { faults } = await askPages(at(door), tables);
    expect(faults).not.toEqual([]);
  },
);

// Last, because some forms are taken.
test('every page and form answers everybody as its table says, and hides what it must', async () => {
  const { asked, compared, faults } = await askPages(await withErasure(pages), PAGE_TABLES);
  expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
  expect(faults).toHaveLength(0);
  expect(asked).toBeGreaterThan(PAGE_TABLES.length * 8);
  expect(compared).toBeGreaterThan(LEAST_COMPARED);
}, 300_000);
