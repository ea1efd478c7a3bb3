/** Where somebody goes after the sign-in: to a page of the console, never to another site. */

const LONGEST = 2_048;
/** Printable ASCII without a backslash, which browsers take for a slash. */
const PLAIN = /^[!-[\]-~]+$/;
const PAGES = ['/console', '/governance'];

/** The path with its query if it is a page of the console; else null. */
export function ownPage(text: string | null): string | null {
  if (text === null || text.length > LONGEST || !PLAIN.test(text) || !text.startsWith('/')) {
    return null;
  }
  const base = 'http://own.invalid';
  const url = URL.parse(text, base);
  if (url === null || url.origin !== base) return null;
  const isPage = PAGES.some((page) => url.pathname === page || url.pathname.startsWith(`${page}/`));
  return isPage ? url.pathname + url.search : null;
}
