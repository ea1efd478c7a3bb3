/** The tools as a client sees them. */
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { readArguments } from '../../../api/mcp/arguments.ts';
import { listTools } from '../../../api/mcp/listing.ts';
import { TOOLS } from '../../../api/mcp/tools.ts';
import { operations } from '../../../operations/registry.ts';

const CONTRACT = [
  'ingest',
  'get_context',
  'search',
  'ask',
  'query_knowledge',
  'check_readiness',
  'resolve_validation',
  'set_ask_preference',
];
const listed = listTools(TOOLS, operations);

describe('the list of tools', () => {
  test('is that of the contract, in its order', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual(CONTRACT);
  });

  test('has no tool that decides for others', () => {
    for (const { operation } of TOOLS) expect(operations[operation].access).toBe('any_identity');
  });

  test('marks exactly the reads as reads', () => {
    const reads = listed.filter(({ annotations }) => annotations.readOnlyHint);
    const expected = TOOLS.filter(({ operation }) => operations[operation].effect === 'read');
    expect(reads.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(listed.every(({ annotations }) => !annotations.openWorldHint)).toBe(true);
  });

  test('describes each argument with one type and in words, without naming another door', () => {
    for (const { description, inputSchema, name } of listed) {
      expect(description.length).toBeGreaterThan(150);
      for (const [field, schema] of Object.entries<Record<string, unknown>>(
        inputSchema.properties as Record<string, Record<string, unknown>>,
      )) {
        expect([name, field, typeof schema['type'], typeof schema['description']]).toEqual([
          name,
          field,
          'string',
          'string',
        ]);
        expect(String(schema['description'])).not.toMatch(/\/api\/|x-next-cursor/);
      }
    }
  });

  test('gives schemas that a validator takes, with every required argument among them', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const { inputSchema } of listed) {
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      const names = Object.keys(inputSchema.properties);
      expect(names).toEqual(expect.arrayContaining(inputSchema.required));
    }
  });

  test('leaves messages that only ask out of answers unless a call says otherwise', () => {
    const ask = TOOLS.find(({ name }) => name === 'ask');
    if (ask === undefined) throw new Error('no such tool');
    const given = { scope_path: '/team', question: 'Where?' };
    expect(readArguments(ask, operations.ask, given).input).toMatchObject({
      include_questions: false,
    });
    const wanted = { ...given, include_questions: true };
    expect(readArguments(ask, operations.ask, wanted).input).toMatchObject(wanted);
    const schema = listed.find(({ name }) => name === 'ask')?.inputSchema.properties;
    expect(schema).toMatchObject({ include_questions: { type: 'boolean', default: false } });
  });

  test('takes one scope or several from a call that reads scopes, and refuses a call without any', () => {
    const readers = TOOLS.filter(({ takes }) => takes.includes('scope_paths'));
    expect(readers.map(({ name }) => name)).toEqual([
      'get_context',
      'search',
      'ask',
      'query_knowledge',
    ]);
    for (const tool of readers) {
      const given = { query: 'q', question: 'q' };
      const own = Object.fromEntries(
        Object.entries(given).filter(([name]) => tool.takes.includes(name)),
      );
      const read = (args: object) =>
        readArguments(tool, operations[tool.operation], { ...own, ...args }).input;
      expect(read({ scope_path: '/a' })).toMatchObject({ scope_path: '/a' });
      expect(read({ scope_paths: ['/a', '/b'] })).toMatchObject({ scope_paths: ['/a', '/b'] });
      for (const lacking of [{}, { scope_path: null, scope_paths: null }]) {
        expect(() => read(lacking)).toThrow(
          expect.objectContaining({ fields: [{ path: 'scope_path', message: 'is required' }] }),
        );
      }
      const schema = listed.find(({ name }) => name === tool.name)?.inputSchema;
      // A tool has no default for the scope, whatever REST has.
      expect(schema?.properties['scope_path']).not.toHaveProperty('default');
      expect(schema?.required).not.toContain('scope_path');
    }
  });

  test('is small enough to be read with every conversation', () => {
    expect(JSON.stringify(listed).length).toBeLessThan(24_000);
  });
});
