import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/errors.ts';
import { Pause } from './body-intake.ts';

/** The client closed the connection before its body was complete; nobody waits for the answer. */
export class IncompleteBodyError extends Error {
  override readonly name = 'IncompleteBodyError';
}

/** How slowly a body may come. */
export interface BodyPace {
  /** How often it is looked at, and how long it may take to begin, in milliseconds. */
  readonly windowMs: number;
  /** What must have come in each window. */
  readonly bytesPerWindow: number;
  /** To its end, in milliseconds. */
  readonly wholeMs: number;
}

/** How often the rate of a body is looked at, in milliseconds. */
export const BODY_WINDOW_MS = 5_000;
/** A kilobyte a second is less than the slowest of lines carries. */
export const LEAST_BODY_BYTES_PER_SECOND = 1_024;
export const LONGEST_BODY_MS = 60_000;
/** Of a body that holds one of few places. */
export const LEAST_LARGE_BODY_BYTES_PER_SECOND = 64 * 1_024;
export const LONGEST_LARGE_BODY_MS = 120_000;

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

/** Pieces that any body may come in; past them each has to bring bytes. */
const MOST_FREE_PIECES = 1_024;
/** A sender whose chunks hold a byte each costs a hundred times what its bytes do. */
export const LEAST_PIECE_BYTES = 16;

/** What a body may be. */
export interface BodyBounds {
  readonly limitBytes: number;
  readonly pace: BodyPace;
  /** For how many milliseconds nothing is read after so many bytes: see `BodyIntake`. */
  readonly pauseAfter: (bytes: number) => number;
}

/** Calls `tooSlow` once when the body comes slower than it may. Ends with what it answers. */
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
    // What is not read is nobody's delay but ours.
    if (isLate || (!pause.isOn && size() - lastSize < pace.bytesPerWindow)) tooSlow();
    lastSize = size();
  };
  // After a busy stretch timers come first: what waits to be read is read before it is missed.
  const timer = setInterval(() => setImmediate(look), pace.windowMs);
  return () => clearInterval(timer);
}

/**
 * Gives the body to `take`, piece by piece, and resolves at its end. Refuses with `payload_too_large` past the limit,
 * with `request_timeout` when it comes too slowly, and with whatever `take` throws. After a refusal it reads on without
 * keeping anything: closing the socket at once would lose the answer on its way to the client.
 */
export function readBody(
  request: IncomingMessage,
  { limitBytes, pace, pauseAfter }: BodyBounds,
  take: (piece: Buffer) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let size = 0;
  let pieces = 0;
  let isOver = false;
  const end = (settle: () => void): void => {
    isOver = true;
    stopLooking();
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
  // Every request is closed in the end; an error that nobody hears of is dear to make.
  request.once('close', () => {
    if (!isOver) refuse(new IncompleteBodyError());
  });
  return promise;
}
