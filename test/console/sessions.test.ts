/** When a session ends, and which forms are refused. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changePassword, disableUser, removeUser } from '../../operations/identity/user-access.ts';
import {
  HOME,
  PASSWORD,
  closeWithoutErrors,
  openScene,
  type Browser,
  type Scene,
} from './scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => closeWithoutErrors(scene?.service));

const COOKIE = 'vouch_session';
const isIn = async (browser: Browser): Promise<boolean> =>
  (await browser.request('GET', '/console')).status === 200;

/** Makes the session of the browser older, as if nobody had used it for so long. */
async function age(browser: Browser, column: 'idle' | 'absolute', minutes: number): Promise<void> {
  const set =
    column === 'idle'
      ? `update browser_sessions b set last_seen_at = last_seen_at - make_interval(mins => $2::int)
          from credentials c where c.account_id = b.account_id and c.id = b.credential_id`
      : `update credentials c set expires_at = expires_at - make_interval(mins => $2::int) where true`;
  await scene.service.rows(`${set} and c.secret_hash = sha256(convert_to($1, 'UTF8'))`, [
    browser.cookies.get(COOKIE),
    minutes,
  ]);
}

async function somebody(name: string): Promise<Browser> {
  await scene.service.home.person(name, { role: 'reader' });
  return scene.signedIn(name);
}

describe('a session ends', () => {
  test('after an hour without a request, and not before', async () => {
    const browser = await scene.signedIn('reader');
    await age(browser, 'idle', 59);
    expect(await isIn(browser)).toBe(true);
    // That request was a use of it.
    await age(browser, 'idle', 59);
    expect(await isIn(browser)).toBe(true);
    await age(browser, 'idle', 61);
    expect(await isIn(browser)).toBe(false);
  });

  test('after 12 hours, however much it is used', async () => {
    const browser = await scene.signedIn('reader');
    await age(browser, 'absolute', 12 * 60 - 1);
    expect(await isIn(browser)).toBe(true);
    await age(browser, 'absolute', 1);
    expect(await isIn(browser)).toBe(false);
  });

  const ends: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
    'an operator changes the password': (email) =>
      scene.service.operate(changePassword, { account: HOME, email, password: `new ${PASSWORD}` }),
    'an operator disables the person': (email) =>
      scene.service.operate(disableUser, { account: HOME, email }),
    'an operator removes the person': (email) =>
      scene.service.operate(removeUser, { account: HOME, email }),
    'its credential is revoked': (email) =>
      scene.service.rows(
        `update credentials c set revoked_at = now() from logins l
          where l.account_id = c.account_id and l.id = c.login_id and l.email = $1`,
        [email],
      ),
  };

  test.each(Object.keys(ends))('when %s', async (what) => {
    const name = what.replaceAll(' ', '-');
    const browser = await somebody(name);
    expect(await isIn(browser)).toBe(true);
    await ends[what]?.(scene.emailOf(name));
    expect(await isIn(browser)).toBe(false);
  });

  test('when its person changes the password, in every browser and for every token', async () => {
    const here = await somebody('changes');
    const there = await scene.signedIn('changes');
    const token = await scene.service.call({
      path: '/api/auth/password',
      json: { email: scene.emailOf('changes'), password: PASSWORD },
    });
    const wrong = await here.submit(await here.open('/console/me'), 'Change the password', {
      old_password: 'not the old one at all',
      new_password: 'a wholly new password',
    });
    expect([wrong.status, wrong.text.includes('is not your present password')]).toEqual([
      422,
      true,
    ]);
    expect(await isIn(there)).toBe(true);
    const short = await here.submit(await here.open('/console/me'), 'Change the password', {
      old_password: PASSWORD,
      new_password: 'short',
    });
    expect(short.status).toBe(422);
    const page = await here.submit(await here.open('/console/me'), 'Change the password', {
      old_password: PASSWORD,
      new_password: 'a wholly new password',
    });
    expect([page.path, page.status]).toEqual(['/sign-in?done=password', 200]);
    expect(await isIn(here)).toBe(false);
    expect(await isIn(there)).toBe(false);
    const { token: text } = Object(Object(token.json()).data);
    // A token may be remembered for some seconds; the database says that it has ended.
    const [row] = await scene.service.rows(
      `select l.epoch <> c.login_epoch as ended from credentials c
        join logins l on l.account_id = c.account_id and l.id = c.login_id
        where c.secret_hash = sha256(convert_to($1, 'UTF8'))`,
      [text],
    );
    expect(row).toEqual({ ended: true });
    const again = await here.submit(await here.open('/sign-in'), 'Sign in', {
      email: scene.emailOf('changes'),
      password: 'a wholly new password',
    });
    expect(again.path).toBe('/console');
  });
});

