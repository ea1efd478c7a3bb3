/** Reading a model's answer: unwrapping, mapping, and the valid part of a mixed one. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseWindowEnd } from '../../../engine/extraction/model/window-end.ts';
import { readAnswer, type ReadAnswer } from '../../../engine/extraction/model/read-answer.ts';
import { resolveDates } from '../../../engine/extraction/model/resolve-dates.ts';
import { unwrapJson } from '../../../engine/models/unwrap-json.ts';
import { ANCHOR_ID, ITEM, REQUEST } from '../models/fixtures.ts';

/** What an answer says of its only anchor. */
function readOne(text: string, request = REQUEST): ReadAnswer {
  const [answer, ...others] = readAnswer(text, [request], resolveDates);
  if (answer === undefined || others.length > 0) throw new Error('one anchor has one answer');
  return answer;
}

const read = (...items: readonly unknown[]) =>
  readOne(JSON.stringify({ answers: [{ anchor_id: ANCHOR_ID, statements: items }] }));

describe('JSON is found', () => {
  test.each([
    ['plain', '{"a":1}'],
    ['fenced', '```json\n{"a":1}\n```'],
    ['after thinking aloud', '<think>maybe {"b":2,"c":3}?</think>{"a":1}'],
    ['in prose with brackets', 'As asked [1], {see} here: {"a":1} — done {ok}.'],
  ])('%s', (_name, text) => {
    expect(unwrapJson(text)).toEqual({ a: 1 });
  });

  test('around any value, whatever its strings hold', () => {
    const container = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(container, (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(unwrapJson(`Sure!\n\`\`\`\n${JSON.stringify(value)}\n\`\`\`\nBye.`)).toEqual(plain);
      }),
    );
  });

  test('only where there is some', () => {
    expect(unwrapJson('no object here')).toBeUndefined();
    expect(unwrapJson(`${'['.repeat(100_000)} {"a":1}`)).toBeUndefined();
    expect(unwrapJson('see [1 and {"a":1}')).toEqual({ a: 1 });
    expect(unwrapJson('{"a": [1, 2')).toBeUndefined();
    expect(unwrapJson('"text"')).toBeUndefined();
    expect(unwrapJson('{'.repeat(5_000))).toBeUndefined();
  });

  test('and no text makes the reader throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readOne(text).candidates).toEqual([]);
      }),
    );
  });
});

