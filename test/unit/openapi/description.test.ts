/** The committed description: generated, valid, complete, and never less than the released one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from '@jest/globals';
import { openApiText } from '../../../api/openapi/index.ts';
import { ROUTES } from '../../../api/rest/routes.ts';
import { operations } from '../../../operations/registry.ts';
import { ROOT } from '../../architecture/source-tree.ts';
import { breakingChanges, type Json } from '../../support/openapi-changes.ts';

const read = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');
const document: Json = JSON.parse(read('openapi.json'));
const at = (...keys: readonly string[]): Json =>
  keys.reduce<Json>((found, key) => Object(found[key]), document);

/** Every object in the document, with the path it stands at. */
function* objects(value: unknown, path: string): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, Object(value)];
  for (const [key, member] of Object.entries(value)) yield* objects(member, `${path}/${key}`);
}

test('the committed document matches the declarations (npm run generate writes it)', () => {
  expect(read('openapi.json')).toBe(openApiText(operations));
});

test('the document removes and narrows nothing of the released document', () => {
  expect(breakingChanges(JSON.parse(read('openapi.released.json')), document)).toEqual([]);
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect([valid, validator.version]).toEqual([true, '3.1']);
});

test('the validator rejects an invalid document', async () => {
  const { valid } = await new Validator().validate({ ...document, paths: { ingest: { get: 1 } } });
  expect(valid).toBe(false);
});

test('every schema compiles in the dialect of OpenAPI 3.1', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  for (const name of Object.keys(at('components', 'schemas'))) {
    expect(ajv.compile({ $ref: `document#/components/schemas/${name}` })).toBeInstanceOf(Function);
  }
});

test('every reference has a target', () => {
  const lost = [...objects(document, '')].flatMap(([path, { $ref }]) => {
    if (typeof $ref !== 'string') return [];
    const target = at(...$ref.split('/').slice(1));
    return Object.keys(target).length > 0 ? [] : [`${path} -> ${$ref}`];
  });
  expect(lost).toEqual([]);
});

test('every example of a field is one that the field takes', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  let seen = 0;
  for (const [path, { examples, default: standard }] of objects(document, '')) {
    const values: readonly unknown[] = Array.isArray(examples) ? examples : [];
    if (values.length === 0 && standard === undefined) continue;
    const pointer = path.replaceAll('/api/', '~1api~1');
    if (pointer.includes('~1api')) continue;
    const validate = ajv.compile({ $ref: `document#${pointer}` });
    for (const value of standard === undefined ? values : [...values, standard]) {
      seen += 1;
      expect([path, value, validate(value)]).toEqual([path, value, true]);
    }
  }
  expect(seen).toBeGreaterThan(10);
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_title, route) => {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const described = at('paths', path, route.method.toLowerCase());
    const declared = operations[route.operation];

    test('is described under the name of its operation', () => {
      expect(described['operationId']).toBe(route.operation);
      expect(described['summary']).toEqual(expect.any(String));
    });

    test('asks for a credential exactly where its operation does', () => {
      const statuses = Object.keys(Object(described['responses']));
      if (declared.access === 'public') {
        expect(described['security']).toEqual([]);
      } else {
        expect(described['security']).toBeUndefined();
        expect(statuses).toEqual(expect.arrayContaining(['401', '429', '503']));
      }
      expect(statuses).toContain('500');
    });
  },
);

test('names are used once', () => {
  const ids = [...objects(at('paths'), '')].flatMap(([, { operationId }]) => operationId ?? []);
  expect(new Set(ids).size).toBe(ids.length);
});

test('lenient fields have the type that they mean, and say that they take anything', () => {
  const properties = (name: string) => at('components', 'schemas', name, 'properties');
  const { occurred_at } = properties('IngestObservationRequest');
  const { limit } = properties('SearchRequest');
  for (const field of [occurred_at, limit]) {
    expect(field).toHaveProperty('type');
    expect(field).toHaveProperty('x-lenient', true);
    expect(field).toHaveProperty('description', expect.stringMatching(/default/i));
  }
});

test('a writing POST takes an Idempotency-Key, a reading one does not', () => {
  const parameters = (path: string) => JSON.stringify(at('paths', path, 'post')['parameters']);
  expect(parameters('/api/v1/ingest')).toContain('IdempotencyKey');
  expect(parameters('/api/v1/search')).not.toContain('IdempotencyKey');
  expect(parameters('/api/auth/password')).not.toContain('IdempotencyKey');
});
