/** The token that every form carries, so that the page of a stranger cannot send one. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const CSRF_FIELD = '_csrf';
export const CSRF_HEADER = 'x-csrf-token';

/**
 * The token of forms for the browser whose cookie has this text: of a session, or before the sign-in of a pre-session.
 * It follows from the cookie, so nothing of it is stored, and nobody who reads a page learns the cookie from it.
 */
export function csrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url');
}

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Whether the form carries the token of the cookie. Takes the same time whichever character is wrong. */
export function isCsrfToken(cookie: string, sent: string): boolean {
  return timingSafeEqual(digest(csrfToken(cookie)), digest(sent));
}
