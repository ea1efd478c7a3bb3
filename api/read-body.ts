import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/errors.ts';
import { Pause } from './body-intake.ts';
import { watchCaller } from './caller-watch.ts';

/** The client closed the connection before its body was complete, so no answer can reach it. */
class IncompleteBodyError extends Error {
  override readonly name = 'IncompleteBodyError';
}

/** How slowly a body may come. */
export interface BodyPace {
  /** How often the pace is checked, and how long the body may take to begin, in milliseconds. */
  readonly windowMs: number;
  /** Bytes that must come in each window. */
  readonly bytesPerWindow: number;
  /** How long the whole body may take, in milliseconds. */
  readonly wholeMs: number;
}

/** How often the pace of a body is checked, in milliseconds. */
const BODY_WINDOW_MS = 5_000;
/** A kilobyte a second is less than the slowest of lines carries. */
const LEAST_BODY_BYTES_PER_SECOND = 1_024;
const LONGEST_BODY_MS = 60_000;
/** For a body that holds one of the few places of large bodies. */
const LEAST_LARGE_BODY_BYTES_PER_SECOND = 64 * 1_024;
const LONGEST_LARGE_BODY_MS = 120_000;

export interface BodyPaces {
  readonly usual: BodyPace;
  readonly large: BodyPace;
}

const windowAt = (bytesPerSecond: number): Pick<BodyPace, 'windowMs' | 'bytesPerWindow'> => ({
  windowMs: BODY_WINDOW_MS,
  bytesPerWindow: (bytesPerSecond * BODY_WINDOW_MS) / 1_000,
});

export const BODY_PACES: BodyPaces = {
  usual: { ...windowAt(LEAST_BODY_BYTES_PER_SECOND), wholeMs: LONGEST_BODY_MS },
  large: { ...windowAt(LEAST_LARGE_BODY_BYTES_PER_SECOND), wholeMs: LONGEST_LARGE_BODY_MS },
};

/** Pieces that a body may come in whatever their size; further pieces must have `LEAST_PIECE_BYTES` on average. */
const MOST_FREE_PIECES = 1_024;
/** Chunks of one byte each cost a hundred times what the same bytes cost in one piece. */
const LEAST_PIECE_BYTES = 16;

/** How large a body may be, and how slowly it may come. */
export interface BodyBounds {
  readonly limitBytes: number;
  readonly pace: BodyPace;
  /** For how many milliseconds nothing is read after so many bytes: see `BodyIntake`. */
  readonly pauseAfter: (bytes: number) => number;
  /** Rejects with a refusal once the sender may not go on. */
  readonly mayGoOn: () => Promise<unknown>;
}

/** Calls `tooSlow` when the body comes slower than it may. Call the result to end the checks. */
function keepPace(
  pace: BodyPace,
  size: () => number,
  pause: Pause,
  tooSlow: () => void,
): () => void {
  const startedAt = performance.now();
  let lastSize = 0;
  const look = (): void => {
    const isLate = performance.now() - startedAt >= pace.wholeMs;
    // While reading is paused the process itself causes the delay, so the sender is not late.
    if (isLate || (!pause.isOn && size() - lastSize < pace.bytesPerWindow)) tooSlow();
    lastSize = size();
  };
  // After a busy stretch timers run first. `setImmediate` lets waiting bytes be read before the check.
  const timer = setInterval(() => setImmediate(look), pace.windowMs);
  return () => clearInterval(timer);
}

/**
 * Gives the body to `take`, piece by piece, and resolves at its end. Refuses with `payload_too_large` past the limit,
 * with `request_timeout` when it comes too slowly, with what `mayGoOn` refuses, and with any error that `take` throws. After a refusal the rest is
 * read and dropped: closing the socket at once would lose the answer on its way to the client.
 */
export function readBody(
  request: IncomingMessage,
  { limitBytes, mayGoOn, pace, pauseAfter }: BodyBounds,
  take: (piece: Buffer) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let size = 0;
  let pieces = 0;
  let isOver = false;
  const end = (settle: () => void): void => {
    isOver = true;
    stopLooking();
    stopWatching();
    request.off('data', keep);
    pause.end();
    settle();
  };
  const refuse = (error: unknown): void => end(() => reject(error));
  const pause = new Pause(request);
  const stopLooking = keepPace(
    pace,
    () => size,
    pause,
    () => refuse(new Refusal('request_timeout')),
  );
  const stopWatching = watchCaller(mayGoOn, refuse);
  const keep = (piece: Buffer): void => {
    size += piece.length;
    pieces += 1;
    if (size > limitBytes) return refuse(new Refusal('payload_too_large'));
    if (pieces > MOST_FREE_PIECES + size / LEAST_PIECE_BYTES) {
      return refuse(new Refusal('request_timeout'));
    }
    try {
      take(piece);
      pause.begin(pauseAfter(piece.length));
    } catch (error) {
      refuse(error);
    }
  };
  request.on('data', keep);
  request.once('end', () => end(resolve));
  request.once('error', (cause) => refuse(new IncompleteBodyError('', { cause })));
  // `close` comes after `end` too. An error is made only when it is needed, because making one is expensive.
  request.once('close', () => {
    if (!isOver) refuse(new IncompleteBodyError());
  });
  return promise;
}
