/** Bodies for an operation: right ones from its schema, nearly right ones, and bytes that were never JSON. */
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { Operation } from '../../../operations/operation.ts';

/** Stands in everything that a caller sends; no error may give it back. */
export const CANARY = 'canary7e57';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly format?: string;
}

const LONG = `${CANARY} ${'x'.repeat(20_000)}`;

function nested(depth: number): unknown {
  let value: unknown = CANARY;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that somewhere in some program are special. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  '',
  ' ',
  '\0',
  '\t\n',
  '\uD800',
  'a\uDC00b',
  '\u202E\u200B',
  'é😀',
  '%00',
  '%s%n',
  '../../etc/passwd',
  '$1',
  '\\',
  `'; drop table messages; --${CANARY}`,
  `{{7*7}}${CANARY}`,
  `${CANARY}\u0000`,
  'NaN',
  '-0',
  CANARY,
  CANARY.repeat(40),
  LONG,
  [CANARY],
  [[CANARY]],
  { [CANARY]: CANARY },
  `/${CANARY}`,
  `/${CANARY}/`,
  '//',
  '/..',
  `/${'a/'.repeat(200)}`,
  'é'.repeat(257),
  '2024-02-30',
  '0000-00-00T99:99:99Z',
  '+275760-09-13',
  '9999-12-31T23:59:59.999999999Z',

  nested(20),
  nested(70),
  'disabled',
  'fast',
  'not-a-uuid',
  '00000000-0000-0000-0000-000000000000',
  '"phrase',
  `"${CANARY}" -not OR AND ( ) * ~ ^`,
  'a:b',
  `- - -${CANARY}`,
  '\\"',
  '()',
  '*',
];
const odd = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);

const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  session_id: ['s1', 's2', `${CANARY}-session`],
  scope_path: ['/team', '/team', '/', '/team/sub', `/${CANARY}`],
  content: ['I live in Bergen.', 'Ana likes tea.', `Bob works at ${CANARY}.`],
  peer_key: ['ana', 'agent', null, `${CANARY}-peer`],
  peer_name: ['Ana', null],
  role: ['user', 'assistant', null],
  occurred_at: ['2024-05-01T10:00:00Z', null, '2024-05-01'],
  query: ['tea', 'where does Ana live', '"Bergen"', CANARY],
  as_of: [null, '2024-05-01'],
  limit: [1, 5, 12, null],
  strategies: [null, {}],
  email: [`${CANARY}@example.org`, 'admin@home.example'],
  password: [CANARY, 'correct horse battery'],
};

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: -2, max: 200 });
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ noNaN: true, min: 0, max: 1 }));
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, ''), { maxLength: 3 });
    case 'object':
      return objectOf(schema);
    default:
      return schema.format === 'uuid' ? fc.uuid() : fc.constantFrom('a', CANARY, 'plain words');
  }
}

function valueOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const words = WORDS[name];
  if (words !== undefined) return fc.constantFrom(...words);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, '')));
  const types = [schema.type ?? ['string', 'number', 'null']].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<object> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(properties)) members[name] = valueOf(schema, name);
  return fc.record(members, { requiredKeys: [...required] });
}

/** A right body, with one member spoilt, taken away or added. */
function nearlyRight(right: fc.Arbitrary<object>, names: readonly string[]): fc.Arbitrary<string> {
  const strange = ['__proto__', 'constructor', 'prototype', 'toString', 'account_key', CANARY, ''];
  const name = fc.constantFrom(...names, ...strange);
  const how = fc.constantFrom('replace', 'replace', 'replace', 'remove', 'twice');
  return fc.tuple(right, name, odd, how).map(([body, name, value, how]) => {
    const members = Object.entries(body).filter(([key]) => how === 'twice' || key !== name);
    if (how !== 'remove') members.push([name, value]);
    return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`).join(',')}}`;
  });
}

const NO_JSON = [
  '',
  ' ',
  '{',
  '}',
  '[',
  '{"a":',
  '{"a":1,}',
  '{} {}',
  "{'a':1}",
  '{a:1}',
  'NaN',
  '\uFEFF{}',
  'undefined',
  '// c\n{}',
  '{"a":01}',
  '{"a":"\t"}',
  `{"${CANARY}`,
  '['.repeat(50_000),
  '[]',
  'null',
  'true',
  '1',
  '1e999',
  `"${CANARY}"`,
  '[{}]',
  '{"a":1e999}',
  '{"\\u0000":1}',
  '{"a":"\\ud800"}',
  `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
  '{"__proto__":{"x":1}}',
];
const NO_TEXT = [
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0, 1, 2, 3]),
  Buffer.from('{}', 'utf16le'),
  gzipSync('{"query":"tea"}'),
];
/** Few, because each of them is megabytes. */
const TOO_LARGE = [
  `{"content":"${'x'.repeat(4 * 1024 * 1024)}"}`,
  JSON.stringify({ session_id: 's', scope_path: '/team', content: 'y'.repeat(1_100_000) }),
];

/** Bodies of every sort for the operation; null is no body at all. */
export function bodiesFor(operation: Operation): fc.Arbitrary<Buffer | null> {
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const schema = z.toJSONSchema(operation.input, options) as JsonSchema;
  const right = objectOf(schema);
  const names = Object.keys(schema.properties ?? {});
  return fc.oneof(
    { weight: 100, arbitrary: right.map((body) => Buffer.from(JSON.stringify(body))) },
    { weight: 400, arbitrary: nearlyRight(right, names).map((text) => Buffer.from(text)) },
    { weight: 200, arbitrary: fc.constantFrom(...NO_JSON).map((text) => Buffer.from(text)) },
    { weight: 60, arbitrary: fc.constantFrom(...NO_TEXT) },
    { weight: 60, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...TOO_LARGE).map((text) => Buffer.from(text)) },
  );
}
