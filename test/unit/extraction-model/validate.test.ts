/** Validation of proposed statements: what is refused, and what must not be. */
import { describe, expect, test } from '@jest/globals';
import type {
  Candidate,
  ExtractionRequest,
  SourceMessage,
} from '../../../domain/statements/candidate.ts';
import type { FaultCode } from '../../../domain/extraction/validate-faults.ts';
import { validateCandidate } from '../../../domain/extraction/validate.ts';
import { resolveDates } from '../../../engine/extraction/model/resolve-dates.ts';
import { ANCHOR_ID, CANDIDATE, EARLIER_ID, REQUEST } from '../models/fixtures.ts';

function asking(content: string, changes: Partial<SourceMessage> = {}): ExtractionRequest {
  return { ...REQUEST, anchor: { ...REQUEST.anchor, content, ...changes } };
}

function codes(candidate: Partial<Candidate>, request = REQUEST): FaultCode[] {
  return validateCandidate({ ...CANDIDATE, ...candidate }, request, resolveDates).map(
    (fault) => fault.code,
  );
}

/** Codes of a statement that rests on the whole of a one-sentence anchor. */
function codesOf(
  content: string,
  statement: string,
  changes: Partial<Candidate> = {},
): FaultCode[] {
  return codes({ supportingSpan: content, statement, ...changes }, asking(content));
}

describe('a candidate without faults', () => {
  test('is the plain one', () => {
    expect(codes({})).toEqual([]);
  });

  test.each([
    ['Japanese', '私はリスボンに住んでいます。', 'イネスはリスボンに住んでいる。'],
    ['Arabic', 'أعيش في لشبونة.', 'تعيش إينيس في لشبونة.'],
    ['Hindi', 'मैं लिस्बन में रहती हूँ।', 'इनेस लिस्बन में रहती है।'],
    ['Russian', 'Я живу в Лиссабоне.', 'Инеш живёт в Лиссабоне.'],
    ['lower case', 'i live in lisbon', 'inês lives in lisbon'],
    ['a gerund', 'Running keeps me sane.', 'Running keeps Inês sane.'],
    ['an event of asking', 'I asked my boss for a raise.', 'Inês asked her boss for a raise.'],
    ['a thing written', 'I wrote a novel.', 'Inês wrote a novel.'],
  ])('may be in %s', (_name, content, statement) => {
    expect(codesOf(content, statement)).toEqual([]);
  });
});

describe('a statement is refused that', () => {
  test.each<[string, string, FaultCode]>([
    ['asks', 'Does Inês live in Lisbon?', 'statement_asks'],
    ['asks in another script', 'イネスはリスボンに住んでいる？', 'statement_asks'],
    ['speaks in the first person', 'I live in Lisbon.', 'statement_in_first_person'],
    ['speaks in the first person in Portuguese', 'Eu moro em Lisboa.', 'statement_in_first_person'],
    ['reports speech', 'Inês said that she lives in Lisbon.', 'statement_reports_speech'],
    ['reports a greeting', 'Inês thanked Tomás.', 'statement_reports_speech'],
    ['is about the assistant', 'The assistant suggested Lisbon.', 'statement_about_assistant'],
    ['opens with the relay', 'Relay knows that Inês lives in Lisbon.', 'statement_about_assistant'],
    ['holds nothing to read', '…—!', 'text_unreadable'],
    ['is mostly signs', 'a\\n\\t\\"}]}{{{[[[\\\\\\\\////', 'text_unreadable'],
    ['is far too long', 'Lisbon '.repeat(200), 'text_too_long'],
  ])('%s', (_name, statement, code) => {
    expect(codes({ statement })).toContain(code);
  });
});

