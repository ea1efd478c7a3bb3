/**
 * A pace for bytes or requests that have come already: a sender of more than the pace allows waits for as long as the
 * surplus takes at its rate. This is the generic cell rate algorithm (ITU-T I.371). Pure: the caller keeps the state
 * and says what time it is.
 */

export interface Pace {
  readonly unitsPerSecond: number;
  /** Units that may come at once after a rest. */
  readonly freeUnits: number;
}

export interface Paced {
  /** When all that came has taken its time, in milliseconds of the caller's clock: the state to keep. */
  readonly doneAtMs: number;
  /** How long to wait, in milliseconds; 0 while the free units last. */
  readonly pauseMs: number;
}

/** Counts `units` that came at `nowMs`, after a state of `doneAtMs`; null where nothing came yet. */
export function pace(
  { unitsPerSecond, freeUnits }: Pace,
  doneAtMs: number | null,
  units: number,
  nowMs: number,
): Paced {
  const takes = (count: number): number => (count * 1_000) / unitsPerSecond;
  const done = Math.max(doneAtMs ?? nowMs, nowMs) + takes(units);
  return { doneAtMs: done, pauseMs: Math.max(0, done - nowMs - takes(freeUnits)) };
}
