/**
 * Keys and names of peers, keys of accounts: 1 to 256 characters, NFC, trimmed, case kept, no controls, and nothing that
 * nobody sees: two names that differ are to look different.
 */
import { holdsUnseen } from '../text/unseen.ts';

const MAX_CHARACTERS = 256;
/**
 * The longest label as it is sent, in UTF-16 units: room for characters that are each written as a letter with marks.
 * The time to normalise grows with the square of the marks in a row: 20 minutes for 4 MiB.
 */
const LONGEST_LABEL_CHARS = 8 * MAX_CHARACTERS;
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** The normalised text, or null when it is blank or not allowed. */
export function parseLabel(text: string): string | null {
  const sent = text.trim();
  if (sent.length > LONGEST_LABEL_CHARS) return null;
  const label = sent.normalize('NFC').trim();
  const isWritten = label !== '' && !FORBIDDEN.test(label) && !holdsUnseen(label);
  return isWritten && Array.from(label).length <= MAX_CHARACTERS ? label : null;
}
