/** Requests that this process sends to Qdrant and Meilisearch, told by Node itself (`node:diagnostics_channel`). */
import { subscribe } from 'node:diagnostics_channel';
import { testServers } from '../../support/environment.ts';

export interface Requests {
  readonly qdrant: number;
  readonly meilisearch: number;
}

const sent = { qdrant: 0, meilisearch: 0 };

/** How often a client asks whether Meilisearch has written hangs on how long that takes: it is no cost of ours. */
const ASKS_FOR_TASKS = /^\/tasks/;

function count(origin: string, path: string): void {
  const { meilisearch, qdrant } = testServers();
  if (origin === new URL(qdrant.url).origin) sent.qdrant += 1;
  else if (origin === new URL(meilisearch.url).origin && !ASKS_FOR_TASKS.test(path)) {
    sent.meilisearch += 1;
  }
}

function textOf(of: unknown, field: string): string {
  return String(Reflect.get(Object(of), field));
}

// What `fetch` sends, and what `node:http` sends.
subscribe('undici:request:create', (message) => {
  const request: unknown = Reflect.get(Object(message), 'request');
  count(textOf(request, 'origin'), textOf(request, 'path'));
});
subscribe('http.client.request.start', (message) => {
  const request: unknown = Reflect.get(Object(message), 'request');
  const getHeader: unknown = Reflect.get(Object(request), 'getHeader');
  const host = typeof getHeader === 'function' ? getHeader.call(request, 'host') : '';
  count(`http://${String(host)}`, textOf(request, 'path'));
});

/** The requests up to now. */
export function requestsSent(): Requests {
  return { ...sent };
}
