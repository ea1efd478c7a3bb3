/** How long a browser stays signed in. */

/** From the sign-in on, whatever is done. */
export const LONGEST_BROWSER_SESSION_MS = 12 * 3_600_000;
/** Without any request. */
export const LONGEST_IDLE_MS = 60 * 60_000;
/** A request makes a session younger when the last time that this was written down is so long ago. */
export const SEEN_AGAIN_AFTER_MS = 60_000;

const SESSION = /^vbs_[A-Za-z0-9_-]{43}$/;

/** The text of a browser session, as its cookie holds it. `random` is base 64 url of 32 bytes. It is no bearer text. */
export function formatBrowserSession(random: string): string {
  return `vbs_${random}`;
}

/** Whether a cookie can be a browser session of ours at all. */
export function isBrowserSessionText(text: string): boolean {
  return SESSION.test(text);
}
