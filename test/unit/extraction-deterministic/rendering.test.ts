/** What a statement says, and what is not said: sentences that lean, judge, advise, leave the speaker out. */
import { describe, expect, test } from '@jest/globals';

import type { Candidate, Participant } from '../../../domain/statements/candidate.ts';
import { extractDeterministic } from '../../../engine/english-extractor/extract.ts';

const ADA: Participant = { peerKey: 'ada', name: 'Ada', kind: 'human' };
const BOB: Participant = { peerKey: 'bob', name: 'Bob', kind: 'human' };
const HAL: Participant = { peerKey: 'hal', name: 'Hal', kind: 'agent' };

function extract(content: string, participants: readonly Participant[] = [ADA, BOB]): Candidate[] {
  return extractDeterministic({
    scopePath: '/home',
    anchor: {
      id: 'm1',
      content,
      role: 'user',
      peerKey: 'ada',
      peerName: 'Ada',
      occurredAt: '2026-03-11T12:00:00Z',
      occurredOffsetMinutes: 0,
    },
    window: [],
    participants,
  });
}

function statements(content: string, participants?: readonly Participant[]): string[] {
  return extract(content, participants).map(({ statement }) => statement);
}

describe('a sentence that leaves the speaker out is about the speaker', () => {
  test.each([
    [
      'Been rehearsing for the harbour concert.',
      'Ada has been rehearsing for the harbour concert.',
    ],
    ['Gonna repair the old canoe.', 'Ada is going to repair the old canoe.'],
    ['Still working on the greenhouse roof.', 'Ada is still working on the greenhouse roof.'],
    ["Haven't visited Lima yet.", "Ada hasn't visited Lima yet."],
    ['Had a long call with the harbour office.', 'Ada had a long call with the harbour office.'],
  ])('%s', (content, statement) => {
    expect(statements(content)).toEqual([statement]);
  });

  test('an -ing form with a verb after it is a subject of its own', () => {
    expect(statements('Repairing wooden canoes takes all my evenings in June.')).toEqual([
      "Repairing wooden canoes takes all Ada's evenings in June.",
    ]);
  });
});

test.each([
  'I could help you with painting the shed if you want.',
  "I could help you with painting the shed, if you're interested!",
  'I could help you with painting the shed, if you like.',
])('an offer loses the courtesy at its end: %s', (content) => {
  expect(statements(content)[0]).toMatch(/^Ada could help Bob with painting the shed[.!]$/u);
});

test('a short clause is English when its sentence is, and its words are', () => {
  expect(statements("Repairing boats - it's a dream of mine to sail.")).toEqual([
    'Ada is repairing boats',
    "It's a dream of Ada's to sail.",
  ]);
  expect(statements('Mam psa - it was late when we met.')[0] ?? '').not.toContain('Ada is');
});

test('a sentence about its speaker that names one more thing is a statement', () => {
  expect(statements("I've been to Porto.")).toEqual(['Ada has been to Porto.']);
  expect(statements("I've been there.")).toEqual([]);
});

test('the listener is named in place of "your" when only one person listens', () => {
  const content = 'I found your old compass near the harbour.';
  expect(statements(content)).toEqual(["Ada found Bob's old compass near the harbour."]);
  const carla: Participant = { peerKey: 'carla', name: 'Carla', kind: 'human' };
  expect(statements(content, [ADA, BOB, carla])).toEqual([
    'Ada found your old compass near the harbour.',
  ]);
});

test('a phrase before the comma leaves the subject to what follows', () => {
  expect(statements('Crossing the harbour by ferry, I lost my old compass.')).toEqual([
    "Crossing the harbour by ferry, Ada lost Ada's old compass.",
  ]);
});

