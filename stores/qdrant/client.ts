/**
 * The Qdrant client, and how its failures leave this folder.
 *
 * `Accept-Encoding: identity`: compressed answers meet delayed acknowledgements and stall some 40 ms.
 * The key travels as a plain header, because the client's own option warns about http on loopback.
 */
import { QdrantClient } from '@qdrant/js-client-rest';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';

export interface QdrantSettings {
  readonly url: string;
  readonly apiKey: string | null;
  /** Longest wait for one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** Builds a client; nothing is sent. */
export function createQdrantClient(settings: QdrantSettings): QdrantClient {
  return new QdrantClient({
    url: settings.url,
    headers: {
      'Accept-Encoding': 'identity',
      ...(settings.apiKey === null ? {} : { 'api-key': settings.apiKey }),
    },
    timeout: settings.timeoutMs,
    checkCompatibility: false,
  });
}

function failureOf(error: unknown): IndexFailure {
  if (error instanceof IndexFailure) return error;
  if (!(error instanceof Error)) return new IndexFailure('qdrant', 'away');
  const status: unknown = Reflect.get(error, 'status');
  if (typeof status === 'number') return new IndexFailure('qdrant', 'refused', String(status));
  const timedOut = /Timeout|Abort/.test(error.name) || /Timeout/.test(error.constructor.name);
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
