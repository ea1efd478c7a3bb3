/** Quotations of speech: the first person in them is somebody else. Titles and single words in quotation marks stay. */

const QUOTES: readonly (readonly [string, string])[] = [
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['‘', '’'],
];

/** In characters: how far a quotation may reach. An apostrophe stands in quotation marks too often to reach far. */
const LONGEST_QUOTATION = 4_000;
const LONGEST_SINGLE_QUOTATION = 400;

/** "I Know What You Did Last Summer": the longer words of a title begin with capitals, and no sign ends it. */
function isTitle(inside: string): boolean {
  const long = inside.split(/\s+/u).filter((word) => word.length > 3);
  const capital = long.filter((word) => /^\p{Lu}/u.test(word));
  return long.length > 0 && capital.length === long.length && !/[.!?,…]\s*$/u.test(inside);
}

/** Whether what stands between quotation marks is speech, and no title or single word. */
function isSpeech(inside: string): boolean {
  if (isTitle(inside)) return false;
  const words = inside.trim().split(/\s+/u).length;
  if (/\b(?:i|i['’]\p{L}+|my|me|we|our|ich|je|yo)\b/iu.test(inside)) return true;
  return words > 2 && /[.!?,…]["'”’»]?\s*$/u.test(inside);
}

/** Where quotations of speech stand: pairs of offsets. A quotation that does not end reaches to the end of its paragraph. */
export function quotationsOf(text: string): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let paragraph = -1;
  for (let opening = nextOpening(text, 0); opening !== null;) {
    const { index, closing } = opening;
    if (paragraph < index) paragraph = endOfParagraph(text, index);
    const isSingle = closing.some((sign) => /['’‘]/u.test(sign));
    const reach = isSingle ? LONGEST_SINGLE_QUOTATION : LONGEST_QUOTATION;
    const limit = Math.min(paragraph, index + reach);
    const close = closingOf(text, index + 1, closing, limit);
    const inside = text.slice(index + 1, close === -1 ? limit : close);
    const end = close === -1 ? limit : close + 1;
    // An apostrophe opens nothing, and neither does a sign for inches.
    const isOpen = close === -1 && (isSingle || !isSpeech(`${inside}.`));
    if (!isOpen && isSpeech(close === -1 ? `${inside}.` : inside)) found.push([index, end]);
    opening = nextOpening(text, isOpen && isSingle ? index + 1 : end);
  }
  return found;
}

function endOfParagraph(text: string, from: number): number {
  const end = text.indexOf('\n\n', from);
  return end === -1 ? text.length : end;
}

const OPENING = new Map<string, readonly string[]>();
for (const [open, close] of QUOTES) OPENING.set(open, [...(OPENING.get(open) ?? []), close]);
const OPENS = new RegExp(`["'${[...OPENING.keys()].join('')}]`, 'gu');

function nextOpening(
  text: string,
  from: number,
): { readonly index: number; readonly closing: readonly string[] } | null {
  OPENS.lastIndex = from;
  for (let found = OPENS.exec(text); found !== null; found = OPENS.exec(text)) {
    const [sign, index] = [found[0], found.index];
    const [before, after] = [text.charAt(index - 1), text.charAt(index + 1)];
    const mayOpen = (before === '' || /[\s([:—–-]/u.test(before)) && /\S/u.test(after);
    if (mayOpen) return { index, closing: OPENING.get(sign) ?? [sign] };
  }
  return null;
}

function closingOf(text: string, from: number, closing: readonly string[], limit: number): number {
  for (let i = from; i < limit; i += 1) {
    const sign = text.charAt(i);
    if (!closing.includes(sign)) continue;
    // Within a word it is an apostrophe.
    const isApostrophe = /['’]/u.test(sign) && /[\p{L}\p{N}]/u.test(text.charAt(i + 1));
    if (!isApostrophe) return i;
  }
  return -1;
}
