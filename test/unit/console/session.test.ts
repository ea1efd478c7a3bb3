/** Cookies, tokens of forms, and where a sign-in leads. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cookieHeader, endedCookie, readCookie } from '../../../console/session/cookies.ts';
import { csrfToken, isCsrfToken } from '../../../console/session/csrf.ts';
import { ownPage } from '../../../console/session/return-to.ts';
import {
  formatBrowserSession,
  isBrowserSessionText,
} from '../../../domain/identity/browser-session.ts';
import { isWellFormedSecret } from '../../../runtime/identity/secret-text.ts';

const HTTPS = { isHttps: true };
const HTTP = { isHttps: false };

describe('the cookie of a session', () => {
  test('is for this host alone, over https alone, and for no script', () => {
    const ends = new Date('2026-03-02T12:00:00Z');
    expect(cookieHeader('session', 'v', ends, HTTPS)).toBe(
      '__Host-vouch_session=v; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Mon, 02 Mar 2026 12:00:00 GMT',
    );
    expect(cookieHeader('before', 'v', null, HTTP)).toBe(
      'vouch_before_sign_in=v; Path=/; HttpOnly; SameSite=Lax',
    );
    expect(endedCookie('session', HTTP)).toContain('Expires=Thu, 01 Jan 1970');
  });

  test('is read by its whole name, and only where it is there once', () => {
    const header = 'a=b; vouch_session=x=y; __Host-vouch_session=z';
    expect(readCookie(header, 'session', HTTP)).toBe('x=y');
    expect(readCookie(header, 'session', HTTPS)).toBe('z');
    expect(readCookie('vouch_session=a; vouch_session=b', 'session', HTTP)).toBeNull();
    expect(readCookie('avouch_session=a', 'session', HTTP)).toBeNull();
    expect(readCookie(undefined, 'session', HTTP)).toBeNull();
    expect(readCookie(`vouch_session=${'a'.repeat(9_000)}`, 'session', HTTP)).toBeNull();
  });

  test('is no bearer text, and a bearer text is none', () => {
    const session = formatBrowserSession('a'.repeat(43));
    expect(isBrowserSessionText(session)).toBe(true);
    expect(isWellFormedSecret(session)).toBe(false);
    expect(isBrowserSessionText(`vpt_${'a'.repeat(43)}`)).toBe(false);
  });
});

describe('the token of a form', () => {
  test('is good for its own cookie only', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
        expect(isCsrfToken(one, csrfToken(one))).toBe(true);
        expect(isCsrfToken(one, csrfToken(other))).toBe(one === other);
      }),
    );
  });

  test('is neither the cookie nor nothing', () => {
    expect(isCsrfToken('cookie', 'cookie')).toBe(false);
    expect(isCsrfToken('cookie', '')).toBe(false);
    expect(csrfToken('cookie')).not.toContain('cookie');
  });
});

describe('a sign-in leads', () => {
  test.each(['/console', '/console/knowledge?scope=%2Fteam&q=a', '/governance', '/console/me'])(
    'to the page %s',
    (page) => expect(ownPage(page)).toBe(page),
  );

  test.each([
    null,
    '',
    'console',
    '//evil.example/console',
    '/\\evil.example/console',
    'https://evil.example/console',
    '/console/../api/v1/search',
    '/consoles',
    '/sign-out',
    '/console\n',
    '/console/\u202E',
    `/console?${'a'.repeat(2_048)}`,
  ])('never to %j', (page) => expect(ownPage(page)).toBeNull());

  test('never to another site, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, text) => {
        expect(ownPage(url)).toBeNull();
        const page = ownPage(`/${text}`);
        expect(page === null || /^\/(?:console|governance)(?:[/?]|$)/.test(page)).toBe(true);
      }),
    );
  });
});
