/** The headers that requests may carry and every answer has. */
import type { Operation } from '../../operations/operation.ts';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '../rest/idempotency.ts';
import { takesIdempotencyKey, type Route } from '../rest/route.ts';
import type { Json } from './json-schema.ts';

export const TRACE_HEADER: Json = { $ref: '#/components/headers/TraceId' };

export const NEXT_CURSOR_HEADER: Json = { $ref: '#/components/headers/NextCursor' };

export const HEADERS: Json = {
  TraceId: {
    description: 'The trace id of the request. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
  NextCursor: {
    description: 'The `cursor` of the next page; absent on the last one.',
    schema: { type: 'string' },
  },
};

export const HEADER_PARAMETERS: Json = {
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description:
      'W3C trace context. A valid value of version 00 sets the trace id of the request. The service ignores any other value.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text that is unique to the request, such as a UUID. With a key, a client can safely repeat a request: the same key with the same request returns the first answer again. The same key with another request returns 409. The service keeps a key for 24 hours, for one credential, method and path.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS },
  },
};

export function headerParameters(route: Route, operation: Operation): Json[] {
  const names = takesIdempotencyKey(route, operation)
    ? ['IdempotencyKey', 'Traceparent']
    : ['Traceparent'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
