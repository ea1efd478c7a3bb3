/**
 * Texts that make bad code slow: a prefix, one unit repeated many times, a suffix. The units are signs that patterns
 * stop at, words that rules look for, characters that expand, and pieces of the pattern under test itself.
 */

/** A pump of any size. */
export interface Pump {
  readonly name: string;
  /** A text of about so many UTF-16 code units. */
  readonly text: (chars: number) => string;
}

const SIGNS = [
  ...Array.from(' \t\n.,;:!?…-–—_*#&|/\\\'"“”’`()[]{}<>=+@$%~^0'),
  '\r\n',
  '\u00A0',
  '\u200B',
  '\u00AD',
  '\u0000',
  '。',
  '？',
];
const LETTERS = [
  'a',
  'A',
  's',
  '1',
  'é',
  'ß',
  'я',
  'ا',
  'क',
  '한',
  '中',
  'か',
  'ก',
  '\u0301',
  '😀',
  '\uD83D',
];
/** One character that folding turns into many. */
const EXPANDING = ['\u3316', '\uFDFA', '\u0130', 'ﬃ', '\u1E9B\u0323'];
const WORDS = [
  'a.',
  'a. ',
  'A. ',
  '.a',
  '1.',
  '1,',
  '1 ',
  "a'",
  "'a",
  "a' ",
  "n't",
  'a ',
  'ab ',
  'A ',
  'Ab ',
  'aB',
  'a-',
  'a - ',
  ' - ',
  ', ',
  'a, ',
  'a\n',
  '\n\n',
  '\n \n',
  '- a\n',
  '| a ',
  '"a" ',
  '"a',
  '-a ',
  'or ',
  '-a or ',
  'a@',
  '[a',
  '[a]',
  '```',
  '<a>',
  '</a>',
  '<td>',
  '&amp;',
  'http://a',
  '//',
  ':a@',
  'pwd:"',
  'pwd: ',
  'pwd=a1 ',
  'password is ',
  'token=',
  'secret',
  'bearer ',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'eyJaaaaaaaa.',
  'sk-',
  'AKIA',
  '{"a":',
  '[{',
  '\\n',
  '\\"',
  'I ',
  'I am ',
  'my ',
  'you ',
  'we ',
  'it is ',
  'and ',
  ' and I ',
  ', so ',
  'so, ',
  'wow, ',
  'oh ',
  'not ',
  'Ada ',
  "Ada's ",
  'Ada and ',
  'moved to ',
  'is a ',
  'the ',
  'about ',
  'for ',
  'since ',
  'just ',
  'last ',
  'two days ago ',
  'for 2 years now ',
  'on Friday at 9 ',
  'May ',
  'May 5 ',
  '2023-05-08 ',
  '8 May 2023 ',
  'I have been ',
  'I moved to Oslo. ',
  'I moved to Oslo in May, and I work there. ',
  'What? ',
  'It was great! ',
  '我喜歡茶。',
];
/** Texts before and after the units make a match fail late, where backtracking costs most. */
const PREFIXES = ['', 'a', '"', 'I moved ', '<'];
const SUFFIXES = ['', 'a', '!', '\u0000', '"'];

/** mulberry32: the same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pumpOf(prefix: string, unit: string, suffix: string): Pump {
  return {
    name: JSON.stringify([prefix, unit, suffix]),
    text: (chars) => prefix + unit.repeat(Math.max(1, Math.floor(chars / unit.length))) + suffix,
  };
}

/** Words that never come twice: every list and map of words grows with the text. */
const NEW_WORDS: Pump = {
  name: 'ever new words',
  text: (chars) => {
    let text = '';
    for (let n = 0; text.length < chars; n += 1) text += `w${n.toString(36)} `;
    return text;
  },
};

/** Sentences that never come twice, so that each is read anew. */
const NEW_SENTENCES: Pump = {
  name: 'ever new sentences',
  text: (chars) => {
    let text = '';
    for (let n = 0; text.length < chars; n += 1) {
      text += `I moved to street ${n.toString(36)} in Oslo. `;
    }
    return text;
  },
};

/** The pieces that a pattern's source names: words, and signs that are written out. */
export function alphabetOf(patternSource: string): readonly string[] {
  const plain = patternSource
    .replace(/\\[pP]\{[^}]*\}|\(\?<?[=!:]|\(\?<[a-z]+>/giu, ' ')
    .replace(/\\s/gu, ' ')
    .replace(/\\d/gu, '1')
    .replace(/\\(.)/gu, '$1');
  const words = plain.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const signs = plain.match(/[^\p{L}\p{N}\s]/gu) ?? [];
  return [...new Set([...words.map((word) => `${word} `), ...words, ...signs])];
}

/** Every unit by itself, and between letters, where its repetition does not touch the ends of the text. */
export function plainPumps(): readonly Pump[] {
  const units = [...SIGNS, ...LETTERS, ...EXPANDING, ...WORDS];
  return [
    ...units.flatMap((unit) => [pumpOf('', unit, ''), pumpOf('a', unit, 'a')]),
    NEW_WORDS,
    NEW_SENTENCES,
  ];
}

/** `count` pumps made at random from the units above and from `alphabet`. */
export function randomPumps(
  seed: number,
  count: number,
  alphabet: readonly string[] = [],
): readonly Pump[] {
  const next = randomNumbers(seed);
  const common = [...SIGNS, ...LETTERS, ...WORDS];
  const of = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? '';
  const piece = (): string => of(alphabet.length > 0 && next() < 0.6 ? alphabet : common);
  return Array.from({ length: count }, () => {
    const unit = Array.from({ length: 1 + Math.floor(next() * 3) }, piece).join('') || 'a';
    return pumpOf(of(PREFIXES), unit, of([...SUFFIXES, piece()]));
  });
}
