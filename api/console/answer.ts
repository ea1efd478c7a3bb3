/** Writes what a page answers: the document, or the address of another page, with the cookies that go with it. */
import type { Assets } from '../../console/assets.ts';
import { layout } from '../../console/design/layout.ts';
import type { PageAnswer, ViewRequest } from '../../console/design/page.ts';
import { cookieHeader, endedCookie, type CookieRules } from '../../console/session/cookies.ts';
import type { ApiContext } from '../context.ts';

const SEE_OTHER = 303;

/** What a browser may do with a page: nothing that this very host did not send. No `unsafe-` word stands in it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  // Under `no-referrer` browsers send forms with `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-Frame-Options': 'DENY',
};

export interface Writing {
  readonly assets: Assets;
  readonly cookies: CookieRules;
}

/** Sends the answer. A status of the page itself goes before `status`. */
export function sendAnswer(
  ctx: ApiContext,
  answer: PageAnswer,
  around: Pick<ViewRequest, 'csrf' | 'path' | 'viewer'>,
  { assets, cookies }: Writing,
  status = 200,
): void {
  ctx.set(PAGE_HEADERS);
  if ('main' in answer) {
    ctx.status = answer.status ?? status;
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = layout(answer, around, assets);
    return;
  }
  const { session, to } = answer;
  if (session === null) ctx.append('Set-Cookie', endedCookie('session', cookies));
  if (session != null) {
    ctx.append('Set-Cookie', [
      cookieHeader('session', session.token, session.expiresAt, cookies),
      endedCookie('before', cookies),
    ]);
  }
  ctx.status = SEE_OTHER;
  ctx.set('Location', to);
  ctx.body = null;
  ctx.status = SEE_OTHER;
}
