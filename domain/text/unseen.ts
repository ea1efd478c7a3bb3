/**
 * Format characters that nobody sees: zero-width spaces, marks and overrides of direction, soft hyphens, tags (Unicode:
 * general category Cf and Default_Ignorable_Code_Point). With them two names look the same, and a text reads otherwise
 * than it is stored. The two joiners are spelling between letters of the scripts that use them (Unicode 16, section
 * 23.2), and one of them makes one picture of several.
 */

const LETTER = `[${[
  'Arabic Syriac Mongolian Nko Mandaic Manichaean Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada',
  'Malayalam Sinhala Khmer Myanmar Tibetan Balinese Javanese',
]
  .join(' ')
  .split(' ')
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')}]`;
const OF_WORDS = String.raw`(?<=[[\p{L}\p{M}]&&${LETTER}])[\u200C\u200D](?=[[\p{L}\p{M}]&&${LETTER}])`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;
const OF_PICTURES = String.raw`(?<=${PICTURE}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=${PICTURE})`;
const UNSEEN = String.raw`[\p{Cf}&&\p{Default_Ignorable_Code_Point}]`;
const EACH = new RegExp(`(?=${UNSEEN})(?:${OF_WORDS}|${OF_PICTURES}|(?<unseen>.))`, 'gsv');
const ANY = new RegExp(UNSEEN, 'v');

/** The text without format characters that nobody sees; joiners stay where they are spelling. Idempotent. */
export function withoutUnseen(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(EACH, (sign, unseen?: string) => (unseen === undefined ? sign : ''));
}

/** Whether the text holds what `withoutUnseen` takes away. */
export function holdsUnseen(text: string): boolean {
  return withoutUnseen(text) !== text;
}