describe('an item', () => {
  test('may leave out fields with a default, and then cites the anchor', () => {
    const {
      source_message_ids: _ids,
      relevant_from: _from,
      relevant_until: _until,
      ...bare
    } = ITEM;
    const { candidates, faults } = read(bare);
    expect(faults).toEqual([]);
    expect(candidates[0]).toMatchObject({ sourceMessageIds: [ANCHOR_ID], relevantFrom: null });
  });

  test('with a missing, wrong or superfluous field is refused without repeating its text', () => {
    const { kind: _kind, ...kindless } = ITEM;
    const { faults, candidates } = read(
      kindless,
      { ...ITEM, sensitivity: 'CANARY' },
      { ...ITEM, CANARY: 1 },
      'CANARY',
      null,
    );
    expect(candidates).toEqual([]);
    expect(faults.map((fault) => [fault.item, fault.field, fault.code])).toEqual([
      [0, 'kind', 'wrong_shape'],
      [1, 'sensitivity', 'wrong_shape'],
      [2, '', 'wrong_shape'],
      [3, '', 'wrong_shape'],
      [4, '', 'wrong_shape'],
    ]);
  });

  test('never sets an expiry', () => {
    expect(read({ ...ITEM, expires_at: null }).candidates).toEqual([]);
  });

  test('leaves its valid neighbours alone', () => {
    const { candidates, rejected } = read(ITEM, { ...ITEM, subject_ref: 'nobody' });
    expect(candidates).toHaveLength(1);
    expect(rejected).toBe(1);
  });

  test('said twice is one candidate', () => {
    expect(read(ITEM, ITEM).candidates).toHaveLength(1);
  });

  test('keeps the characters of the message in its span', () => {
    const content = 'I’ve  got\na “red”\u200b kayak.';
    const request = { ...REQUEST, anchor: { ...REQUEST.anchor, content } };
    const item = {
      ...ITEM,
      supporting_span: 'I\'ve got a "red" kayak',
      statement: 'Inês owns it.',
    };
    const { candidates, faults } = readOne(JSON.stringify([item]), request);
    expect(faults).toEqual([]);
    expect(candidates[0]?.supportingSpan).toBe('I’ve  got\na “red”\u200b kayak');
  });

  test('may name its subject by name or in other letters', () => {
    expect(read({ ...ITEM, subject_ref: 'Inês' }).candidates[0]?.subjectRef).toBe('ines');
    expect(read({ ...ITEM, subject_ref: 'INES' }).candidates[0]?.subjectRef).toBe('ines');
  });

  test('that is restricted stays with its subject', () => {
    const item = { ...ITEM, sensitivity: 'restricted', target_level: 'account' };
    expect(read(item).candidates[0]?.targetLevel).toBe('peer');
  });

  test('loses the characters that cannot be stored', () => {
    const item = { ...ITEM, statement: 'Inês\u0000 lives\u200b in \ud800Lisbon. ' };
    expect(read(item).candidates[0]?.statement).toBe('Inês lives in Lisbon.');
  });

  test('with a window that is not a date is refused', () => {
    const { faults } = read({ ...ITEM, relevant_from: 'some day' });
    expect(faults).toEqual([{ item: 0, field: 'relevant_from', code: 'window_not_a_date' }]);
  });
});

describe('a window end', () => {
  test.each([
    ['2029', '2029-01-01T00:00:00.000Z', 'year'],
    ['2029-05', '2029-05-01T00:00:00.000Z', 'month'],
    ['2029-05-08', '2029-05-08T00:00:00.000Z', 'day'],
    ['2029-05-08T00:00:00+02:00', '2029-05-08T00:00:00.000Z', 'day'],
    ['2029-05-08T14:30:00+02:00', '2029-05-08T12:30:00.000Z', 'time'],
    ['2029-05-08T14:30Z', '2029-05-08T14:30:00.000Z', 'time'],
  ] as const)('%s is the start of its period', (text, at, precision) => {
    expect(parseWindowEnd(text)).toEqual({ at, precision });
  });

  test.each(['', 'May 2029', '2029-02-30', '2029-13', '0000', '2029-05-08T25:00Z', '8.5.2029'])(
    '"%s" is none',
    (text) => {
      expect(parseWindowEnd(text)).toBeNull();
    },
  );
});

describe('an answer that does not stop', () => {
  const numbered = (count: number, changes: (n: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, n) => ({
      ...ITEM,
      statement: `Inês lives in Lisbon, house ${n}.`,
      ...changes(n),
    }));

  test('is kept up to the limit, in its order, and items past the limit are no fault', () => {
    const { candidates, faults, rejected } = read(...numbered(30));
    expect(candidates.map(({ statement }) => statement)).toEqual(
      numbered(24).map(({ statement }) => statement),
    );
    expect(faults).toEqual([]);
    expect(rejected).toBe(6);
  });

  test('keeps valid statements after faulty ones', () => {
    const { candidates, rejected } = read(
      ...numbered(30, (n) => (n < 8 ? { supporting_span: 'I live in Porto.' } : {})),
    );
    expect(candidates).toHaveLength(22);
    expect(rejected).toBe(8);
  });

  test('is not read to its end', () => {
    const { candidates, faults, rejected } = read(
      ...numbered(5_000, () => ({ supporting_span: 'I live in Porto.' })),
    );
    expect(candidates).toEqual([]);
    expect(new Set(faults.map(({ item }) => item)).size).toBe(48);
    expect(rejected).toBe(5_000);
  });
});
