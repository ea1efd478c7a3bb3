/** The small pure rules of the door. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cleanJson } from '../../../api/json-text.ts';
import { assembleInput } from '../../../api/rest/input.ts';
import type { Route } from '../../../api/rest/route.ts';
import { isAway } from '../../../domain/availability.ts';
import { parseTraceparent } from '../../../domain/tracing.ts';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'.split('')), {
      minLength: length,
      maxLength: length,
    })
    .map((digits) => digits.join(''))
    .filter((text) => !/^0+$/.test(text));

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  test('keeps every valid trace id', () => {
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (trace, span, flags) => {
        expect(parseTraceparent(`00-${trace}-${span}-${flags}`)).toEqual({
          traceId: trace,
          spanId: span,
          sampled: Number.parseInt(flags, 16) % 2 === 1,
        });
      }),
    );
  });

  test.each([
    ['nothing', undefined],
    ['another version', `01-${TRACE}-${SPAN}-01`],
    ['a zero trace id', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a zero parent id', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['too few parts', `00-${TRACE}-${SPAN}`],
    ['something after the flags', `00-${TRACE}-${SPAN}-01-x`],
  ])('does not take %s', (_name, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});

describe('JSON on its way in', () => {
  test('values without null, NUL and lone surrogates come out as they are', () => {
    const clean = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
      const text = JSON.stringify(value);
      return !text.includes('null') && !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text);
    });
    fc.assert(fc.property(clean, (value) => expect(cleanJson(value)).toEqual(value)));
  });

  test('a member called __proto__ stays a plain member', () => {
    const cleaned = cleanJson(JSON.parse('{"__proto__": {"admin": true}}'));
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
    expect(Object.hasOwn(Object(cleaned), '__proto__')).toBe(true);
  });

  test('says where the text stands', () => {
    expect(() => cleanJson({ a: [{ b: 'x\u0000' }] })).toThrow(
      expect.objectContaining({ fields: [{ path: 'a.0.b', message: expect.any(String) }] }),
    );
  });
});

describe('input of an operation', () => {
  const route: Route = {
    method: 'GET',
    path: '/x/:id',
    operation: 'search',
    query: { limit: 'integer', all: 'boolean', name: 'text' },
    status: 200,
    envelope: 'data',
  };
  const read = (query: Record<string, string | string[]>) =>
    assembleInput(route, { params: {}, query, body: {} });

  test('integers are read past the safe range as its end', () => {
    expect(read({ limit: '7' })).toEqual({ limit: 7 });
    expect(read({ limit: '-3' })).toEqual({ limit: -3 });
    expect(read({ limit: '9'.repeat(400) })).toEqual({ limit: Number.MAX_SAFE_INTEGER });
    expect(read({ limit: '1.5' })).toEqual({ limit: '1.5' });
    expect(read({ limit: '' })).toEqual({ limit: '' });
  });

  test('booleans are true or 1, false or 0', () => {
    expect(['true', '1', 'false', '0', 'yes', ''].map((all) => read({ all }))).toEqual([
      { all: true },
      { all: true },
      { all: false },
      { all: false },
      { all: 'yes' },
      { all: '' },
    ]);
  });

  test('a parameter given twice stays a list and an undeclared one is left out', () => {
    expect(read({ name: ['a', 'b'], other: 'c' })).toEqual({ name: ['a', 'b'] });
  });

  test('the path wins over a body member of its name', () => {
    const id = '01890000-0000-7000-8000-0000000000aa';
    expect(assembleInput(route, { params: { id }, query: {}, body: { id: 'other' } })).toEqual({
      id,
    });
  });
});

test('a path parameter fills the field that its route names', () => {
  const route: Route = {
    method: 'DELETE',
    path: '/x/:id',
    pathFields: { id: 'document_id' },
    operation: 'withdrawDocument',
    status: 202,
    envelope: 'data',
  };
  const id = '01890000-0000-7000-8000-0000000000aa';
  expect(assembleInput(route, { params: { id }, query: {}, body: {} })).toEqual({
    document_id: id,
  });
});

const coded = (code: unknown) => Object.assign(new Error('x'), { code });

describe('a server that is away', () => {
  class BackendTerminatedUnexpectedlyError extends Error {}

  test.each([
    ['a pool error', new BackendTerminatedUnexpectedlyError('x')],
    ['a refused socket', coded('ECONNREFUSED')],
    [
      'a refused socket below a fetch',
      new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
    ],
    ['a database that shuts down', coded('57P01')],
    ['gRPC UNAVAILABLE', coded(14)],
  ])('is recognised by %s', (_name, error) => {
    expect(isAway(error)).toBe(true);
  });

  test.each([
    ['a defect', new TypeError('x')],
    ['a broken constraint', coded('23505')],
    ['a missing privilege', coded('42501')],
    ['no error at all', 'ECONNREFUSED'],
  ])('is not seen in %s', (_name, error) => {
    expect(isAway(error)).toBe(false);
  });

  test('a chain of causes that bites its tail ends', () => {
    const error = new Error('x');
    error.cause = error;
    expect(isAway(error)).toBe(false);
  });
});
