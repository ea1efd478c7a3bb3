/** CRC-32 (ISO 3309, reflected polynomial 0xEDB88320): finds typing errors, proves nothing. */

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The checksum of an ASCII text as four bytes, most significant first. */
export function crc32(text: string): Uint8Array {
  let remainder = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    const entry = TABLE[(remainder ^ text.charCodeAt(index)) & 0xff] ?? 0;
    remainder = entry ^ (remainder >>> 8);
  }
  const sum = ~remainder >>> 0;
  return Uint8Array.of(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff);
}
