import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import type { Candidate, Participant } from '../../../domain/statements/candidate.ts';
import { foldStatement } from '../../../domain/extraction/fold.ts';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';
import { expectGrowth } from '../../support/processor-time.ts';

const ADA: Participant = { peerKey: 'ada', name: 'Ada', kind: 'human' };
const BOB: Participant = { peerKey: 'bob', name: 'Bob Stone', kind: 'human' };
const HAL: Participant = { peerKey: 'hal', name: 'Hal', kind: 'agent' };

function extract(
  content: string,
  participants: readonly Participant[] = [ADA, BOB],
  role = 'user',
): Candidate[] {
  return extractDeterministic({
    scopePath: '/home',
    anchor: {
      id: 'm1',
      content,
      role,
      peerKey: 'ada',
      peerName: 'Ada',
      occurredAt: '2026-03-11T12:00:00Z',
      occurredOffsetMinutes: 60,
    },
    window: [],
    participants,
  });
}

function statements(content: string, participants?: readonly Participant[]): string[] {
  return extract(content, participants).map((candidate) => candidate.statement);
}

describe('first person', () => {
  test.each([
    ['I moved to Oslo.', 'Ada moved to Oslo.'],
    ["I'm a nurse in Bergen.", 'Ada is a nurse in Bergen.'],
    ["I've lived in Rome.", 'Ada has lived in Rome.'],
    ["I don't like cold coffee.", "Ada doesn't like cold coffee."],
    ['I study history and play chess.', 'Ada studies history and plays chess.'],
    ["I'd like to visit Japan.", 'Ada would like to visit Japan.'],
    ["I'd been to Japan twice.", 'Ada had been to Japan twice.'],
    ['I was born in Lima.', 'Ada was born in Lima.'],
    ['My sister Carla lives in Lima.', "Ada's sister Carla lives in Lima."],
    ['My sister and I run a bakery.', "Ada's sister and Ada run a bakery."],
    ['We adopted a dog named Rex.', 'Ada adopted a dog named Rex.'],
    ['Carla taught me how to sail boats.', 'Carla taught Ada how to sail boats.'],
    ['Lost my job at the bank yesterday.', "Ada lost Ada's job at the bank yesterday."],
    ['Well, Bob, I sold my car.', "Ada sold Ada's car."],
    ['Remember that I am allergic to nuts.', 'Ada is allergic to nuts.'],
  ])('%s', (content, statement) => {
    expect(statements(content)).toEqual([statement]);
  });

  test('two first-person clauses are two statements', () => {
    expect(statements('I moved to Oslo in May, and I work at the harbour now.')).toEqual([
      'Ada moved to Oslo in May',
      'Ada works at the harbour now.',
    ]);
  });

  test('quoted speech is nothing that the speaker says', () => {
    expect(statements('Grandma always told us "I never regret my choices".')).toEqual([]);
    expect(statements('I read "My Family and Other Animals" in May.')).toEqual([
      'Ada read "My Family and Other Animals" in May.',
    ]);
  });
});

describe('a text that is not a statement', () => {
  test.each([
    'Hi Bob! How are you?',
    'Do you like living in the big city?',
    'Thanks so much for everything!',
    'Check out this picture of the mountain lake!',
    'What a great and wonderful day!',
    'You are so kind and wonderful!',
    '???',
    '',
    '```\nconst answer = 42; // the answer to everything\n```',
    '[shares a photo of a dog on a beach]',
    '你好吗？你喜欢住在奥斯陆吗？',
  ])('%s', (content) => {
    expect(extract(content)).toEqual([]);
  });

  test.each(['assistant', 'system', 'tool'])('turns of role %s yield nothing', (role) => {
    expect(extract('I moved to Oslo in May.', [ADA], role)).toEqual([]);
    expect(extract('I moved to Oslo in May.', [ADA], 'customer')).toHaveLength(1);
  });
});

describe('subjects', () => {
  test('a participant that is the grammatical subject of the sentence is the subject', () => {
    expect(extract('Bob works at the harbour.')[0]).toMatchObject({
      subjectRef: 'bob',
      statement: 'Bob works at the harbour.',
    });
    expect(extract('My friend met Bob at the harbour.')[0]?.subjectRef).toBe('ada');
  });

  test('a sentence with "you" to the only listener is about the listener', () => {
    expect(extract('You live in Rome with your two kids and your dog Rex.')[0]).toMatchObject({
      subjectRef: 'bob',
      statement: "Bob Stone lives in Rome with Bob Stone's two kids and Bob Stone's dog Rex.",
    });
  });

  test('an agent is not a subject', () => {
    expect(extract('Hal answers long contract questions quickly.', [ADA, HAL])).toEqual([]);
    expect(extract('You answer long contract questions very quickly today.', [ADA, HAL])).toEqual(
      [],
    );
  });
});

