/** Which refusals a route can answer, derived from its declaration, and how the description shows them. */
import { REFUSAL_CODES, SENTENCES, type RefusalCode } from '../../domain/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { STATUS_BY_CODE } from '../errors.ts';
import { hasBody, takesIdempotencyKey, type Route } from '../rest/route.ts';
import { TRACE_HEADER } from './headers.ts';
import type { Json } from './json-schema.ts';

/** The refusals of the door itself, before and around the operation. */
function refusalsOfTheDoor(route: Route, operation: Operation): RefusalCode[] {
  const isProtected = operation.access !== 'public';
  const hasParameters = Object.keys(route.query ?? {}).length > 0;
  return [
    ...(hasBody(route)
      ? ([
          'malformed_json',
          'payload_too_large',
          'unsupported_media_type',
          'request_timeout',
          'unavailable',
        ] as const)
      : []),
    ...(hasBody(route) || hasParameters ? (['invalid_request'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(isProtected ? (['unauthorized', 'rate_limited', 'unavailable'] as const) : []),
    ...(operation.access === 'human' || operation.access === 'erased'
      ? (['human_identity_required'] as const)
      : []),
    ...(operation.access === 'account_admin' ? (['forbidden'] as const) : []),
    ...(takesIdempotencyKey(route, operation) ? (['conflict'] as const) : []),
    'internal_error',
  ];
}

/** Every refusal of a route, in the order of the table of codes. */
export function refusalsOf(route: Route, operation: Operation): RefusalCode[] {
  const given = new Set([...refusalsOfTheDoor(route, operation), ...(operation.refusals ?? [])]);
  return REFUSAL_CODES.filter((code) => given.has(code));
}

function componentName(codes: readonly RefusalCode[]): string {
  return codes
    .map((code) =>
      code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    )
    .join('Or');
}

const RETRY_AFTER: Json = {
  description: 'The number of seconds to wait before the next attempt.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};
const WWW_AUTHENTICATE: Json = {
  description: 'The authentication scheme that the service requires.',
  required: true,
  schema: { type: 'string', const: 'Bearer' },
};
const ALLOW: Json = {
  description: 'The methods that the path supports, separated by commas.',
  required: true,
  schema: { type: 'string' },
};

function headersOf(codes: readonly RefusalCode[]): Json {
  return {
    'x-trace-id': TRACE_HEADER,
    ...(codes.includes('unauthorized') ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
    ...(codes.includes('method_not_allowed') ? { Allow: ALLOW } : {}),
    ...(codes.includes('rate_limited') || codes.includes('unavailable')
      ? { 'Retry-After': RETRY_AFTER }
      : {}),
  };
}

/** The one error shape, for these codes. */
function refusalResponse(codes: readonly RefusalCode[]): Json {
  const [first] = codes;
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { error: SENTENCES[code], code } }]),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${SENTENCES[code]}`).join('\n\n'),
    headers: headersOf(codes),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            error: {
              type: 'string',
              description: 'A sentence for people. It contains no data of the caller.',
            },
            code: {
              type: 'string',
              description: 'A stable code for programs. Later versions may add codes.',
              ...(codes.length === 1 ? { const: first } : { enum: codes }),
            },
            fields: {
              type: 'array',
              description: 'The invalid fields, if the refusal is about fields.',
              items: { $ref: '#/components/schemas/FieldProblem' },
            },
          },
          required: ['error', 'code'],
        },
        examples,
      },
    },
  };
}

export const FIELD_PROBLEM: Json = {
  type: 'object',
  description: 'What is wrong with one field. The message never quotes the value.',
  properties: {
    path: {
      type: 'string',
      description: 'The path of the field, with dots. Empty for the body itself.',
    },
    message: { type: 'string' },
  },
  required: ['path', 'message'],
};

/** Responses by status, each a reference to a component that `keep` receives. */
export function refusalResponses(
  codes: readonly RefusalCode[],
  keep: (name: string, response: Json) => void,
): Json {
  const byStatus = Map.groupBy(codes, (code) => STATUS_BY_CODE[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, together]) => {
      const name = componentName(together);
      keep(name, refusalResponse(together));
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
