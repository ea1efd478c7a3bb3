/** How zod schemas become components: names, nulls, defaults. */
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createSchemaCollection, fieldSchema } from '../../../api/openapi/json-schema.ts';

function input(schema: z.ZodType): unknown {
  const collection = createSchemaCollection();
  collection.add(schema, 'input', 'It');
  return collection.schemas.get('It');
}

describe('a body', () => {
  test('takes null for every member that may be left out, at any depth', () => {
    expect(
      input(
        z.object({
          a: z.string(),
          b: z.string().optional(),
          c: z.object({ d: z.int().optional() }),
        }),
      ),
    ).toMatchObject({
      properties: {
        a: { type: 'string' },
        b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { properties: { d: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
      },
      required: ['a', 'c'],
    });
  });

  test('keeps a member that anything fits as it is', () => {
    expect(input(z.object({ a: z.unknown().optional() }))).toMatchObject({ properties: { a: {} } });
  });

  test('that refuses unknown members declares it in its schema', () => {
    expect(input(z.strictObject({ a: z.string() }))).toHaveProperty('additionalProperties', false);
  });

  test('describes the value that is sent, not the transformed one', () => {
    const field = z
      .string()
      .transform(Number)
      .meta({ description: 'A number.', wire: { examples: ['1'] } });
    expect(input(z.object({ field }))).toMatchObject({
      properties: { field: { type: 'string', description: 'A number.', examples: ['1'] } },
    });
  });
});

describe('components', () => {
  const named = z.object({ a: z.string() }).meta({ id: 'Named' });

  test('carry the id of their schema, and everything refers to them', () => {
    const collection = createSchemaCollection();
    const reference = collection.add(z.array(named), 'output', 'List');
    expect(reference).toEqual({ $ref: '#/components/schemas/List' });
    expect(collection.schemas.get('List')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Named' },
    });
    expect(collection.add(named, 'output', 'Other')).toEqual({
      $ref: '#/components/schemas/Named',
    });
  });

  test('answers promise no end of additions', () => {
    const collection = createSchemaCollection();
    collection.add(named, 'output', 'It');
    expect(collection.schemas.get('Named')).not.toHaveProperty('additionalProperties');
  });

  test('two schemas of one name are refused', () => {
    const collection = createSchemaCollection();
    collection.add(z.object({ a: z.string() }), 'output', 'It');
    expect(() => collection.add(z.object({ b: z.string() }), 'output', 'It')).toThrow(
      'two schemas are called It',
    );
  });
});

test('a parameter stands for itself', () => {
  expect(fieldSchema(z.uuid().nullish())).toMatchObject({ required: false });
  expect(fieldSchema(z.string())).toEqual({ schema: { type: 'string' }, required: true });
  const named = z.object({}).meta({ id: 'Elsewhere' });
  expect(() => fieldSchema(named)).toThrow('must stand for itself');
});
