/** Requests by method, route template and status. Its `_count` is the number of requests. */
import { Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from '../../api/request-observer.ts';
import { seconds, SLOW_SECONDS, wordOf } from './buckets.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** The label of every path without a route, and of every method that a route does not offer. */
const UNMATCHED = 'unmatched';
/** The client left before its answer was sent. */
const ABORTED = 'aborted';

/** The method itself, or `other`. */
export function methodOf(method: string): string {
  return wordOf(METHODS, method);
}

export function createRequestMetrics(registry: Registry): RequestObserver {
  const durations = new Histogram({
    name: 'vouch_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [...SLOW_SECONDS],
    registers: [registry],
  });
  return {
    request({ method, route, status, durationMs }) {
      durations.observe(
        { method: methodOf(method), route: route ?? UNMATCHED, status: status ?? ABORTED },
        seconds(durationMs),
      );
    },
  };
}
