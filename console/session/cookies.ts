/** The two cookies of the console: the session, and what stands for the browser before somebody signs in. */

export interface CookieRules {
  /** Whether people reach the service over https. Then browsers take the cookies from this very host only. */
  readonly isHttps: boolean;
}

export type CookieKind = 'session' | 'before';

const NAMES: Readonly<Record<CookieKind, string>> = {
  session: 'vouch_session',
  before: 'vouch_before_sign_in',
};
/** Longer headers are not read: no cookie of ours comes near. */
const LONGEST_HEADER = 8_192;

export function cookieName(kind: CookieKind, { isHttps }: CookieRules): string {
  return isHttps ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

/** The value of the cookie in the header `Cookie`; null for none, several or too long a header. */
export function readCookie(
  header: string | undefined,
  kind: CookieKind,
  rules: CookieRules,
): string | null {
  if (header === undefined || header.length > LONGEST_HEADER) return null;
  const start = `${cookieName(kind, rules)}=`;
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  return values.length === 1 ? (values[0] ?? '').slice(start.length) : null;
}

/**
 * A `Set-Cookie` header. Scripts never see the cookie. Other sites' links carry it (so a link in a mail opens the page
 * that it names), other sites' forms do not. `expiresAt` null: it goes with the browser window.
 */
export function cookieHeader(
  kind: CookieKind,
  value: string,
  expiresAt: Date | null,
  rules: CookieRules,
): string {
  return [
    `${cookieName(kind, rules)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(rules.isHttps ? ['Secure'] : []),
    ...(expiresAt === null ? [] : [`Expires=${expiresAt.toUTCString()}`]),
  ].join('; ');
}

/** The `Set-Cookie` header that takes the cookie away. */
export function endedCookie(kind: CookieKind, rules: CookieRules): string {
  return cookieHeader(kind, '', new Date(0), rules);
}