test('rows of sessions that ended by themselves go with the next sign-in of the account', async () => {
  const browser = await scene.signedIn('reader');
  await age(browser, 'idle', 61);
  const idle = () =>
    scene.service.rows(`select count(*)::int as n from browser_sessions
      where last_seen_at <= now() - interval '1 hour'`);
  expect((await idle())[0]).not.toEqual({ n: 0 });
  await scene.signedIn('reader');
  expect((await idle())[0]).toEqual({ n: 0 });
});

describe('a form is refused, and changes nothing,', () => {
  const own = () => new URL(scene.service.url).origin;
  const cases: Readonly<
    Record<
      string,
      (fields: Record<string, string>) => [Record<string, string>, Record<string, string>]
    >
  > = {
    'without a token': () => [{}, {}],
    'with the token of another session': (fields) => [{ ...fields, _csrf: 'a'.repeat(43) }, {}],
    'from a page of another site': (fields) => [fields, { origin: 'https://evil.example' }],
    'from a page without an origin': (fields) => [fields, { origin: 'null' }],
    'from another port of this host': (fields) => [fields, { origin: 'http://127.0.0.1:1' }],
    'that the browser says comes from another site': (fields) => [
      fields,
      { origin: own(), 'sec-fetch-site': 'cross-site' },
    ],
    'that the browser says comes from a sibling site': (fields) => [
      fields,
      { origin: own(), 'sec-fetch-site': 'same-site' },
    ],
  };

  test.each(Object.keys(cases))('%s', async (what) => {
    const browser = await scene.signedIn('reader');
    const { fields = {} } = (await browser.open('/console')).forms[0] ?? {};
    const [sent, headers] = cases[what]?.({ ...fields }) ?? [{}, {}];
    const answer = await browser.request('POST', '/sign-out', { fields: sent, headers });
    expect(answer.status).toBe(403);
    expect(await isIn(browser)).toBe(true);
    const signIn = await browser.request('POST', '/sign-in', {
      fields: { ...sent, email: scene.emailOf('reader'), password: PASSWORD },
      headers,
    });
    expect(signIn.status).toBe(403);
    expect(signIn.headers['set-cookie']).toBeUndefined();
  });

  test('from a program that says neither its origin nor its site', async () => {
    const browser = await scene.signedIn('reader');
    const { fields = {} } = (await browser.open('/console')).forms[0] ?? {};
    const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`;
    const answer = await scene.service.anotherDoor().then((door) =>
      fetch(`${door.url}/sign-out`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(fields),
      }),
    );
    expect(answer.status).toBe(403);
    expect(await isIn(browser)).toBe(true);
  });

  test('that is sent again after the session has ended', async () => {
    const browser = await scene.signedIn('reader');
    const { fields = {} } = (await browser.open('/console')).forms[0] ?? {};
    const kept = browser.cookies.get(COOKIE) ?? '';
    await browser.submit(await browser.open('/console'), 'Sign out');
    browser.cookies.set(COOKIE, kept);
    const answer = await browser.request('POST', '/console/me/erasure', {
      fields: { ...fields, confirm: 'erase' },
    });
    expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in']);
  });

  test('as JSON, and with more than 256 KiB', async () => {
    const browser = await scene.signedIn('reader');
    const { fields = {} } = (await browser.open('/console')).forms[0] ?? {};
    const json = await browser.request('POST', '/sign-out', {
      fields,
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(415);
    const large = await browser.request('POST', '/sign-out', {
      fields: { ...fields, more: 'a'.repeat(300_000) },
    });
    expect(large.status).toBe(413);
    expect(await isIn(browser)).toBe(true);
  });

  test('by the token of a page from before the sign-in', async () => {
    const browser = scene.browser();
    const form = await browser.open('/sign-in');
    const before = form.forms[0]?.fields['_csrf'] ?? '';
    await browser.submit(form, 'Sign in', { email: scene.emailOf('reader'), password: PASSWORD });
    const answer = await browser.request('POST', '/sign-out', { fields: { _csrf: before } });
    expect(answer.status).toBe(403);
  });
});

test('a request under a strange name is refused before anything is looked at', async () => {
  const browser = await scene.signedIn('reader');
  const answer = await browser.request('GET', '/console', { headers: { host: 'evil.example' } });
  expect(answer.status).toBe(403);
});
