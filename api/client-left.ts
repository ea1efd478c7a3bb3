import type { ServerResponse } from 'node:http';
import type { ApiContext } from './context.ts';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Aborts when the connection closes before the answer is sent: the client left, or the process stops. Each request has one
 * signal: the calls of a batch, which may all wait at once, add no listeners to the response.
 */
export function clientLeft({ res }: Pick<ApiContext, 'res'>): AbortSignal {
  const known = signals.get(res);
  if (known !== undefined) return known;
  const controller = new AbortController();
  signals.set(res, controller.signal);
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
