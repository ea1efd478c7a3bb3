/**
 * The two forms a bearer secret takes.
 *
 *   vch_<key id and 32 random bytes, base 62><CRC-32 of all before, base 62>   API key of a machine
 *   vpt_<32 random bytes, base 64 url>                                         token of a person
 *
 * The prefixes let a scanner find a leaked one, the key id says which to revoke, and the checksum refuses a
 * mistyped or invented key before anything is asked of the database.
 */
import { crc32 } from 'node:zlib';
import { base62Width, decodeBase62, encodeBase62 } from '../../domain/identity/base62.ts';

const KEY_PREFIX = 'vch_';
const KEY_ID_BYTES = 16;
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 4;
const BODY_CHARACTERS = base62Width(KEY_ID_BYTES + RANDOM_BYTES);
const KEY_CHARACTERS = KEY_PREFIX.length + BODY_CHARACTERS + base62Width(CHECKSUM_BYTES);
const TOKEN = /^vpt_[A-Za-z0-9_-]{43}$/;

/** CRC-32 of an ASCII text, most significant byte first: it finds typing errors and proves nothing. */
function checksum(text: string): Uint8Array {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32BE(crc32(text));
  return bytes;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The key's text. `id` is the UUID of its credential, `random` are 32 bytes of a secure source. */
export function formatApiKey(id: string, random: Uint8Array): string {
  const digits = id.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new RangeError('a key id is a UUID');
  if (random.length !== RANDOM_BYTES) throw new RangeError('a key has 32 random bytes');
  const idBytes = Array.from({ length: KEY_ID_BYTES }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
  const body = KEY_PREFIX + encodeBase62(Uint8Array.of(...idBytes, ...random));
  return body + encodeBase62(checksum(body));
}

/** The credential id inside a key, or null when the text is no key or its checksum is wrong. */
export function parseApiKey(text: string): string | null {
  if (text.length !== KEY_CHARACTERS || !text.startsWith(KEY_PREFIX)) return null;
  const body = text.slice(0, KEY_PREFIX.length + BODY_CHARACTERS);
  if (encodeBase62(checksum(body)) !== text.slice(body.length)) return null;
  const bytes = decodeBase62(body.slice(KEY_PREFIX.length), KEY_ID_BYTES + RANDOM_BYTES);
  if (bytes === null) return null;
  return hex(bytes.subarray(0, KEY_ID_BYTES)).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    '$1-$2-$3-$4-$5',
  );
}

/** The text of a person's token. `random` is base 64 url of 32 bytes. */
export function formatToken(random: string): string {
  return `vpt_${random}`;
}

/** Whether a bearer text can be a credential of ours at all. */
export function isWellFormedSecret(text: string): boolean {
  return TOKEN.test(text) || parseApiKey(text) !== null;
}
