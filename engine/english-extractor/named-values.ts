/** Values that a part of a request names, by their form or by the noun before them. */
import type { Withdrawal } from '../../domain/extraction/withdrawal.ts';

const words = (list: string): string => list.trim().split(/\s+/u).join('|');
/** The same, capitalised or not: where the case of other words counts. */
const eitherCase = (list: string): string =>
  words(list)
    .split('|')
    .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
    .join('|');

/** Nouns whose value opens a door or names a person. */
const DOORS = words(
  'code codes pin passcode password passphrase token credential key override account card iban extension ext phone telephone mobile number line callback contact login id fax',
);
/** Nouns that stand before a short number, which says nothing without them. */
const PLACES = words(
  'room unit seat flat apartment suite floor gate desk bed ward bay locker table box',
);
/** Nouns that stand before the words that they are the name of. */
const NAMES = eitherCase(
  'name names alias nickname codename label wording phrase term mapping identifier expression title note reference',
);
const MONTHS = words(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec',
);
const STREETS = words(
  'street st lane ln road rd avenue ave drive dr court ct way place square sq close crescent terrace boulevard blvd row hill park grove',
);

interface Form {
  readonly pattern: RegExp;
  readonly opensDoor: (match: RegExpExecArray, before: string, behind: string) => boolean;
}

const DOOR_BEFORE = new RegExp(
  String.raw`\b(?:${DOORS})s?\b\W{0,3}(?:[\p{L}-]{1,20}\W{1,2}){0,4}$`,
  'iu',
);
const BIRTH_BEFORE = /\b(?:birth|born|birthday|birthdate)\b[^.]{0,30}$/iu;
const always = (): boolean => true;
const never = (): boolean => false;
const CURRENCY_BEHIND = /^\s?(?:[$€£]|usd|eur|gbp|chf|dollars?|euros?|pounds?|percent|%)/iu;
const behindBirth = (_: RegExpExecArray, before: string): boolean => BIRTH_BEFORE.test(before);

const DIGITS_OF_PHONE = 7;
const isPhone = (text: string): boolean =>
  text.replaceAll(/\D/gu, '').length >= DIGITS_OF_PHONE && !/^\d{4}-\d{2}-\d{2}$/u.test(text);

