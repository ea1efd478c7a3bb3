/** What is wrong with an input, said from the schema and never from what was received. */
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldProblems, problemWords } from '../../operations/field-problems.ts';

/** What the schema says of the value. */
function saidOf(schema: z.ZodType, value: unknown): readonly string[] {
  const read = schema.safeParse(value, { error: problemWords });
  if (read.success) return [];
  return fieldProblems(read.error).map(({ message, path }) => `${path} ${message}`.trim());
}

const one = (schema: z.ZodType, value: unknown) => saidOf(z.object({ x: schema }), { x: value });

describe('the words for a problem', () => {
  test('tell a missing field from one of another type', () => {
    const schema = z.object({
      name: z.string(),
      age: z.int(),
      on: z.boolean(),
      all: z.array(z.int()),
    });
    expect(saidOf(schema, {})).toEqual([
      'name is required',
      'age is required',
      'on is required',
      'all is required',
    ]);
    expect(saidOf(schema, { name: 1, age: 'x', on: 'yes', all: {} })).toEqual([
      'name must be a text',
      'age must be a number',
      'on must be true or false',
      'all must be a list',
    ]);
    expect(one(z.int(), 1.5)).toEqual(['x must be a whole number']);
    expect(saidOf(schema, [])).toEqual(['must be an object']);
  });

  test('list what a closed field allows', () => {
    expect(one(z.enum(['fast', 'thorough']), 'slow')).toEqual(['x must be one of: fast, thorough']);
    expect(one(z.enum(['fast', 'thorough']).nullish(), 'slow')).toEqual([
      'x must be one of: fast, thorough',
    ]);
    expect(one(z.literal('disabled'), 'off')).toEqual(['x must be disabled']);
    expect(one(z.union([z.enum(['any']), z.int()]), 'some')).toEqual([
      'x must be any, or must be a number',
    ]);
  });

  test('name bounds with what they count', () => {
    expect(one(z.string().min(1), '')).toEqual(['x must have at least 1 character']);
    expect(one(z.string().max(3), 'long text')).toEqual(['x must have at most 3 characters']);
    expect(one(z.array(z.int()).max(2), [1, 2, 3])).toEqual(['x must have at most 2 entries']);
    expect(one(z.number().max(1), 2)).toEqual(['x must be at most 1']);
    expect(one(z.int().positive(), 0)).toEqual(['x must be more than 0']);
    expect(one(z.number().lt(5), 5)).toEqual(['x must be less than 5']);
  });

  test('name forms, and say where a union failed inside one of them', () => {
    expect(one(z.uuid(), 'no-id')).toEqual(['x must be a UUID']);
    expect(one(z.string().regex(/^a$/), 'b')).toEqual(['x must be of the form that is described']);
    expect(one(z.union([z.object({ y: z.int() }), z.string()]), { y: 'z' })).toEqual([
      'x has none of the forms that are allowed here',
    ]);
  });

  test('repeat nothing of what was received', () => {
    const secret = 'my-secret-text';
    const schemas = [
      z.enum(['a', 'b']),
      z.literal('a'),
      z.int(),
      z.uuid(),
      z.string().max(3),
      z.strictObject({}),
      z.union([z.literal('a'), z.int()]),
      z.string().refine(() => false),
      z.number(),
    ];
    for (const schema of schemas) {
      for (const value of [secret, { [secret]: secret }, [secret]]) {
        expect(one(schema, value).join()).not.toContain(secret);
        expect(one(schema, value)).not.toEqual([]);
      }
    }
  });

  test('of a schema are its own where it has some', () => {
    expect(one(z.string().min(2, 'must be longer'), 'a')).toEqual(['x must be longer']);
    const own = z.string().refine(() => false, { message: 'must rhyme' });
    expect(one(own, 'a')).toEqual(['x must rhyme']);
  });
});
