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
  if (text.trim() === '') return null;
  const segments = text
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.length === 0) return ROOT_PATH;
  if (segments.length > MAX_SEGMENTS || !segments.every(isSegment)) return null;
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
