/** The rule that a released interface only grows, on small documents and on random schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { breakingChanges, schemaBreak, type Json } from '../../support/openapi-changes.ts';

const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required,
});

interface Parts {
  readonly body?: Json;
  readonly bodyRequired?: boolean;
  readonly answer?: Json;
  readonly parameters?: readonly Json[];
  readonly responses?: Json;
  readonly security?: readonly Json[];
  readonly operationId?: string;
}

const JSON_TYPE = 'application/json';

function documentOf(parts: Parts = {}): Json {
  const { body = object({}), answer = object({}), parameters = [], responses = {} } = parts;
  return {
    security: parts.security ?? [],
    paths: {
      '/things': {
        post: {
          operationId: parts.operationId ?? 'doThings',
          parameters,
          requestBody: {
            required: parts.bodyRequired ?? false,
            content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Body' } } },
          },
          responses: {
            200: {
              headers: { 'x-trace-id': {} },
              content: { [JSON_TYPE]: { schema: answer } },
            },
            ...responses,
          },
        },
      },
    },
    components: { schemas: { Body: body } },
  };
}

const text = { type: 'string' };
const words = (...values: readonly string[]): Json => ({ type: 'string', enum: values });
/** An object that says by a fixed word what it is. */
const kind = (word: string, members: Json = {}): Json =>
  object({ kind: { const: word }, ...members }, ['kind', ...Object.keys(members)]);
const limit: Json = { name: 'limit', in: 'query', schema: { type: 'integer' } };

const ADDITIONS: readonly (readonly [string, Parts, Parts])[] = [
  ['the same', {}, {}],
  ['an optional request field', {}, { body: object({ more: text }) }],
  ['a request word', { body: object({ a: words('x') }) }, { body: object({ a: words('x', 'y') }) }],
  [
    'a request field that may be null',
    { body: object({ a: text }) },
    { body: object({ a: { type: ['string', 'null'] } }) },
  ],
  [
    'a request field no longer required',
    { body: object({ a: text }, ['a']) },
    { body: object({ a: text }) },
  ],
  [
    'a looser bound',
    { body: object({ a: { type: 'string', maxLength: 3 } }) },
    { body: object({ a: { type: 'string', maxLength: 4 } }) },
  ],
  ['a member of the answer', {}, { answer: object({ more: text }, ['more']) }],
  [
    'a word of the answer',
    { answer: object({ a: words('x') }) },
    { answer: object({ a: words('x', 'y') }) },
  ],
  [
    'an answer that is never null any more',
    { answer: object({ a: { type: ['string', 'null'] } }) },
    { answer: object({ a: text }) },
  ],
  [
    'objects of a new kind in a list of the answer',
    { answer: { type: 'array', items: kind('cat') } },
    { answer: { type: 'array', items: { anyOf: [kind('cat', { a: text }), kind('dog')] } } },
  ],
  [
    'one more kind beside others',
    { answer: { anyOf: [kind('cat'), kind('dog')] } },
    { answer: { anyOf: [kind('cat'), kind('dog'), kind('bird')] } },
  ],
  ['an optional parameter', {}, { parameters: [limit] }],
  ['a refusal', {}, { responses: { 409: {} } }],
  [
    'a description',
    { body: object({ a: text }) },
    { body: object({ a: { ...text, description: 'A.' } }) },
  ],
];

test.each(ADDITIONS)('%s is an addition', (_name, earlier, later) => {
  expect(breakingChanges(documentOf(earlier), documentOf(later))).toEqual([]);
});

