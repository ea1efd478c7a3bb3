/**
 * A pace for bytes that have come already: whoever sent more than it may is not read again for as long as the surplus
 * takes at its rate. This is the generic cell rate algorithm (ITU-T I.371) over bytes. Pure: the caller keeps the state
 * and says what time it is.
 */

export interface BytePace {
  readonly bytesPerSecond: number;
  /** Bytes that may come at once after a rest. */
  readonly freeBytes: number;
}

export interface Paced {
  /** When all that came has taken its time, in milliseconds of the caller's clock: the state to keep. */
  readonly doneAtMs: number;
  /** How long to read nothing, in milliseconds; 0 while the free bytes last. */
  readonly pauseMs: number;
}

/** Counts `bytes` that came at `nowMs`, after a state of `doneAtMs`; null where nothing came yet. */
export function pace(
  { bytesPerSecond, freeBytes }: BytePace,
  doneAtMs: number | null,
  bytes: number,
  nowMs: number,
): Paced {
  const takes = (count: number): number => (count * 1_000) / bytesPerSecond;
  const done = Math.max(doneAtMs ?? nowMs, nowMs) + takes(bytes);
  return { doneAtMs: done, pauseMs: Math.max(0, done - nowMs - takes(freeBytes)) };
}
