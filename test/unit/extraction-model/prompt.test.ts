/** The prompt keeps content apart from instructions and holds nothing that a model could copy by mistake. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { fitToContext } from '../../../engine/extraction/model/fit-context.ts';
import {
  INSTRUCTIONS,
  PROMPT_VERSION,
  renderMaterial,
  renderFaults,
} from '../../../engine/extraction/model/prompt.ts';
import { ANSWER_SCHEMA } from '../../../engine/extraction/model/schema.ts';
import { ANCHOR_ID, EARLIER_ID, REQUEST } from '../models/fixtures.ts';

const withText = (content: string): ExtractionRequest => ({
  ...REQUEST,
  anchor: { ...REQUEST.anchor, content },
});

test('whatever a message says, the document stays one JSON object that says it back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (content) => {
      const document = JSON.parse(renderMaterial([withText(content)]));
      expect(document.anchor_messages[0].text).toBe(content);
      expect(Object.keys(document)).toEqual([
        'scope_path',
        'people',
        'earlier_messages',
        'anchor_messages',
      ]);
    }),
  );
});

test('several anchors share one document, whatever they say, and point to their windows by position', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (first, second) => {
      const one = withText(first);
      const next = { ...one.anchor, id: `${ANCHOR_ID}0`, content: second };
      const other = { ...one, anchor: next, window: [...one.window, one.anchor] };
      const document = JSON.parse(renderMaterial([one, other]));
      const { earlier_messages: earlier, anchor_messages: anchors } = document;
      expect(earlier).toMatchObject([{ id: EARLIER_ID, position: 1 }]);
      expect(anchors).toMatchObject([
        { text: first, position: 2, window: [1] },
        { text: second, position: 3, window: [1, 2] },
      ]);
    }),
  );
});

test('times are the local times of their sender, with weekday', () => {
  const { anchor_messages: anchors } = JSON.parse(renderMaterial([REQUEST]));
  expect(anchors).toHaveLength(1);
  expect(anchors[0]).toMatchObject({
    id: ANCHOR_ID,
    sent_at: '2031-03-12T10:30:00+01:00',
    weekday: 'Wednesday',
    evidence: true,
  });
});

test('the instructions hold no concrete date', () => {
  expect(INSTRUCTIONS).not.toMatch(/\d{4}|\b\d{1,2}(?:st|nd|rd|th)\b/);
  expect(PROMPT_VERSION).toBe('vouch-extract-4');
});

test('the schema asks for every field, evidence first, and admits no other', () => {
  expect(ANSWER_SCHEMA.schema).not.toHaveProperty('$schema');
  const fields = [
    'supporting_span',
    'statement',
    'confidence_level',
    'kind',
    'subject_type',
    'subject_ref',
    'sensitivity',
    'target_level',
    'source_message_ids',
    'relevant_from',
    'relevant_until',
  ];
  const { properties } = ANSWER_SCHEMA.schema;
  expect(properties).toMatchObject({
    answers: {
      items: {
        required: ['anchor_id', 'statements'],
        additionalProperties: false,
        properties: {
          statements: { items: { required: fields, additionalProperties: false } },
        },
      },
    },
  });
});

test('faults travel as codes with fixed explanations', () => {
  const { faults } = JSON.parse(
    renderFaults([
      { anchorId: ANCHOR_ID, faults: [{ item: 2, field: 'statement', code: 'statement_asks' }] },
    ]),
  );
  expect(faults).toEqual([
    {
      anchor_id: ANCHOR_ID,
      statement_index: 2,
      field: 'statement',
      code: 'statement_asks',
      explanation: 'State the claim; do not ask.',
    },
  ]);
});

test('a full context drops the oldest messages first and never the anchor', () => {
  const [earlier] = REQUEST.window;
  if (earlier === undefined) throw new Error('the fixture has a window');
  const oldest = { ...earlier, id: 'oldest', content: 'x'.repeat(20_000) };
  const request = { ...REQUEST, window: [oldest, earlier] };
  const windowWithin = (tokens: number) =>
    fitToContext([request], tokens)[0]?.window.map((message) => message.id);
  expect(windowWithin(24_000)).toEqual(['oldest', EARLIER_ID]);
  expect(windowWithin(5_000)).toEqual([EARLIER_ID]);
  expect(() => fitToContext([withText('x'.repeat(20_000))], 5_000)).toThrow('source_too_large');
});
