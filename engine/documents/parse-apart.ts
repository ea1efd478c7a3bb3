/**
 * Parses a document in a process with bounds of its own: whatever a document does to its parser, the process that
 * started the parser goes on with all other work. A thread is no such bound: when its heap is full, the JavaScript
 * engine may end the whole process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Chunk } from './chunks.ts';
import { DocumentFailure, type DocumentFailureClass } from './failure.ts';
import { residentMibOf } from './resident-memory.ts';

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
  readonly heapMib: number;
  /** Of all memory that the process holds, in MiB: inflated and decoded data lies outside the heap. */
  readonly residentMib: number;
}

const LONGEST_PARSE_MS = 60_000;
const MOST_PARSER_HEAP_MIB = 512;
/** A worker parses two at a time, beside a heap of 768 MiB: together they fit into the memory that compose gives it. */
const MOST_PARSER_RESIDENT_MIB = 640;
export const PARSE_BOUNDS: ParseBounds = {
  timeoutMs: LONGEST_PARSE_MS,
  heapMib: MOST_PARSER_HEAP_MIB,
  residentMib: MOST_PARSER_RESIDENT_MIB,
};
/** How often the memory of a parser is looked at: between two looks it grows by less than a hundred MiB. */
const MEMORY_LOOK_MS = 50;

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PARSER = fileAt('./parse-process.ts');
/** All that a parser reads: its own sources and libraries. */
const READABLE = ['..', '../../domain', '../../node_modules', '../../package.json'].map(fileAt);

/**
 * How Node is started for a parser: it may read its own sources, and neither write, nor start processes, nor open
 * connections, whatever a document makes its libraries do.
 */
export function parserArguments({ heapMib }: Pick<ParseBounds, 'heapMib'>): string[] {
  return [
    `--max-old-space-size=${heapMib}`,
    '--permission',
    ...READABLE.map((path) => `--allow-fs-read=${path}`),
    // Node's permissions do not cover the network.
    `--import=${new URL('./no-network.ts', import.meta.url).href}`,
  ];
}

function tooLarge(cause?: unknown): DocumentFailure {
  return new DocumentFailure('source_too_large', { cause });
}

/** POSIX niceness of a parser. All other work goes first, because only the sender of the document waits for it. */
const NICENESS = 10;

function startParser(bounds: ParseBounds): ChildProcess {
  const parser = fork(PARSER, {
    execArgv: parserArguments(bounds),
    // Structured clone: bytes are sent as bytes.
    serialization: 'advanced',
    // Warnings of a parser quote the document.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
  // A parser that could not be started has no process id.
  if (parser.pid !== undefined) setPriority(parser.pid, NICENESS);
  return parser;
}

/** Calls `overgrown` when the process holds more memory than it may. The function that it answers ends the watch. */
function watchMemory(
  { pid }: ChildProcess,
  { residentMib }: ParseBounds,
  overgrown: () => void,
): () => void {
  const timer = setInterval(() => {
    const mib = residentMibOf(pid);
    if (mib !== null && mib > residentMib) overgrown();
  }, MEMORY_LOOK_MS);
  return () => clearInterval(timer);
}

/**
 * The chunks of the document. Throws `DocumentFailure`, `source_too_large` when a bound of memory was reached,
 * `request_timeout` when the time was over, or the signal's reason.
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
  const late = (): void => reject(new DocumentFailure('request_timeout'));
  const overdue = setTimeout(late, bounds.timeoutMs);
  const unwatch = watchMemory(parser, bounds, () => reject(tooLarge()));
  const aborted = (): void => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  parser.once('message', (answer: ParseAnswer) => resolve(answer));
  parser.once('error', reject);
  // A parser that runs out of memory ends by a signal, its own or the kernel's.
  parser.once('exit', (_code, by) =>
    reject(by === null ? new Error('the parser ended without an answer') : tooLarge()),
  );
  parser.send(question, (error) => {
    // The `exit` event reports a parser that ended before it read the question.
    if (error !== null && parser.exitCode === null && parser.signalCode === null) reject(error);
  });
  try {
    const answer = await promise;
    if ('errorClass' in answer) throw new DocumentFailure(answer.errorClass);
    return answer.chunks;
  } finally {
    clearTimeout(overdue);
    unwatch();
    signal.removeEventListener('abort', aborted);
    parser.kill('SIGKILL');
    await ended;
  }
}