const BREAKS: readonly (readonly [string, Parts, Parts])[] = [
  ['a new required request field', {}, { body: object({ a: text }, ['a']) }],
  [
    'a request field that became required',
    { body: object({ a: text }) },
    { body: object({ a: text }, ['a']) },
  ],
  ['a request field that is gone', { body: object({ a: text }) }, {}],
  [
    'a request field of another type',
    { body: object({ a: text }) },
    { body: object({ a: { type: 'integer' } }) },
  ],
  [
    'a request field that any value fitted',
    { body: object({ a: {} }) },
    { body: object({ a: text }) },
  ],
  [
    'a request word that is gone',
    { body: object({ a: words('x', 'y') }) },
    { body: object({ a: words('x') }) },
  ],
  [
    'a request text that became a closed list',
    { body: object({ a: text }) },
    { body: object({ a: words('x') }) },
  ],
  [
    'a request field that may no longer be null',
    { body: object({ a: { anyOf: [text, { type: 'null' }] } }) },
    { body: object({ a: text }) },
  ],
  [
    'a tighter bound',
    { body: object({ a: text }) },
    { body: object({ a: { ...text, minLength: 1 } }) },
  ],
  [
    'a new pattern',
    { body: object({ a: text }) },
    { body: object({ a: { ...text, pattern: '^a' } }) },
  ],
  ['unknown request fields refused', {}, { body: { ...object({}), additionalProperties: false } }],
  ['a body that became required', {}, { bodyRequired: true }],
  ['a member of the answer that is gone', { answer: object({ a: text }) }, {}],
  [
    'a member of the answer that may be missing',
    { answer: object({ a: text }, ['a']) },
    { answer: object({ a: text }) },
  ],
  [
    'a member of the answer that may be null',
    { answer: object({ a: text }) },
    { answer: object({ a: { type: ['string', 'null'] } }) },
  ],
  [
    'a member of a list in the answer that is gone',
    { answer: { type: 'array', items: object({ a: text }) } },
    { answer: { type: 'array', items: object({}) } },
  ],
  [
    'an object of the answer that is replaced by another kind',
    { answer: { type: 'array', items: kind('cat') } },
    { answer: { type: 'array', items: kind('dog') } },
  ],
  [
    'a kind that is gone while another comes',
    { answer: { anyOf: [kind('cat'), kind('dog')] } },
    { answer: { anyOf: [kind('cat'), kind('bird')] } },
  ],
  [
    'a new kind beside one that lost a member',
    { answer: { type: 'array', items: kind('cat', { a: text }) } },
    { answer: { type: 'array', items: { anyOf: [kind('cat'), kind('dog')] } } },
  ],
  [
    'a new kind that not every object tells apart',
    { answer: { anyOf: [kind('cat'), object({ a: text }, ['a'])] } },
    { answer: { anyOf: [kind('cat'), object({ a: text }, ['a']), kind('dog')] } },
  ],
  [
    'a new kind whose word may be missing',
    { answer: { type: 'array', items: kind('cat') } },
    {
      answer: {
        type: 'array',
        items: { anyOf: [kind('cat'), object({ kind: { const: 'dog' } })] },
      },
    },
  ],
  [
    'another identity in the answer',
    { answer: object({ v: { const: 'f5-1' } }) },
    { answer: object({ v: { const: 'f5-2' } }) },
  ],
  [
    'a word of the answer replaced',
    { answer: object({ a: words('x') }) },
    { answer: object({ a: words('y') }) },
  ],
  ['a parameter that is gone', { parameters: [limit] }, {}],
  [
    'a parameter that became required',
    { parameters: [limit] },
    { parameters: [{ ...limit, required: true }] },
  ],
  ['a new required parameter', {}, { parameters: [{ ...limit, required: true }] }],
  ['a refusal that is gone', { responses: { 409: {} } }, {}],
  ['a new success', {}, { responses: { 202: {} } }],
  [
    'a header that is gone',
    {},
    { responses: { 200: { content: { [JSON_TYPE]: { schema: object({}) } } } } },
  ],
  ['a media type that is gone', {}, { responses: { 200: { headers: { 'x-trace-id': {} } } } }],
  ['a credential asked for', {}, { security: [{ bearer: [] }] }],
  ['another name of the operation', {}, { operationId: 'doOther' }],
];

test.each(BREAKS)('%s is a break', (_name, earlier, later) => {
  const [problem, ...more] = breakingChanges(documentOf(earlier), documentOf(later));
  expect(problem).toMatch(/^POST \/things: /);
  expect(more).toEqual([]);
});

test('a path or a method that is gone is a break', () => {
  const document = documentOf();
  expect(breakingChanges(document, { paths: {} })).toEqual(['POST /things is gone']);
  expect(breakingChanges(document, { paths: { '/things': { get: {} } } })).toEqual([
    'POST /things is gone',
  ]);
  expect(breakingChanges({ paths: {} }, document)).toEqual([]);
});

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({}),
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null') }),
  fc.record({ type: fc.constant(['string', 'null']) }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('x', 'y', 1, null), { minLength: 1 }) }),
  fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ type: fc.constant('string'), maxLength: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ anyOf: fc.constant([{ type: 'boolean' }, { const: 'x' }]) }),
);
const schema: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.record({ type: fc.constant('array'), items: scalar }),
  fc
    .record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), scalar, { noNullPrototype: true }),
      required: fc.subarray(['a', 'b']),
    })
    .map(({ required, properties, type }) => ({
      type,
      properties,
      required: required.filter((name) => name in properties),
    })),
);
const leaf = fc.constantFrom<unknown>('', 'x', 'y', 'xyz', 0, 1, 2, 0.5, true, null);
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b'), leaf, { noNullPrototype: true }),
);

function membersOf(schema: Json): readonly string[] {
  return Object.keys(Object(schema['properties']));
}

describe('on random schemas', () => {
  test('a request that was accepted before an additive change is accepted after it', () => {
    const ajv = new Ajv2020({ strict: false });
    let covered = 0;
    fc.assert(
      fc.property(schema, schema, fc.array(value, { maxLength: 20 }), (earlier, later, values) => {
        if (schemaBreak(earlier, later, 'request') !== null) return;
        covered += 1;
        const [before, after] = [ajv.compile(earlier), ajv.compile(later)];
        // A field that only the later schema knows was ignored before; that is an addition by decision.
        const added = membersOf(later).filter((name) => !membersOf(earlier).includes(name));
        for (const candidate of values) {
          const touchesAdded = added.some((name) => name in Object(candidate));
          if (before(candidate) && !touchesAdded) expect(after(candidate)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(covered).toBeGreaterThan(20);
  });

  test('every schema is an addition to itself, in both directions', () => {
    fc.assert(
      fc.property(schema, (same) => {
        const copy = structuredClone(same);
        expect(schemaBreak(same, copy, 'request')).toBeNull();
        expect(schemaBreak(same, copy, 'answer')).toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});
