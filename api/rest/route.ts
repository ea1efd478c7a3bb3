/**
 * A route, declared: which operation answers which method and path, and how its input is put together.
 * Everything else (credentials, body, limits, errors) follows from the operation it names.
 */
import type { OperationName } from '../../operations/registry.ts';

/** How the text of a query parameter is read; unreadable text is left for the operation to judge. */
export type QueryType = 'text' | 'integer' | 'boolean';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the router spells it: `/api/v1/ingest/:message_id`. Every path parameter is a UUID. */
  readonly path: string;
  readonly operation: OperationName;
  /** The query parameters that are read; others are ignored. */
  readonly query?: Readonly<Record<string, QueryType>>;
  /** Largest body in bytes; 4 MiB when left out. Only POST and PUT have one. */
  readonly bodyLimitBytes?: number;
  /** Status of success, where it depends on the answer a function of it. */
  readonly status: number | ((output: unknown) => number);
  /** Domain actions answer `{data}`, probes the output itself. */
  readonly envelope: 'data' | 'bare';
}
