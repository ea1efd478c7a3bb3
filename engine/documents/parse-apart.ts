/**
 * Parses a document in a thread with bounds of its own: whatever a document does to its parser, the process
 * that extracts and answers for everybody else goes on.
 */
import { Worker } from 'node:worker_threads';
import type { Chunk } from './chunks.ts';
import { DocumentFailure, type DocumentFailureClass } from './failure.ts';

export interface ParseQuestion {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

export type ParseAnswer =
  | { readonly chunks: readonly Chunk[] }
  | { readonly errorClass: DocumentFailureClass };

export interface ParseBounds {
  readonly timeoutMs: number;
  /** Of the thread's heap, in MiB. */
  readonly memoryMib: number;
}

export const PARSE_BOUNDS: ParseBounds = { timeoutMs: 60_000, memoryMib: 512 };

function tooLarge(cause?: unknown): DocumentFailure {
  return new DocumentFailure('source_too_large', { cause });
}

/**
 * The chunks of the document. Throws `DocumentFailure`, `source_too_large` when a bound was reached, or the
 * signal's reason.
 */
export async function parseApart(
  question: ParseQuestion,
  signal: AbortSignal,
  bounds: ParseBounds = PARSE_BOUNDS,
): Promise<readonly Chunk[]> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ParseAnswer>();
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMib },
    // Parsers complain of documents in words that quote them.
    stdout: true,
    stderr: true,
    env: {},
  });
  const overdue = setTimeout(() => reject(tooLarge()), bounds.timeoutMs);
  const aborted = (): void => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  worker.once('message', (answer: ParseAnswer) => resolve(answer));
  worker.once('error', (error) =>
    reject(Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : error),
  );
  worker.once('exit', () => reject(new Error('the parser ended without an answer')));
  try {
    const answer = await promise;
    if ('errorClass' in answer) throw new DocumentFailure(answer.errorClass);
    return answer.chunks;
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', aborted);
    await worker.terminate();
  }
}