describe('a statement that nobody could use later', () => {
  test.each<[string, FaultCode]>([
    ['It was made in a pottery class.', 'statement_unclear'],
    ["It's the best boat in the harbour.", 'statement_unclear'],
    ['They moved to Porto in May.', 'statement_unclear'],
    ['She teaches chemistry.', 'statement_unclear'],
    ['His ankle is sprained.', 'statement_unclear'],
    ['That helped Inês to sleep.', 'statement_unclear'],
    ['This was a gift of her aunt.', 'statement_unclear'],
    ['You never know how long paint lasts.', 'statement_addresses'],
    ['Sailing helps you to forget your work.', 'statement_addresses'],
    ['Inês appreciates the support of Tomás.', 'statement_without_fact'],
    ['Inês is so proud of Tomás.', 'statement_without_fact'],
    ['Inês agrees with Tomás.', 'statement_without_fact'],
    ['Inês wishes Tomás good luck.', 'statement_without_fact'],
    ['Inês thinks that the boat of Tomás is amazing.', 'statement_without_fact'],
    ['Inês is sorry to hear about the storm.', 'statement_without_fact'],
  ])('is a fault to repair: %s', (statement, code) => {
    expect(codes({ statement })).toContain(code);
  });

  test.each([
    'It [the bowl] was made in a pottery class.',
    'His [the son of Inês] ankle is sprained.',
    'That boat belongs to Inês.',
    'This summer Inês sailed to Porto.',
    'There are two boats in the harbour of Inês.',
    'It takes Inês two hours to sail to Porto.',
    'It rained on the wedding of Inês.',
    'Inês lives in Lisbon, and she sails.',
    'Inês has a boat called "You and I".',
    'Inês supports Sporting Lisbon club.',
    'Inês thinks that the harbour closes at nine.',
    'Inês hopes to sail to Porto.',
    'Inês hopes to have a good harvest.',
    'The youth club of Inês meets on Mondays.',
  ])('is not mistaken for one: %s', (statement) => {
    const found = codes({ statement });
    for (const code of ['statement_unclear', 'statement_addresses', 'statement_without_fact']) {
      expect(found).not.toContain(code);
    }
  });
});

describe('sources', () => {
  test('must be messages of the window and hold the anchor', () => {
    expect(codes({ sourceMessageIds: ['018f0000-0000-7000-8000-0000000000ff'] })).toEqual(
      expect.arrayContaining(['unknown_source', 'anchor_not_cited']),
    );
    expect(codes({ sourceMessageIds: [ANCHOR_ID, EARLIER_ID] })).toEqual([]);
  });

  test('are never turns of an assistant', () => {
    const window = REQUEST.window.map((message) => ({ ...message, role: 'assistant' }));
    expect(codes({ sourceMessageIds: [ANCHOR_ID, EARLIER_ID] }, { ...REQUEST, window })).toEqual([
      'source_not_evidence',
    ]);
  });

  test('hold the span verbatim, the cited ones only', () => {
    expect(codes({ supportingSpan: 'I live in Porto.' })).toContain('span_not_verbatim');
    expect(codes({ supportingSpan: 'Where do you live these days?' })).toContain(
      'span_not_verbatim',
    );
    expect(codes({ supportingSpan: ' ' })).toContain('span_not_verbatim');
    expect(codes({ supportingSpan: '.' })).toEqual(['text_unreadable']);
  });
});

describe('a span that is a question', () => {
  test('is refused when the statement rests on it alone', () => {
    expect(codesOf('Do I look like a sailor?', 'Inês looks like a sailor.')).toContain(
      'span_only_asks',
    );
  });

  test('is refused when it was cut before its mark', () => {
    const request = asking('Shall we buy a yacht?');
    const candidate = { supportingSpan: 'buy a yacht', statement: 'Inês will buy a yacht.' };
    expect(codes(candidate, request)).toContain('span_only_asks');
  });

  test('is accepted when the sources assert the same outside it', () => {
    const request = asking('Do you like sailing? I love sailing.');
    const candidate = { supportingSpan: 'Do you like sailing?', statement: 'Inês loves sailing.' };
    expect(codes(candidate, request)).toEqual([]);
  });
});

