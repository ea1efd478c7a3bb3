/**
 * The Qdrant client, and how its failures leave this folder.
 *
 * `Accept-Encoding: identity`: compressed answers meet delayed acknowledgements and stall some 40 ms.
 * The key travels as a plain header, because the client's own option warns about http on loopback.
 *
 * Qdrant closes a connection on which nothing came for five seconds, and the client keeps one for ten. A request that
 * leaves before a busy process has read of the close gets no answer, so the client sends it once more: everything that
 * is asked of Qdrant may be repeated.
 */
import { QdrantClient, type Schemas } from '@qdrant/js-client-rest';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { QdrantRequests } from './requests.ts';

export interface QdrantSettings {
  readonly url: string;
  readonly apiKey: string | null;
  /** Longest wait for one request, in milliseconds. */
  readonly timeoutMs: number;
}

type PointQuery = Schemas['QueryRequest'];
export type GroupsQuery = Schemas['QueryGroupsRequest'];
type Retrieval = Schemas['PointRequest'];
type Scroll = Schemas['ScrollRequest'];

/** How a request ends whose connection was closed before anything was answered. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function foundItClosed(error: unknown): boolean {
  const cause: unknown = Reflect.get(Object(error), 'cause');
  return [error, cause].some((thrown) => CLOSED.has(Reflect.get(Object(thrown), 'code')));
}

type Call = (...asked: never[]) => Promise<unknown>;

/** The call, made once more where its connection was found closed. */
function repeating(call: Call): Call {
  return async (...asked) => {
    try {
      return await call(...asked);
    } catch (error) {
      if (foundItClosed(error)) return call(...asked);
      throw error;
    }
  };
}

/** Has every request of a client, those of its own methods too, repeated where its connection was found closed. */
function repeatWhatFoundItClosed(client: QdrantClient): void {
  const calls: object = client.api();
  for (const [name, call] of Object.entries(calls)) {
    if (typeof call === 'function') Reflect.set(calls, name, repeating(call));
  }
}

/** Where a client finds its Qdrant, and what it says with every request. */
interface ClientParams {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly checkCompatibility?: boolean;
}

/**
 * The client, with the reads of searches, which a signal ends before the time of the client is over. The client's own
 * methods take no signal, and cost more (`QdrantRequests`). What these reads answer is not yet checked: what answers at
 * the address need not be Qdrant.
 */
export class AbortableQdrantClient extends QdrantClient {
  readonly #requests: QdrantRequests;
  readonly #timeoutMs: number;

  constructor(params: ClientParams, timeoutMs: number) {
    super({ ...params, timeout: timeoutMs });
    this.#requests = new QdrantRequests(params.url, params.headers ?? {});
    this.#timeoutMs = timeoutMs;
    repeatWhatFoundItClosed(this);
  }

  /** What `query` answers. */
  queryWithin(collection: string, query: PointQuery, signal?: AbortSignal): Promise<unknown> {
    return this.#post(collection, '/points/query', query, signal);
  }

  /** What `queryBatch` answers. */
  queryBatchWithin(
    collection: string,
    searches: readonly PointQuery[],
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#post(collection, '/points/query/batch', { searches }, signal);
  }

  /** What `queryGroups` answers. */
  queryGroupsWithin(
    collection: string,
    query: GroupsQuery,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#post(collection, '/points/query/groups', query, signal);
  }

  /** What `retrieve` answers. */
  retrieveWithin(collection: string, asked: Retrieval, signal?: AbortSignal): Promise<unknown> {
    return this.#post(collection, '/points', asked, signal);
  }

  /** What `scroll` answers. */
  scrollWithin(collection: string, asked: Scroll, signal?: AbortSignal): Promise<unknown> {
    return this.#post(collection, '/points/scroll', asked, signal);
  }

  /** What `getCollection` answers. */
  collectionWithin(collection: string, signal?: AbortSignal): Promise<unknown> {
    return this.#inTime((withinMs) => this.#requests.get(pathOf(collection), withinMs, signal));
  }

  #post(
    collection: string,
    path: string,
    body: object,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    return this.#inTime((withinMs) =>
      this.#requests.post(`${pathOf(collection)}${path}`, body, withinMs, signal),
    );
  }

  /** A request that is repeated has what is left of its time. */
  #inTime(send: (withinMs: number) => Promise<unknown>): Promise<unknown> {
    const endsAt = performance.now() + this.#timeoutMs;
    return repeating(() => send(Math.max(0, endsAt - performance.now())))();
  }
}

function pathOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}`;
}

/** Builds a client; nothing is sent. */
export function createQdrantClient(settings: QdrantSettings): AbortableQdrantClient {
  const params = {
    url: settings.url,
    headers: {
      'Accept-Encoding': 'identity',
      ...(settings.apiKey === null ? {} : { 'api-key': settings.apiKey }),
    },
    checkCompatibility: false,
  };
  return new AbortableQdrantClient(params, settings.timeoutMs);
}

/** A collection by its name, or what tells the name each time: a process may change to another one. */
export type CollectionInUse = string | (() => string);

export function nameInUse(collection: CollectionInUse): string {
  return typeof collection === 'string' ? collection : collection();
}

function failureOf(error: unknown): IndexFailure {
  if (error instanceof IndexFailure) return error;
  // Read by its shape: an error of another realm, such as that of an aborted signal, is no `Error` of this one.
  const thrown: object = Object(error);
  const status: unknown = Reflect.get(thrown, 'status');
  if (typeof status === 'number') return new IndexFailure('qdrant', 'refused', String(status));
  const names = `${String(Reflect.get(thrown, 'name'))} ${thrown.constructor.name}`;
  const timedOut = /Timeout|AbortError/.test(names);
  return new IndexFailure('qdrant', timedOut ? 'timeout' : 'away');
}

/** Runs one call; whatever it throws leaves as an `IndexFailure` without the text of Qdrant. */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failureOf(error);
  }
}
