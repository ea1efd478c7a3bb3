/** Keys and names of peers, keys of accounts: 1 to 256 characters, NFC, trimmed, case kept, no controls. */

const MAX_CHARACTERS = 256;
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** The normalised text, or null when it is blank or not allowed. */
export function parseLabel(text: string): string | null {
  const label = text.normalize('NFC').trim();
  return label !== '' && Array.from(label).length <= MAX_CHARACTERS && !FORBIDDEN.test(label)
    ? label
    : null;
}