describe('a subject', () => {
  test('must be known', () => {
    expect(codes({ subjectRef: 'nobody' })).toEqual(['unknown_subject']);
  });

  test('is never an agent that only relayed', () => {
    expect(codes({ subjectRef: 'relay-bot' })).toContain('subject_is_agent');
  });

  test('may be an agent that spoke the cited message itself', () => {
    const request = asking('I index the harbour logs nightly.', {
      peerKey: 'relay-bot',
      peerName: 'Relay',
    });
    const candidate = {
      supportingSpan: 'I index the harbour logs nightly.',
      statement: 'Relay indexes the harbour logs nightly.',
      subjectRef: 'relay-bot',
    };
    expect(codes(candidate, request)).toEqual([]);
  });

  test('of a first-person span is its speaker', () => {
    expect(codes({ subjectRef: 'tomas' })).toContain('subject_not_speaker');
  });

  test('may be a person that a first-person span names', () => {
    const content = 'My brother Tomás sails.';
    expect(codesOf(content, 'Tomás sails.', { subjectRef: 'tomas' })).toEqual([]);
  });

  test('may be a third person spoken about', () => {
    const content = 'Tomás lives in Faro.';
    expect(codesOf(content, content, { subjectRef: 'tomas' })).toEqual([]);
  });

  test('that is a scope must be the scope of the message, and not restricted', () => {
    const scope = { subjectType: 'scope', subjectRef: '/harbour/boats' } as const;
    const content = 'The pier closes in winter.';
    expect(codesOf(content, content, scope)).toEqual([]);
    expect(codesOf(content, content, { ...scope, subjectRef: '/harbour' })).toEqual([
      'subject_wrong_scope',
    ]);
    expect(codesOf(content, content, { ...scope, sensitivity: 'restricted' })).toEqual([
      'restricted_scope',
    ]);
    expect(codes(scope)).toContain('scope_from_first_person');
  });
});

test('a validity window must not be empty or reversed', () => {
  const from = { at: '2031-01-01T00:00:00.000Z', precision: 'day' } as const;
  const until = { at: '2031-02-01T00:00:00.000Z', precision: 'day' } as const;
  expect(codes({ relevantFrom: from, relevantUntil: until })).toEqual([]);
  expect(codes({ relevantFrom: until, relevantUntil: from })).toEqual(['window_reversed']);
  expect(codes({ relevantFrom: from, relevantUntil: from })).toEqual(['window_reversed']);
});

describe('a date in a statement', () => {
  // The anchor was sent on Wednesday, 12 March 2031.
  test.each([
    ['I moved here on 8 May 2029.', 'Inês moved to Lisbon on 2029-05-08.'],
    ['I moved here on May 8th, 2029.', 'Inês moved to Lisbon in May 2029.'],
    ['I moved here in 2029.', 'Inês moved to Lisbon in 2029.'],
    ['I moved here yesterday.', 'Inês moved to Lisbon on 2031-03-11.'],
    ['I moved here last Friday.', 'Inês moved to Lisbon on 2031-03-07.'],
    ['I moved here last week.', 'Inês moved to Lisbon around 2031-03-05.'],
    ['I move next month.', 'Inês moves in April 2031.'],
    ['I sailed on the weekend.', 'Inês sailed on 2031-03-08.'],
    ['I moved here three years ago.', 'Inês moved to Lisbon in 2028.'],
    ['I have lived here for 3 months.', 'Inês has lived in Lisbon since December 2030.'],
    ['I got it last summer.', 'Inês got the kayak in July 2030.'],
    ['Ich bin gestern umgezogen.', 'Inês ist am 2031-03-11 umgezogen.'],
    ['昨日引っ越した。', 'イネスは2031年3月11日に引っ越した。'],
    ['I moved here on May 8th.', 'Inês moved to Lisbon on 2030-05-08.'],
  ])('follows from "%s"', (content, statement) => {
    expect(codesOf(content, statement)).toEqual([]);
  });

  test.each([
    ['I live in Lisbon.', 'Inês lives in Lisbon since 2031-03-12.'],
    ['I moved here in 2029.', 'Inês moved to Lisbon in 2028.'],
    ['I moved here in May 2029.', 'Inês moved to Lisbon on 8 May 2029.'],
    ['I moved here yesterday.', 'Inês moved to Lisbon on 2031-02-11.'],
  ])('does not follow from "%s"', (content, statement) => {
    expect(codesOf(content, statement)).toEqual(['date_unsupported']);
  });
});
