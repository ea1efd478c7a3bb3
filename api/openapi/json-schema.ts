/**
 * zod schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Schemas with an id (`.meta({ id })`) become
 * components that everything else refers to.
 */
import { z } from 'zod';
import { LENIENT } from '../../operations/lenient.ts';

export type Json = Readonly<Record<string, unknown>>;

export type SchemaCollection = ReturnType<typeof createSchemaCollection>;

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Whether the value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refTo(name: string): Json {
  return { $ref: `${COMPONENTS}${name}` };
}

/**
 * Removes what zod writes and readers do not need: the patterns behind formats, the safe range of integers, and in
 * answers the promise that no member is ever added. Where a field is transformed, zod omits the default and examples
 * of the value that is sent; `wire` in the field's metadata adds them.
 */
function tidy(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (schema['format'] === 'uuid' || schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (io === 'output' && schema['additionalProperties'] === false) {
    delete schema['additionalProperties'];
  }
  // A list of fixed entries has bounds that say so; some generators of clients cannot read that it has no others.
  if (schema['items'] === false) delete schema['items'];
  const { wire } = schema;
  delete schema['wire'];
  if (isJson(wire)) Object.assign(schema, wire);
}

/** `value` with every reference to a definition pointing at the component of that name. */
function rebased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebased);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace(DEFINITIONS, COMPONENTS)
        : rebased(member),
    ]),
  );
}

function allowsNull(schema: Json): boolean {
  if (schema[LENIENT] === true) return true;
  const { type, anyOf } = schema;
  const shapes = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'];
  if (!shapes.some((key) => key in schema)) return true;
  if (Array.isArray(type) ? type.includes('null') : type === 'null') return true;
  return Array.isArray(anyOf) && anyOf.some((branch) => isJson(branch) && allowsNull(branch));
}

/** In a body `null` means absence, so every optional member may be null. */
function withNullForAbsence(schema: Json): Json {
  const { properties, required } = schema;
  if (!isJson(properties)) return schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => {
    if (!isJson(member)) return [name, member];
    const inner = withNullForAbsence(member);
    if (needed.includes(name) || allowsNull(inner)) return [name, inner];
    return [name, { anyOf: [inner, { type: 'null' }] }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

function converted(schema: z.ZodType, io: 'input' | 'output'): { root: Json; definitions: Json } {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'throw',
    override: (context) => tidy(context.jsonSchema, io),
  });
  const plain = (value: unknown): Json => {
    const json = rebased(value);
    if (!isJson(json)) throw new TypeError('a schema must be an object');
    return io === 'input' ? withNullForAbsence(json) : json;
  };
  return {
    root: plain(root),
    definitions: Object.fromEntries(
      Object.entries($defs).map(([name, definition]) => [name, plain(definition)]),
    ),
  };
}

/** The JSON Schema of one input field; throws for a field that needs references. */
export function fieldSchema(field: z.ZodType): {
  readonly schema: Json;
  readonly required: boolean;
} {
  const { root, definitions } = converted(z.object({ field }), 'input');
  const properties = isJson(root['properties']) ? root['properties'] : {};
  const schema = properties['field'];
  if (!isJson(schema) || Object.keys(definitions).length > 0) {
    throw new TypeError('a parameter must stand for itself');
  }
  return { schema, required: Array.isArray(root['required']) };
}

/** Collects components. Throws when two different schemas have one name. */
export function createSchemaCollection() {
  const schemas = new Map<string, Json>();
  const keep = (name: string, schema: Json): void => {
    const known = schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
    schemas.set(name, schema);
  };
  return {
    /** Every component so far, by name. */
    schemas: schemas as ReadonlyMap<string, Json>,
    /** A reference to `schema` as input or as output; the component is called `name` where the schema has no id. */
    add(schema: z.ZodType, io: 'input' | 'output', name: string): Json {
      const { root, definitions } = converted(schema, io);
      for (const [id, definition] of Object.entries(definitions)) {
        if (isJson(definition)) keep(id, definition);
      }
      if (typeof root['$ref'] === 'string') return root;
      keep(name, root);
      return refTo(name);
    },
  };
}
