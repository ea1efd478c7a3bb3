/** The reports of requests to metrics and traces. An observer must not throw and must not block. */

import type { RefusalCode } from '../domain/errors.ts';
import type { TraceParent } from '../domain/tracing.ts';

/** One request that was answered, or that its client left before the answer. */
export interface RequestEvent {
  /** As the client sent it: any method that Node's parser knows. */
  readonly method: string;
  /** The template of the route that answered, for example `/api/v1/ingest/:message_id`; null when none did. */
  readonly route: string | null;
  /** Null when the connection closed before the answer was sent. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** A request that is under way, as a span. */
export interface RequestSpan {
  /** Runs the request's work; spans that begin in it belong to this span. */
  run<T>(work: () => Promise<T>): Promise<T>;
  end(event: RequestEvent & { readonly refused: RefusalCode | null }): void;
}

export interface RequestTracing {
  begin(request: { readonly traceId: string; readonly parent: TraceParent | null }): RequestSpan;
}

export interface RequestObserver {
  request(event: RequestEvent): void;
}
