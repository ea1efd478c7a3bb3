/** Texts that are dear to read: each is within every documented limit, and its length is told in UTF-8 bytes. */

/** `piece` again and again, as far as it goes into `bytes`. */
function fill(bytes: number, piece: string): string {
  return piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));
}

/** Numbered pieces, no two alike. */
function fillNumbered(bytes: number, piece: (index: number) => string): string {
  const parts: string[] = [];
  let size = 0;
  for (let index = 0; ; index += 1) {
    const part = piece(index);
    size += Buffer.byteLength(part);
    if (size > bytes) return parts.join('');
    parts.push(part);
  }
}

const NAMES = ['Ana', 'Boris', 'Chen', 'Dora', 'Emil', 'Farah', 'Goran', 'Hana'] as const;

export interface HostileText {
  /** Says what is sent, as the subject of "... does not delay other accounts". */
  readonly what: string;
  readonly make: (bytes: number) => string;
}

export const HOSTILE_TEXTS: readonly HostileText[] = [
  { what: 'a text of dots', make: (bytes) => `a${fill(bytes - 2, '.')}a` },
  { what: 'a text of exclamation marks', make: (bytes) => fill(bytes, '!') },
  { what: 'a text of dots and letters in turn', make: (bytes) => fill(bytes, '.a') },
  {
    what: 'a text of characters that fold to six each',
    make: (bytes) => fill(bytes, '\u3316'),
  },
  {
    what: 'a text of characters that fold to eighteen each',
    make: (bytes) => fill(bytes, '\ufdfa'),
  },
  { what: 'a text in Chinese without a space', make: (bytes) => fill(bytes, '我搬到了柏林市中心') },
  { what: 'a text of joined emoji', make: (bytes) => fill(bytes, '👩‍👩‍👧‍👦\u200d') },
  {
    what: 'a text of letters under hundreds of marks',
    make: (bytes) => fill(bytes, `a${'\u0301\u0323'.repeat(250)}`),
  },
  {
    what: 'a text of thousands of names',
    make: (bytes) =>
      fillNumbered(bytes, (at) => `${NAMES[at % 8]} Nguyen${at} met Olga Petrov${at} and `),
  },
  {
    what: 'a text of thousands of dates',
    make: (bytes) =>
      fillNumbered(bytes, (at) => `on 3 May ${1900 + (at % 150)} and two weeks ago `),
  },
  {
    what: 'a text of thousands of sentences',
    make: (bytes) => fillNumbered(bytes, (at) => `I bought the canoe number ${at} in Lima. `),
  },
  {
    what: 'a table of pipes',
    make: (bytes) => fill(bytes, '|  |   |     |\n'),
  },
  {
    what: 'a table in HTML',
    make: (bytes) => fill(bytes, '<table><tr><td>   a   |   </td></tr>'),
  },
  { what: 'a text of opening angle brackets', make: (bytes) => fill(bytes, '<') },
  {
    what: 'a text in base64',
    make: (bytes) => Buffer.alloc(Math.floor(bytes / 4) * 3, 'vouch/+ hostile').toString('base64'),
  },
  { what: 'a text of one word', make: (bytes) => fill(bytes, 'q') },
  { what: 'a text of spaces around one letter', make: (bytes) => `I${fill(bytes - 2, ' ')}.` },
  {
    what: 'a text that begins to give away a secret again and again',
    make: (bytes) => fill(bytes, 'pwd:"'),
  },
  { what: 'a text of commas and conjunctions', make: (bytes) => fill(bytes, 'and, but, ') },
];
