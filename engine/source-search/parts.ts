/** How the parts of a source search run: each within its time, and each failure in the closed words. */
import { ModelFailure } from '../../domain/error-class.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import {
  indexFailureClass,
  type SourceFailureClass,
} from '../../domain/retrieval/source-status.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { PROBE_PATIENCE_MS } from '../retrieval/lexical.ts';
import { partWithin, reasonOf, type Deadline } from '../retrieval/deadline.ts';

/** A part that failed with a class that callers see. */
export class PartFailure extends Error {
  override readonly name = 'PartFailure';
  readonly failureClass: SourceFailureClass;

  constructor(failureClass: SourceFailureClass) {
    super(failureClass);
    this.failureClass = failureClass;
  }
}

/** What runs the parts of one search. */
export interface Parts {
  /** Milliseconds that a part has, if it begins now. */
  timeMs(): number;
  /**
   * The answer of a part that asks an index, or that works: embeds, checks texts. `share` is the share of a part's time that it may take.
   * @throws PartFailure; the signal's reason once it is aborted; any other error as it is.
   */
  ask<T>(
    of: 'index' | 'work',
    work: (signal: AbortSignal) => Promise<T>,
    share?: number,
  ): Promise<T>;
}

/**
 * Asks Qdrant, unless it was away a moment ago.
 * @throws PartFailure as `ask` does.
 */
export async function askPoints<T>(
  gate: IndexGate,
  parts: Parts,
  work: (signal: AbortSignal) => Promise<T>,
  share = 1,
): Promise<T> {
  if (!(await gate.opensWithin(Math.min(PROBE_PATIENCE_MS, parts.timeMs())))) {
    throw new PartFailure('index_away');
  }
  try {
    return await parts.ask('index', work, share);
  } catch (error) {
    const isAway = error instanceof PartFailure && error.failureClass !== 'index_refused';
    if (isAway) gate.close();
    throw error;
  }
}

/** The class of a failure; null if callers do not see its class. */
function classOf(of: 'index' | 'work', error: unknown): SourceFailureClass | null {
  if (error instanceof IndexFailure) return indexFailureClass(error.reason);
  if (error instanceof ModelFailure) return error.errorClass;
  if (reasonOf(error) !== 'timeout') return null;
  return of === 'index' ? 'index_timeout' : 'request_timeout';
}

export function startParts(deadline: Deadline, partMs: number, signal: AbortSignal): Parts {
  const timeMs = (): number => Math.min(partMs, deadline.remainingMs() ?? partMs);
  return {
    timeMs,
    async ask(of, work, share = 1) {
      try {
        return await partWithin(timeMs() * share, signal, work);
      } catch (error) {
        signal.throwIfAborted();
        const failureClass = classOf(of, error);
        if (failureClass === null) throw error;
        throw new PartFailure(failureClass);
      }
    },
  };
}
