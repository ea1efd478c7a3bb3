/** Base 62 (digits, capitals, small letters) of byte strings, at a fixed width for a given length. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;

/** Characters that `bytes` bytes take: the least width that holds every value. */
export function base62Width(bytes: number): number {
  return Math.ceil((bytes * 8) / Math.log2(ALPHABET.length));
}

/** The bytes, read as one big-endian number, in `base62Width(bytes.length)` characters. */
export function encodeBase62(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let index = base62Width(bytes.length); index > 0; index -= 1) {
    text = ALPHABET.charAt(Number(value % BASE)) + text;
    value /= BASE;
  }
  return text;
}

/** The `length` bytes that `text` stands for, or null when it is no encoding of that many bytes. */
export function decodeBase62(text: string, length: number): Uint8Array | null {
  if (text.length !== base62Width(length)) return null;
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * BASE + BigInt(digit);
  }
  if (value >> BigInt(length * 8) !== 0n) return null;
  const bytes = new Uint8Array(length);
  for (let index = length - 1; index >= 0; index -= 1) {
    bytes[index] = Number(value & 0xffn);
    value >>= 8n;
  }
  return bytes;
}
