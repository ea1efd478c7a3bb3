/**
 * The declaration of a route: which operation answers which method and path, and how its input is put together.
 * Everything else (credentials, body, limits, errors) follows from the operation it names.
 */
import type { Operation } from '../../operations/operation.ts';
import type { OperationName } from '../../operations/registry.ts';

/**
 * How the door reads the text of a query parameter. It passes on text that it cannot read, and the operation judges it.
 * A `name` is a text that names a resource. If it holds characters that no resource's name can have, the operation does
 * not find it. `texts` are a list: one text for each time that the parameter is given.
 */
export type QueryType = 'text' | 'texts' | 'name' | 'integer' | 'boolean';

/** A status of success that depends on the answer: one of `possible`. */
export interface StatusByAnswer {
  readonly possible: readonly number[];
  of(output: unknown): number;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the router spells it: `/api/v1/ingest/:message_id`. Every path parameter is a UUID. */
  readonly path: string;
  /** Input fields by path parameter, where the names differ: all methods of a path share the names in it. */
  readonly pathFields?: Readonly<Record<string, string>>;
  readonly operation: OperationName;
  /** The query parameters that are read; others are ignored. */
  readonly query?: Readonly<Record<string, QueryType>>;
  /** Largest body in bytes; 4 MiB when left out. Only POST and PUT have one. */
  readonly bodyLimitBytes?: number;
  /** A file that may come in base64, or in a form instead of JSON; see `api/middleware/form-body.ts`. */
  readonly file?: { readonly field: string; readonly mostBytes: number };
  /** A list of the body whose entries count as requests for the pace of the account. */
  readonly countedList?: string;
  /** Whether a caller may have the answer as a stream of events: see `event-stream.ts`. */
  readonly streams?: true;
  readonly status: number | StatusByAnswer;
  /**
   * Domain actions answer `{data}`; probes answer the output itself. A `page` answers its items as `{data}`, and its
   * `next_cursor` in the header `x-next-cursor`.
   */
  readonly envelope: 'data' | 'bare' | 'page';
}

/** A member of answers that stands beside `data`. */
export const BESIDE_DATA = 'pending_validation';

const VERSIONED_PREFIX = '/api/v1/';

export function hasBody({ method }: Route): boolean {
  return method === 'POST' || method === 'PUT';
}

/** Every writing `POST /api/v1/*` takes an `Idempotency-Key`. */
export function takesIdempotencyKey(route: Route, operation: Operation): boolean {
  return (
    route.method === 'POST' &&
    route.path.startsWith(VERSIONED_PREFIX) &&
    operation.effect !== 'read'
  );
}

/** The path's parameters in their order, with the input field that each one fills. */
export function pathParameters({
  path,
  pathFields = {},
}: Route): { readonly name: string; readonly field: string }[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    field: pathFields[name] ?? name,
  }));
}

/** Every status of success that the route can answer. */
export function statusesOf({ status }: Route): readonly number[] {
  return typeof status === 'number' ? [status] : status.possible;
}