describe('a sentence that leans on the one before', () => {
  test('is one statement with it, and one verbatim span', () => {
    expect(
      extract('I built a wooden canoe. It is painted green inside. I live in Riga.'),
    ).toMatchObject([
      {
        statement: 'Ada built a wooden canoe. It is painted green inside.',
        supportingSpan: 'I built a wooden canoe. It is painted green inside.',
      },
      { statement: 'Ada lives in Riga.' },
    ]);
  });

  test('does not join across something else', () => {
    expect(
      statements('I built a wooden canoe. [shares a photo of a dog] It is painted green.'),
    ).toEqual(['Ada built a wooden canoe.']);
  });
});

test('the caption of a picture belongs to the statement that points at it', () => {
  const content = "Here's the wooden canoe I built for the race. [shares a photo of a lake]";
  expect(extract(content)).toMatchObject([
    {
      statement: "Here's the wooden canoe Ada built for the race: a lake",
      supportingSpan: content,
    },
  ]);
  expect(statements('I built a canoe. [shares a photo of a green canoe on a lake]')).toEqual([
    'Ada built a canoe.',
  ]);
});

describe('clauses that only judge are cut off', () => {
  test.each([
    ['I rowed to the island - it was so amazing!', 'Ada rowed to the island'],
    ['Since we last talked, I moved to Riga.', 'Ada moved to Riga.'],
    ['I definitely live in Riga, you know.', 'Ada lives in Riga.'],
  ])('%s', (content, statement) => {
    expect(statements(content)[0]).toBe(statement);
  });

  test('a clause that takes something back leaves nothing of it', () => {
    expect(statements("I live in Riga - that's not true.")).toEqual([]);
  });

  test('a judgement with something to it stays', () => {
    expect(statements('I rowed to the island, and it was covered with herons.')[0]).toContain(
      'herons',
    );
  });
});

describe('a sentence that names nothing is not a statement', () => {
  test.each([
    "I'll keep going and do my best!",
    'Together we will do something wonderful!',
    'Those colours look so wonderful and bright in the light.',
    'It means the world.',
  ])('%s', (content) => {
    expect(statements(content)).toEqual([]);
  });
});

describe('sentences without a person', () => {
  test('that judge or advise are no statements', () => {
    expect(statements('Learning the accordion is a great way to meet neighbours.')).toEqual([]);
    expect(statements('Try rowing and fencing for the back.')).toEqual([]);
    expect(statements('Try rowing and fencing for the back.', [ADA, HAL])).toEqual([]);
  });

  test('that tell a fact stay as they are', () => {
    expect(statements('The harbour office moved to Hamburg.')).toEqual([
      'The harbour office moved to Hamburg.',
    ]);
  });
});

test('a call to do something together is kept when it names a day', () => {
  expect(extract("Let's paint the canoe next Saturday.")).toMatchObject([
    {
      statement: 'Ada wants to paint the canoe next Saturday.',
      relevantFrom: { precision: 'day' },
    },
  ]);
  expect(statements("Let's paint the canoe.")).toEqual([]);
});

test('a word that begins with a first person and a hyphen stays whole', () => {
  expect(statements('I found a quiet hour of me-time at the harbour.')).toEqual([
    'Ada found a quiet hour of me-time at the harbour.',
  ]);
});

describe('other scripts and languages get no English shape', () => {
  test.each([
    '我昨天在奥斯陆买了一条船。它是绿色的。我很喜欢它。',
    'मैंने कल ओस्लो में एक नाव खरीदी। यह हरी है और बहुत सुंदर है।',
    'Ich habe gestern in Oslo ein Boot gekauft. Es ist grün und sehr schön geworden.',
    'اشتريت أمس قاربا في أوسلو. لونه أخضر وجميل جدا في الصيف.',
    'Вчера я купил лодку в Осло. Она зелёная и очень красивая.',
  ])('%s', (content) => {
    const found = extract(content);
    expect(found.length).toBeGreaterThan(0);
    for (const { statement, supportingSpan, subjectRef } of found) {
      expect(statement).toBe(supportingSpan);
      expect(content).toContain(supportingSpan);
      expect(subjectRef).toBe('ada');
    }
  });
});