/** In the order in which they are looked for: what one has found is found by no other. */
const FORMS: readonly Form[] = [
  {
    pattern: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu,
    opensDoor: always,
  },
  {
    pattern: new RegExp(
      String.raw`\b\d{1,5}\p{L}? (?:[\p{L}'’-]{2,30} ){1,3}(?:${STREETS})\b`,
      'giu',
    ),
    opensDoor: always,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)? (?:${MONTHS})|(?:${MONTHS}) \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b`,
      'giu',
    ),
    opensDoor: behindBirth,
  },
  // Codes of letters and digits: "mp_stg_4R2N-K8QM", "TC-204", "zz41k8".
  {
    pattern:
      /\b(?=[\p{L}\p{N}_-]{0,40}\p{N})(?=[\p{L}\p{N}_-]{0,40}\p{L})[\p{L}\p{N}]{1,40}(?:[_-][\p{L}\p{N}]{1,40}){0,8}\b/gu,
    opensDoor: ([text], before) => text.length >= 10 || DOOR_BEFORE.test(before),
  },
  // Amounts keep their currency only where the number alone would say nothing.
  { pattern: /[$€£]\s?\d{1,3}(?:[., ]\d{3}){0,4}(?:\.\d{1,2})?\b/gu, opensDoor: never },
  {
    pattern: /(?<![\p{L}\p{N}_])\+?\(?\d(?:[\d() .-]{0,20}\d)?(?:,\d{3}){0,4}\b/gu,
    opensDoor: ([text], before, behind) =>
      isPhone(text) || (DOOR_BEFORE.test(before) && !CURRENCY_BEHIND.test(behind)),
  },
  {
    pattern:
      /["“„«](?<value>[^"“”„«»\n]{2,120})["”»]|(?<=^|[\s(])['‘](?<value2>[^'‘’\n]{2,120})['’](?=[\s.,;:)]|$)/gu,
    opensDoor: never,
  },
];

const SHORT_NUMBER = /^\d{1,3}$/u;
const NOUN_BEFORE = new RegExp(String.raw`\b(?:${PLACES}|${DOORS}|no\.?|nr\.?|#)s? $`, 'iu');
const MAPPED =
  /(?:\s=\s|\s(?:corresponds|maps|refers) to\s|\s(?:is|means|stands for)\s)(?<value>.{2,80})$/iu;

/** Goes on with the sentence, and is part of no name. */
const NOT_NAMED = String.raw`(?:of|for|as|from|in|out|on|at|to|that|which|who|when|if|with|by|and|or|is|was|are|were|about|there|here|should|must|can|will|i|we|you|it|he|she|they|this|these|those|any|anymore|anywhere|around|too|also|now|please|again|but|going|may|might|would|could|removed|deleted|erased|forgotten|kept|wiped|purged|stored|remembered|retained|mentioned|not|never|only|private|currently)\b`;
/** Words behind what they are the name of, up to a word that goes on with the sentence. */
const NAMED = new RegExp(
  String.raw`\b(?:${NAMES})s?:? (?<value>(?!${NOT_NAMED})\p{L}[\p{L}'’-]{1,30}(?: (?!${NOT_NAMED})[\p{L}'’-]{1,30}){0,5})`,
  'gu',
);
const CALLED =
  /\b(?:is|was|are|called|named|lives? in|living in|moved to|from|works? (?:at|for)|born in|corresponds to|maps to|refers to|means|asking for|ask for|with) (?<value>\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{1,30}){0,5})/gu;

interface Found extends Withdrawal {
  readonly text: string;
}

/** What the quotation maps a label to: of "Project Maple = Granite Mutual" the right side. */
function mapped({ opensDoor, start, text }: Found): Found {
  const value = MAPPED.exec(text)?.groups?.['value'];
  if (value === undefined) return { opensDoor, start, text, end: start + text.length };
  const from = start + text.length - value.length;
  return { opensDoor, start: from, end: from + value.length, text: value };
}

function foundBy({ opensDoor, pattern }: Form, part: string, before: string): readonly Found[] {
  return [...part.matchAll(pattern)].map((match) => {
    const quoted = match.groups?.['value'] ?? match.groups?.['value2'];
    const text = quoted ?? match[0];
    const start = match.index + (quoted === undefined ? 0 : match[0].indexOf(quoted));
    const [whole] = match;
    const isDoor = opensDoor(
      match,
      before + part.slice(0, match.index),
      part.slice(match.index + whole.length),
    );
    const found = { start, end: start + text.length, text, opensDoor: isDoor };
    return quoted === undefined ? found : mapped(found);
  });
}

/** A short number with the noun before it; nothing without one. */
function withNoun(part: string, found: Found): readonly Found[] {
  if (!SHORT_NUMBER.test(found.text) && !/^\p{L}?\d{1,2}\p{L}?$/u.test(found.text)) return [found];
  const noun = NOUN_BEFORE.exec(part.slice(0, found.start))?.[0];
  if (noun === undefined) return [];
  const start = found.start - noun.length;
  return [{ ...found, start, text: part.slice(start, found.end) }];
}

function namedByNoun(part: string, pattern: RegExp): readonly Found[] {
  return [...part.matchAll(pattern)].flatMap((match) => {
    const text = match.groups?.['value'];
    if (text === undefined) return [];
    const start = match.index + match[0].length - text.length;
    return [{ start, end: start + text.length, text, opensDoor: false }];
  });
}

const overlaps = (a: Withdrawal, b: Withdrawal): boolean => a.start < b.end && b.start < a.end;

/**
 * The values that a part of a sentence names, in text order; none overlaps another. `before` is what the sentence says before the
 * part, which may tell what kind of value follows. Linear in both.
 */
export function namedIn(part: string, before = ''): readonly Withdrawal[] {
  const found: Found[] = [];
  const take = (more: readonly Found[]): void => {
    for (const one of more) if (!found.some((other) => overlaps(one, other))) found.push(one);
  };
  for (const form of FORMS) take(foundBy(form, part, before).flatMap((one) => withNoun(part, one)));
  take(namedByNoun(part, NAMED));
  take(namedByNoun(part, CALLED));
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ end, opensDoor, start }) => ({ start, end, opensDoor }));
}
