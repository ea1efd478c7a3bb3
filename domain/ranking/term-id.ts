/**
 * Term ids of the sparse vectors: a 32-bit hash of (account, term), so that accounts do not share the posting list of
 * a common word. MurmurHash3 x86 32 over UTF-16 code units (little endian).
 *
 * Collisions: an account with V distinct terms expects V^2 / 2^33 colliding pairs (about one for 100,000
 * terms). Two colliding terms share a posting list: `sparseVector` adds their weights, so a collision costs
 * a little precision and never an error. Hits of another account are excluded by the payload filter.
 */

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

function rotl(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

function mixBlock(hash: number, block: number): number {
  const scrambled = Math.imul(rotl(Math.imul(block, C1), 15), C2);
  return (Math.imul(rotl(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0;
}

/** MurmurHash3 (32 bit, unsigned) of a string with a seed. The same on every platform. */
export function murmur3(text: string, seed = 0): number {
  let hash = seed | 0;
  const even = text.length & ~1;
  for (let i = 0; i < even; i += 2) {
    hash = mixBlock(hash, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
  }
  if (even < text.length) hash ^= Math.imul(rotl(Math.imul(text.charCodeAt(even), C1), 15), C2);
  hash ^= text.length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The id (unsigned 32 bit) of a term within an account. `accountId` is the account's uuid. */
export function termId(accountId: string, term: string): number {
  return murmur3(term, murmur3(accountId));
}
