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
import { QdrantClient, type QdrantClientParams } from '@qdrant/js-client-rest';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';

export interface QdrantSettings {
  readonly url: string;
  readonly apiKey: string | null;
  /** Longest wait for one request, in milliseconds. */
  readonly timeoutMs: number;
}

type PointQuery = Parameters<QdrantClient['query']>[1];
export type GroupsQuery = Parameters<QdrantClient['queryGroups']>[1];
type Retrieval = Parameters<QdrantClient['retrieve']>[1];
type Scroll = NonNullable<Parameters<QdrantClient['scroll']>[1]>;
type BatchedQuery = Parameters<QdrantClient['queryBatch']>[1]['searches'][number];

/** How a request ends whose connection was closed before anything was answered. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function foundItClosed(error: unknown): boolean {
  const cause: unknown = Reflect.get(Object(error), 'cause');
  return CLOSED.has(Reflect.get(Object(cause), 'code'));
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

/**
 * The client, with reads that a signal ends before the time of the client is over. The client's own methods take no
 * signal, and a client with a time limit replaces the signal of a request by its own. So these reads are sent by a
 * second client without a limit, and get both limits as one signal.
 */
export class AbortableQdrantClient extends QdrantClient {
  readonly #unlimited: QdrantClient;
  readonly #timeoutMs: number;

  constructor(params: QdrantClientParams, timeoutMs: number) {
    super({ ...params, timeout: timeoutMs });
    this.#unlimited = new QdrantClient({ ...params, timeout: Number.POSITIVE_INFINITY });
    this.#timeoutMs = timeoutMs;
    repeatWhatFoundItClosed(this);
    repeatWhatFoundItClosed(this.#unlimited);
  }

  /** What `query` answers, not yet checked: what answers at the address need not be Qdrant. */
  async queryWithin(collection: string, query: PointQuery, signal?: AbortSignal): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .queryPoints({ collection_name: collection, ...query }, { signal: this.#inTime(signal) });
    return data.result;
  }

  /** What `queryBatch` answers, not yet checked. */
  async queryBatchWithin(
    collection: string,
    searches: readonly BatchedQuery[],
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .queryBatchPoints(
        { collection_name: collection, searches: [...searches] },
        { signal: this.#inTime(signal) },
      );
    return data.result;
  }

  /** What `queryGroups` answers, not yet checked. */
  async queryGroupsWithin(
    collection: string,
    query: GroupsQuery,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .queryPointsGroups(
        { collection_name: collection, ...query },
        { signal: this.#inTime(signal) },
      );
    return data.result;
  }

  /** What `retrieve` answers, not yet checked. */
  async retrieveWithin(
    collection: string,
    asked: Retrieval,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .getPoints({ collection_name: collection, ...asked }, { signal: this.#inTime(signal) });
    return data.result;
  }

  /** What `scroll` answers, not yet checked. */
  async scrollWithin(collection: string, asked: Scroll, signal?: AbortSignal): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .scrollPoints({ collection_name: collection, ...asked }, { signal: this.#inTime(signal) });
    return data.result;
  }

  /** What `getCollection` answers, not yet checked. */
  async collectionWithin(collection: string, signal?: AbortSignal): Promise<unknown> {
    const { data } = await this.#unlimited
      .api()
      .getCollection({ collection_name: collection }, { signal: this.#inTime(signal) });
    return data.result;
  }

  #inTime(signal: AbortSignal | undefined): AbortSignal {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }
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
