/** Signing in and out at the forms: who gets in, what the cookie is, and what everybody else is told. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, openScene, PASSWORD, type Browser, type Scene } from './scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => closeWithoutErrors(scene?.service));

const FORMS = ['/sign-in', '/governance/sign-in'];
const COOKIE = 'vouch_session';

async function attempt(browser: Browser, email: string, password: string, form = '/sign-in') {
  return browser.submit(await browser.open(form), 'Sign in', { email, password });
}

describe('somebody who has not signed in', () => {
  test('is led from the root to the console, and from there to the sign-in', async () => {
    const browser = scene.browser();
    const root = await browser.request('GET', '/');
    expect([root.status, root.headers.location]).toEqual([303, '/console']);
    const page = await browser.open('/');
    expect(page.path).toBe('/sign-in?return_to=%2Fconsole');
  });

  test('goes on to the page that was asked for', async () => {
    const browser = scene.browser();
    const form = await browser.open('/console/knowledge?scope=%2Fteam');
    const page = await browser.submit(form, 'Sign in', {
      email: scene.emailOf('reader'),
      password: PASSWORD,
    });
    expect([page.status, page.path]).toEqual([200, '/console/knowledge?scope=%2Fteam']);
  });

  test.each(['https://evil.example/', '//evil.example/console', '/api/v1/knowledge'])(
    'is not led to %s',
    async (target) => {
      const browser = scene.browser();
      const form = await browser.open(
        `/sign-in?${new URLSearchParams({ return_to: target }).toString()}`,
      );
      const page = await browser.submit(form, 'Sign in', {
        email: scene.emailOf('reader'),
        password: PASSWORD,
      });
      expect(page.path).toBe('/console');
    },
  );
});

describe('both sign-in forms', () => {
  test.each(FORMS)(
    '%s begins a session that is limited by the role of its person',
    async (form) => {
      const browser = scene.browser();
      const page = await attempt(browser, scene.emailOf('curator'), PASSWORD, form);
      expect(page.status).toBe(200);
      expect(page.text).toContain('curator@home.example');
      expect(browser.cookies.has(COOKIE)).toBe(true);
    },
  );

  test.each(FORMS)(
    '%s tells a wrong e-mail and a wrong password in the same bytes',
    async (form) => {
      const told = async (email: string, password: string) => {
        const browser = scene.browser();
        const page = await attempt(browser, email, password, form);
        expect(browser.cookies.has(COOKIE)).toBe(false);
        const token = page.forms[0]?.fields['_csrf'] ?? '';
        return [page.status, page.source.replaceAll(token, '').replaceAll(email, '')];
      };
      const wrongPassword = await told(scene.emailOf('reader'), 'not the password of anybody');
      const wrongEmail = await told('nobody@home.example', PASSWORD);
      const noAddress = await told('nobody', PASSWORD);
      expect(wrongPassword[0]).toBe(401);
      expect(wrongEmail).toEqual(wrongPassword);
      expect(noAddress).toEqual(wrongPassword);
    },
  );

  test('take no API key, neither as a password nor in a header', async () => {
    const browser = scene.browser();
    const page = await attempt(browser, 'relay', scene.relay);
    expect(page.status).toBe(401);
    const asked = await browser.request('GET', '/console', {
      headers: { authorization: `Bearer ${scene.relay}` },
    });
    expect([asked.status, asked.headers.location]).toEqual([303, '/sign-in?return_to=%2Fconsole']);
  });

  test('show the password to nobody, and send it in no address', async () => {
    const browser = scene.browser();
    const page = await attempt(browser, scene.emailOf('reader'), 'a secret that is wrong');
    expect(page.source).not.toContain('a secret that is wrong');
    expect(page.path).toBe('/sign-in');
  });
});

describe('the cookie of a session', () => {
  test('is opaque, for no script, and ends within 12 hours', async () => {
    const browser = scene.browser();
    const form = await browser.open('/sign-in');
    const answer = await browser.request('POST', '/sign-in', {
      fields: { ...form.forms[0]?.fields, email: scene.emailOf('reader'), password: PASSWORD },
    });
    const line = answer.headers['set-cookie']?.find((text) => text.startsWith(COOKIE)) ?? '';
    expect(line).toMatch(/^vouch_session=vbs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    const hours = (Date.parse(/Expires=(.*)$/.exec(line)?.[1] ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
  });

  test('is another one after every sign-in, and the one before opens nothing any more', async () => {
    const browser = await scene.signedIn('reader');
    const first = browser.cookies.get(COOKIE) ?? '';
    const overview = await browser.open('/console');
    const token = overview.forms[0]?.fields['_csrf'] ?? '';
    const answer = await browser.request('POST', '/sign-in', {
      fields: { _csrf: token, email: scene.emailOf('reader'), password: PASSWORD },
    });
    expect(answer.status).toBe(303);
    expect(browser.cookies.get(COOKIE)).not.toBe(first);
    expect((await browser.open('/console')).path).toBe('/console');
    const old = scene.browser();
    old.cookies.set(COOKIE, first);
    expect((await old.open('/console')).path).toContain('/sign-in');
  });

  test('is kept by its hash only, and is no bearer token', async () => {
    const browser = await scene.signedIn('reader');
    const text = browser.cookies.get(COOKIE) ?? '';
    const rows = await scene.service.rows(
      `select count(*)::int as found from credentials where kind = 'browser_session'
        and (secret_hash = sha256(convert_to($1, 'UTF8')) and secret_hash <> convert_to($1, 'UTF8'))`,
      [text],
    );
    expect(rows).toEqual([{ found: 1 }]);
    expect((await scene.service.knowledge(text)).status).toBe(401);
  });

  test('cannot be a token of the API', async () => {
    const token = await scene.service.home.person('tokened', { role: 'reader' });
    const browser = scene.browser();
    browser.cookies.set(COOKIE, token);
    expect((await browser.open('/console')).path).toContain('/sign-in');
  });
});

describe('signing out', () => {
  test('ends the session for good', async () => {
    const browser = await scene.signedIn('reader');
    const kept = browser.cookies.get(COOKIE) ?? '';
    const page = await browser.submit(await browser.open('/console'), 'Sign out');
    expect(page.path).toBe('/sign-in');
    expect(browser.cookies.has(COOKIE)).toBe(false);
    const replay = scene.browser();
    replay.cookies.set(COOKIE, kept);
    expect((await replay.open('/console')).path).toContain('/sign-in');
  });

  test('is possible for scripts, with the token in a header', async () => {
    const browser = await scene.signedIn('reader');
    const token = (await browser.open('/console')).forms[0]?.fields['_csrf'] ?? '';
    const without = await browser.request('DELETE', '/sign-out');
    expect(without.status).toBe(403);
    const answer = await browser.request('DELETE', '/sign-out', {
      headers: { 'x-csrf-token': token },
    });
    expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in']);
  });

  test('leaves other sessions of the person as they are', async () => {
    const [one, other] = [await scene.signedIn('reader'), await scene.signedIn('reader')];
    await one.submit(await one.open('/console'), 'Sign out');
    expect((await other.open('/console')).path).toBe('/console');
  });
});

test('the eleventh failure of an e-mail address from one place waits, in the form as in the API', async () => {
  const email = scene.emailOf('member');
  const browser = scene.browser();
  for (let failures = 1; failures <= 10; failures += 1) {
    expect((await attempt(browser, email, `wrong password ${failures}`)).status).toBe(401);
  }
  const page = await attempt(browser, email, PASSWORD);
  expect(page.status).toBe(429);
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
  expect(page.text).toContain('Too many attempts');
  const api = await scene.service.call({
    path: '/api/auth/password',
    json: { email, password: PASSWORD },
  });
  expect(api.status).toBe(429);
});