describe('other scripts are kept as they are', () => {
  test.each([
    'Ich wohne seit zwei Jahren in Oslo und arbeite bei der Bahn.',
    '我去年搬到了奥斯陆，现在在港口工作。',
    'Я живу в Осло уже два года и работаю в порту.',
    'मैं ओस्लो में रहता हूँ और बंदरगाह पर काम करता हूँ।',
    'ฉันย้ายไปอยู่ออสโลเมื่อปีที่แล้ว',
  ])('%s', (content) => {
    expect(extract(content)).toMatchObject([
      { statement: content, supportingSpan: content, subjectRef: 'ada' },
    ]);
  });
});

describe('labels', () => {
  test.each([
    ['I prefer green tea over coffee.', 'preference'],
    ['I moved to Oslo last year.', 'event'],
    ['I speak fluent Italian.', 'skill'],
    ['My manager is Carla Gomez.', 'relation'],
    ['I work as a nurse.', 'fact'],
  ])('%s is of kind %s', (content, kind) => {
    expect(extract(content)[0]?.kind).toBe(kind);
  });

  test.each([
    ['I was diagnosed with asthma.', 'personal'],
    ['My salary is 50,000 euros.', 'personal'],
    ['I pray at the mosque daily.', 'personal'],
    ['I vote for the greens.', 'personal'],
    ['I am a lesbian woman.', 'personal'],
    ['My password is hunter2.', 'restricted'],
    ['I work as a carpenter.', 'internal'],
  ])('%s is %s', (content, sensitivity) => {
    expect(extract(content)[0]?.sensitivity).toBe(sensitivity);
  });

  test('hedged sentences are inferred, others stated', () => {
    expect(extract('Maybe I will move to Rome.')[0]?.confidence_level).toBe('inferred');
    expect(extract('I will move to Rome.')[0]?.confidence_level).toBe('stated_explicitly');
  });

  test('the window is resolved in the day of the sender, and absent without a cue', () => {
    expect(extract('I sold my car yesterday.')[0]).toMatchObject({
      relevantFrom: { at: '2026-03-09T23:00:00.000Z', precision: 'day' },
      relevantUntil: { at: '2026-03-10T23:00:00.000Z', precision: 'day' },
    });
    expect(extract('I sold my car.')[0]).toMatchObject({ relevantFrom: null, relevantUntil: null });
  });

  test('a state that began "about three months ago" starts in that month, and has no end', () => {
    expect(extract('I adopted a grey cat called Miso about three months ago.')[0]).toMatchObject({
      statement: 'Ada adopted a grey cat called Miso about three months ago.',
      relevantFrom: { at: '2025-11-30T23:00:00.000Z', precision: 'month' },
      relevantUntil: null,
    });
  });
});

describe('laws', () => {
  test('no statement of up to 24 distinct ones is dropped, and repetitions count once', () => {
    const all = Array.from({ length: 24 }, (_, i) => `I bought item number ${i} at the market.`);
    expect(extract(all.join(' '))).toHaveLength(24);
    expect(extract([...all, ...all.map((s) => s.toUpperCase())].join('\n'))).toHaveLength(24);
  });

  test('every candidate is a peer statement, spans are verbatim, folds are distinct', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'I ',
        "I'm ",
        'my ',
        'Bob ',
        'moved ',
        'like ',
        'tea ',
        'Oslo ',
        '. ',
        '? ',
        ' - ',
        '[',
        ']',
        '"',
        'you ',
        'and ',
        '東京に住んでいます。',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const content = pieces.join('');
        const found = extract(content);
        for (const candidate of found) {
          expect(content).toContain(candidate.supportingSpan);
          expect(candidate).toMatchObject({ targetLevel: 'peer', subjectType: 'peer' });
          expect(candidate.sourceMessageIds).toEqual(['m1']);
        }
        const folds = found.map((candidate) => foldStatement(candidate.statement));
        expect(new Set(folds).size).toBe(folds.length);
      }),
    );
  });

  /** Four times the text may take four times as long, and never sixteen times, which is its square. */
  function expectProportion(message: string): void {
    expectGrowth({
      few: () => extract(message.slice(0, message.length / 4)),
      many: () => extract(message),
      times: 8,
      besidesMs: SMALL_MS,
    });
  }
  /** Below this a collection of garbage weighs more than the work. */
  const SMALL_MS = 500;

  test('a message of one mebibyte takes time in proportion to its length', () => {
    const repeated = ['I bought a boat. ', 'What is this? ', 'I - ', '[', 'a\n', 'word ', '東京に'];
    const messages = repeated.map((unit) => unit.repeat(Math.ceil(2 ** 20 / unit.length)));
    messages.push(
      Array.from({ length: 2 ** 15 }, (_, i) => `I bought ${i} boats in Oslo. `).join(''),
    );
    for (const message of messages) expectProportion(message);
  });

  test('work grows with the length also where no sentence is a statement', () => {
    const message = Array.from({ length: 2 ** 14 }, (_, i) => `It was great ${i}. `).join('');
    expect(extract(message.slice(0, 1_000))).toEqual([]);
    expectProportion(message);
  });
});
