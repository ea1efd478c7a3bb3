/**
 * Parses a document in a process with bounds of its own: whatever a document does to its parser, the process
 * that extracts and answers for everybody else goes on. A thread is no such bound: when its heap is full the
 * engine may end the whole process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
  /** Of the process's heap, in MiB. */
  readonly memoryMib: number;
}

export const PARSE_BOUNDS: ParseBounds = { timeoutMs: 60_000, memoryMib: 512 };

const PARSER = fileURLToPath(new URL('./parse-process.ts', import.meta.url));

function tooLarge(cause?: unknown): DocumentFailure {
  return new DocumentFailure('source_too_large', { cause });
}

function startParser({ memoryMib }: ParseBounds): ChildProcess {
  return fork(PARSER, {
    execArgv: [`--max-old-space-size=${memoryMib}`],
    // Bytes travel as bytes.
    serialization: 'advanced',
    // Parsers complain of documents in words that quote them.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
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
  const parser = startParser(bounds);
  const ended = new Promise((resolve) => {
    parser.once('exit', resolve);
    parser.once('error', resolve);
  });
  const overdue = setTimeout(() => reject(tooLarge()), bounds.timeoutMs);
  const aborted = (): void => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  parser.once('message', (answer: ParseAnswer) => resolve(answer));
  parser.once('error', reject);
  // Full memory ends it by a signal, its own or the kernel's.
  parser.once('exit', (_code, by) =>
    reject(by === null ? new Error('the parser ended without an answer') : tooLarge()),
  );
  parser.send(question, (error) => {
    // Who is gone before it has heard tells so by its exit.
    if (error !== null && parser.exitCode === null && parser.signalCode === null) reject(error);
  });
  try {
    const answer = await promise;
    if ('errorClass' in answer) throw new DocumentFailure(answer.errorClass);
    return answer.chunks;
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', aborted);
    parser.kill('SIGKILL');
    await ended;
  }
}
