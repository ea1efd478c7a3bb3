/** From what strangers send nothing wrong is drawn, and what they say beside it is drawn all the same. */
import { describe, expect, test } from '@jest/globals';
import { extractDeterministic } from '../../../../engine/english-extractor/extract.ts';
import { FRAMES, NOT_MEANT, OTHER_LANGUAGES, PASTED, QUOTATIONS, SHORT_ENGLISH } from './cases.ts';

function statements(content: string, role = 'user'): readonly string[] {
  const participants = ['wanda', 'bob'].map((key) => ({
    peerKey: key,
    name: key,
    kind: 'human' as const,
  }));
  const anchor = {
    id: 'm1',
    content,
    role,
    peerKey: 'wanda',
    peerName: 'wanda',
    occurredAt: '2026-03-11T12:00:00Z',
    occurredOffsetMinutes: 0,
  };
  const found = extractDeterministic({ scopePath: '/home', anchor, window: [], participants });
  return found.map(({ statement }) => statement);
}

const SAID = 'I keep two goats.';
const DRAWN = 'Wanda keeps two goats.';

describe.each([
  { kind: 'a quotation', cases: QUOTATIONS },
  { kind: 'a game, a wish or a condition', cases: FRAMES },
  { kind: 'what is not meant', cases: NOT_MEANT },
])('$kind', ({ cases }) => {
  test('is tried in thirty forms', () => {
    expect(new Set(cases).size).toBeGreaterThanOrEqual(30);
  });

  test.each(cases)('says nothing of its speaker: %s', (text) => {
    expect(statements(text)).toEqual([]);
  });

  test.each(cases)('takes nothing from a paragraph before or after it: %s', (text) => {
    expect(statements(`${SAID}\n\n${text}`)).toEqual([DRAWN]);
    expect(statements(`${text}\n\n${SAID}`)).toEqual([DRAWN]);
  });
});

describe('pasted text', () => {
  test.each(PASTED)('says nothing of its sender: %j', (text) => {
    expect(statements(text)).toEqual([]);
  });

  test.each(PASTED.filter((text) => !/translate into French/.test(text)))(
    'takes nothing from what stands before it: %j',
    (text) => {
      expect(statements(`${SAID}\n\n${text}`)).toEqual([DRAWN]);
    },
  );

  test('four hundred lines of a log are no statements', () => {
    const lines = Array.from(
      { length: 400 },
      (_, n) => `2026-03-03 10:12:${String(n % 60).padStart(2, '0')} worker ${n}: I am alive`,
    );
    expect(statements(lines.join('\n'))).toEqual([]);
  });
});

describe('another language', () => {
  test.each(OTHER_LANGUAGES)('keeps its words or is left out: %s', (text) => {
    for (const statement of statements(text)) expect(statement).toBe(text);
  });

  test.each(OTHER_LANGUAGES)('does not keep English beside it from being read: %s', (text) => {
    expect(statements(`${text} ${SAID}`)).toContain(DRAWN);
  });
});

describe('what somebody else says of the speaker', () => {
  test.each([
    'My aunt says I live in Ulm and I work at the mill.',
    'People think I am rich and I own a bank.',
    'He claims my dog bit him and I paid nothing.',
  ])('is not cut into claims of the speaker: %s', (text) => {
    for (const statement of statements(text)) expect(statement).not.toMatch(/^Wanda\b(?!'s)/);
  });
});

test.each(SHORT_ENGLISH)('a short sentence is known to be English: %s', (text, statement) => {
  expect(statements(text)).toEqual([statement]);
});

test.each([
  ['My API key is [secret].', []],
  ['My AWS key is [secret] and I live in Oslo.', ['Wanda lives in Oslo.']],
  ['I live in Oslo. I use [secret] as my password.', ['Wanda lives in Oslo.']],
])('what a masked secret was part of says nothing: %s', (text, drawn) => {
  expect(statements(text)).toEqual(drawn);
});

test('a dream is told as one, and nothing that happens in it is so', () => {
  expect(
    statements('I had a dream that I moved to Peru and I lived in a hut. I had two llamas.'),
  ).toEqual(['Wanda had a dream that wanda moved to Peru and wanda lived in a hut.']);
});

test.each(['model', 'AI', 'function', 'developer', 'bot', 'tool_result', 'assistant'])(
  'a turn of the role %s is a machine, and yields nothing',
  (role) => {
    expect(statements(SAID, role)).toEqual([]);
    expect(statements(SAID, 'customer')).toEqual([DRAWN]);
  },
);

test.each([
  ['I think my job is safe and I like it there.', 'wanda'],
  ['I told my sister I moved to Oslo in May.', 'wanda'],
  ['My favourite novel is "The Great Gatsby".', 'Gatsby'],
  ["I love camping, 'cause nature calms me.", 'camping'],
  ['Remember that I am allergic to nuts.', 'allergic'],
  ['I acted in a play at school in 2010.', 'play'],
  ['I write novels about pirates.', 'novels'],
  ['I imagine gardens and I paint them.', 'paint'],
])('an ordinary sentence with one of these words is drawn: %s', (text, word) => {
  expect(statements(text).join(' ')).toContain(word);
});
