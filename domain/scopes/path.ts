/**
 * The one normaliser of scope paths, for every door.
 *
 * NFC; a leading slash is added, repeated and trailing slashes dropped; `/` alone is the root; otherwise 1 to
 * 32 segments of 1 to 128 characters. Case is kept. `/` is part of every chain.
 */

/** A normalised path. Only `parseScopePath` makes one. */
export type ScopePath = string & { readonly __brand: 'ScopePath' };

export const ROOT_PATH = '/' as ScopePath;

const MAX_SEGMENTS = 32;
const MAX_SEGMENT_CHARACTERS = 128;
/** The longest segment as it is sent, in UTF-16 units; `domain/identity/label.ts` says what normalising costs. */
const LONGEST_SEGMENT_CHARS = 8 * MAX_SEGMENT_CHARACTERS;
/** The longest path as it is sent, including slashes that are dropped. */
const LONGEST_PATH_CHARS = 2 * MAX_SEGMENTS * LONGEST_SEGMENT_CHARS;
/** Controls, format characters and lone surrogates. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

function isSegment(segment: string): boolean {
  return (
    Array.from(segment).length <= MAX_SEGMENT_CHARACTERS &&
    segment === segment.trim() &&
    segment !== '.' &&
    segment !== '..' &&
    !FORBIDDEN.test(segment)
  );
}

/** The normalised path, or null when the text is blank or no valid path. */
export function parseScopePath(text: string): ScopePath | null {
  if (text.length > LONGEST_PATH_CHARS || text.trim() === '') return null;
  const sent = text.split('/').filter((segment) => segment !== '');
  if (sent.length === 0) return ROOT_PATH;
  if (sent.length > MAX_SEGMENTS) return null;
  if (sent.some((segment) => segment.length > LONGEST_SEGMENT_CHARS)) return null;
  // No combining mark joins a slash, so segments can be normalised one by one.
  const segments = sent.map((segment) => segment.normalize('NFC'));
  if (!segments.every(isSegment)) return null;
  return `/${segments.join('/')}` as ScopePath;
}

/** The path and its ancestors, outermost (`/`) first. */
export function scopeChain(path: ScopePath): readonly ScopePath[] {
  if (path === ROOT_PATH) return [ROOT_PATH];
  const segments = path.slice(1).split('/');
  return [
    ROOT_PATH,
    ...segments.map((_, depth) => `/${segments.slice(0, depth + 1).join('/')}` as ScopePath),
  ];
}

/** Whether `path` is `ancestor` itself or lies below it. */
export function isWithin(path: ScopePath, ancestor: ScopePath): boolean {
  return ancestor === ROOT_PATH || path === ancestor || path.startsWith(`${ancestor}/`);
}
