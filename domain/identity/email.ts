/** E-mail addresses as sign-in names: compared lower-cased, unique in a deployment. */

const MAX_CHARACTERS = 254;
/** One `@`, something on both sides, no spaces, controls, format characters or lone surrogates. */
const SHAPE = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** The address in the form it is stored and compared in, or null when the text cannot be one. */
export function parseEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= MAX_CHARACTERS && SHAPE.test(email) ? email : null;
}
