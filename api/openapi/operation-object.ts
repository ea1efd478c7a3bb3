/** One route as an OpenAPI operation object: everything follows from the route and its operation. */
import { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';
import {
  BESIDE_DATA,
  hasBody,
  pathParameters,
  statusesOf,
  type QueryType,
  type Route,
} from '../rest/route.ts';
import { EVENT_STREAM } from '../rest/event-stream.ts';
import { headerParameters, NEXT_CURSOR_HEADER, TRACE_HEADER } from './headers.ts';
import { fieldSchema, isJson, type Json, type SchemaCollection } from './json-schema.ts';
import { refusalResponses, refusalsOf } from './refusals.ts';

export interface Components {
  readonly schemas: SchemaCollection;
  readonly keepResponse: (name: string, response: Json) => void;
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted. The request is stored durably, and its work continues.',
  503: 'The same report, when at least one component is not in order.',
};

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function inputField(operation: Operation, name: string): z.ZodType | null {
  const { input } = operation;
  const field: unknown = input instanceof z.ZodObject ? input.shape[name] : undefined;
  return field instanceof z.ZodType ? field : null;
}

/** A query string has no null: an optional parameter is left out instead. */
function withoutNull(schema: Json, type: QueryType): Json {
  const { anyOf, type: types, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const [only, ...more] = anyOf.filter((branch) => !isJson(branch) || branch['type'] !== 'null');
    return isJson(only) && more.length === 0 ? { ...only, ...rest } : schema;
  }
  const named = Array.isArray(types) ? types.find((name) => name !== 'null') : types;
  if (named === undefined) return rest;
  // The query reader converts integers only: `1.5` stays text, which a number field refuses.
  return { type: named === 'number' && type === 'integer' ? 'integer' : named, ...rest };
}

function parameter(
  operation: Operation,
  { name, field }: { readonly name: string; readonly field: string },
  place: 'path' | 'query',
  type: QueryType,
): Json {
  const input = inputField(operation, field);
  const found = input === null ? { schema: {}, required: false } : fieldSchema(input);
  const { description, ...schema } = withoutNull(found.schema, type);
  const required = place === 'path' || found.required;
  return {
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(required ? { required } : {}),
    schema,
  };
}

function parametersOf(route: Route, operation: Operation): Json[] {
  return [
    ...pathParameters(route).map((named) => parameter(operation, named, 'path', 'text')),
    ...Object.entries(route.query ?? {}).map(([name, type]) =>
      parameter(operation, { name, field: name }, 'query', type),
    ),
    ...headerParameters(route, operation),
  ];
}

/** The operation's input without the members that come from path and query. */
function bodyInput(route: Route, { input }: Operation): z.ZodType {
  const fields = pathParameters(route).map(({ field }) => field);
  const elsewhere = [...fields, ...Object.keys(route.query ?? {})];
  if (!(input instanceof z.ZodObject) || elsewhere.length === 0) return input;
  const kept = Object.entries(input.shape).filter(([name]) => !elsewhere.includes(name));
  return z.object(Object.fromEntries(kept));
}

/** The same members as fields of a form; the file replaces `content_base64` and makes `media_type` optional. */
function formSchema(input: z.ZodType): Json {
  const shape: Readonly<Record<string, z.ZodType>> =
    input instanceof z.ZodObject ? input.shape : {};
  const fields = Object.entries(shape)
    .filter(([name]) => name !== 'content_base64')
    .map(([name, field]) => ({ name, ...fieldSchema(field) }));
  const required = fields.filter((field) => field.required && field.name !== 'media_type');
  return {
    type: 'object',
    properties: {
      file: {
        description:
          'The bytes of the document. Its content type applies if the form has no `media_type`.',
        // As generators of clients know it; the revision alone would leave it without a type.
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
      },
      ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    },
    required: ['file', ...required.map(({ name }) => name)],
  };
}

function requestBody(route: Route, operation: Operation, components: Components): Json {
  const input = bodyInput(route, operation);
  return {
    // A missing body counts as the empty object.
    required: !input.safeParse({}).success,
    content: {
      'application/json': {
        schema: components.schemas.add(input, 'input', `${capitalised(route.operation)}Request`),
      },
      ...(route.file === undefined ? {} : { 'multipart/form-data': { schema: formSchema(input) } }),
    },
  };
}

/** Of a stream of events. The schema of the `answer` is that of the JSON answer. */
const EVENTS: Json = {
  type: 'string',
  description:
    'Server-sent events with JSON as their data. The service sends parts of the answer as soon as it has them (`evidence`), then one `answer` with the JSON answer, or one `error` in the shape of a refusal. A later part replaces an earlier part of the same name. The service sends a comment every 15 seconds.',
};

/** The items of a page; the header has the cursor. */
function itemsOf({ id, output }: Operation): z.ZodType {
  const items = output instanceof z.ZodObject ? output.shape['items'] : undefined;
  if (!(items instanceof z.ZodArray)) throw new TypeError(`${id} answers no page`);
  return items;
}

/** The output without the member that stands beside the data, and that member; null for most operations. */
function besideData({ output }: Operation): { data: z.ZodType; beside: z.ZodType | null } {
  if (!(output instanceof z.ZodObject) || !(BESIDE_DATA in output.shape)) {
    return { data: output, beside: null };
  }
  const { [BESIDE_DATA]: beside, ...members } = output.shape;
  const member = beside instanceof z.ZodOptional ? beside.unwrap() : beside;
  return { data: z.object(members), beside: member instanceof z.ZodType ? member : null };
}

function successes(route: Route, operation: Operation, components: Components): Json {
  const isPage = route.envelope === 'page';
  const { beside, data } = besideData(operation);
  const output = components.schemas.add(
    isPage ? itemsOf(operation) : data,
    'output',
    `${capitalised(route.operation)}Answer`,
  );
  const schema =
    route.envelope === 'bare'
      ? output
      : {
          type: 'object',
          properties: {
            data: output,
            ...(beside === null
              ? {}
              : { [BESIDE_DATA]: components.schemas.add(beside, 'output', 'PendingValidation') }),
          },
          required: ['data'],
        };
  return Object.fromEntries(
    statusesOf(route).map((status) => [
      String(status),
      {
        description: DESCRIPTIONS[status] ?? 'The answer.',
        headers: {
          'x-trace-id': TRACE_HEADER,
          ...(isPage ? { 'x-next-cursor': NEXT_CURSOR_HEADER } : {}),
        },
        content: {
          'application/json': { schema },
          ...(route.streams === true ? { [EVENT_STREAM]: { schema: EVENTS } } : {}),
        },
      },
    ]),
  );
}

export function operationObject(route: Route, operation: Operation, components: Components): Json {
  const codes = refusalsOf(route, operation);
  return {
    operationId: route.operation,
    tags: [operation.id.split('.')[0]],
    ...(operation.summary === undefined ? {} : { summary: operation.summary }),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route, operation),
    ...(hasBody(route) ? { requestBody: requestBody(route, operation, components) } : {}),
    responses: {
      ...successes(route, operation, components),
      ...refusalResponses(codes, components.keepResponse),
    },
  };
}
