/** What a new password must be. Length is the one rule: composition rules make passwords worse. */

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 1024;

/** The form in which a password is hashed and compared, so that keyboards do not matter. */
export function normalisePassword(text: string): string {
  return text.normalize('NFC');
}

/** Whether `text` may become a password. */
export function isAcceptablePassword(text: string): boolean {
  const { length } = Array.from(normalisePassword(text));
  return length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;
}
