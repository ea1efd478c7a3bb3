/** Who sits at the browser: the session behind its cookie, or a cookie that stands for it before the sign-in. */
import { randomBytes } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import { cookieHeader, readCookie, type CookieRules } from '../../console/session/cookies.ts';
import { CSRF_FIELD, CSRF_HEADER, isCsrfToken } from '../../console/session/csrf.ts';
import type { ConsoleRoute } from '../../console/design/page.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';

const BEFORE = /^[A-Za-z0-9_-]{43}$/;
const RANDOM_BYTES = 32;

/** The cookie of a browser that nobody has signed in; made where it has none. */
function cookieBefore(ctx: ApiContext, rules: CookieRules): string {
  const known = readCookie(ctx.req.headers.cookie, 'before', rules);
  if (known !== null && BEFORE.test(known)) return known;
  const made = randomBytes(RANDOM_BYTES).toString('base64url');
  ctx.append('Set-Cookie', cookieHeader('before', made, null, rules));
  return made;
}

/**
 * Resolves the session of the request. Nothing else opens the console: an `Authorization` header is not looked at. Without
 * a session the caller stays null.
 */
export function browserSession(
  access: ConsoleRoute['access'],
  { browserSessions }: Environment,
  rules: CookieRules,
): ApiMiddleware {
  const callerOf = (text: string) =>
    access === 'erased' ? browserSessions.callerErased(text) : browserSessions.caller(text);
  return async function browserSession(ctx, next) {
    const text = readCookie(ctx.req.headers.cookie, 'session', rules);
    const caller = text === null ? null : await callerOf(text);
    if (text !== null && caller !== null) {
      ctx.state.formCookie = text;
      ctx.state.caller = caller;
      ctx.state.resolveCaller = async () => {
        const now = await callerOf(text);
        if (now === null) throw new Refusal('unauthorized');
        return now;
      };
    } else if (access === 'public') {
      ctx.state.formCookie = cookieBefore(ctx, rules);
    }
    await next();
  };
}

/** Refuses fields of a form, or a request of a script, without the token of the browser's own pages. */
export function assertOwnToken(ctx: ApiContext, fields: Readonly<Record<string, unknown>>): void {
  const { formCookie } = ctx.state;
  const field = fields[CSRF_FIELD];
  const sent = typeof field === 'string' ? field : ctx.get(CSRF_HEADER);
  if (formCookie === undefined || !isCsrfToken(formCookie, sent)) throw new Refusal('forbidden');
}

/** The same for a form that has been read. */
export const ownTokenOnly: ApiMiddleware = async function ownTokenOnly(ctx, next) {
  assertOwnToken(ctx, ctx.state.body);
  await next();
};
