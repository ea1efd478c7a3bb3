/** The deadline of a search, and how its parts are run within it. */
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import type { Component, ComponentOutcome, ReasonClass } from '../../domain/retrieval/outcomes.ts';
import { within } from '../async.ts';

export interface Deadline {
  /** Milliseconds left; null without a deadline. Never below 0. */
  remainingMs(): number | null;
  elapsedMs(): number;
}

/** A deadline `budgetMs` after it began, or from now on; null never ends. `now` is in monotonic milliseconds. */
export function startDeadline(
  now: () => number,
  budgetMs: number | null,
  startedAt = now(),
): Deadline {
  const elapsedMs = (): number => now() - startedAt;
  return {
    elapsedMs,
    remainingMs: () => (budgetMs === null ? null : Math.max(0, budgetMs - elapsedMs())),
  };
}

/**
 * How long a search waits for a part after it told the part to stop. A request to an index or a provider stops at once,
 * an SQL statement within a few milliseconds. Postgres itself ends a statement when this time is over, so that the part
 * is late and the search does not fail.
 */
const STOP_GRACE_MS = 100;

/**
 * How long, in milliseconds, an SQL query of a part may run: by the part's `timeoutMs` and the time that the deadline
 * leaves; null without a deadline. After that time the search no longer waits for the query.
 */
export function databaseTimeMs(deadline: Deadline, timeoutMs: number): number | null {
  const remaining = deadline.remainingMs();
  return remaining === null ? null : Math.min(timeoutMs, remaining) + STOP_GRACE_MS;
}

/** The time that one strategy may take of its search. */
export interface StrategyLimits {
  readonly timeoutMs: number;
  readonly reserveMs: number;
}

/** Milliseconds that a strategy has, if it begins now; null without a deadline, none or fewer when it is too late. */
export function strategyTimeMs(
  deadline: Deadline,
  { reserveMs, timeoutMs }: StrategyLimits,
): number | null {
  const remaining = deadline.remainingMs();
  return remaining === null ? null : Math.min(timeoutMs, remaining - reserveMs);
}

class TooLate extends Error {
  override readonly name = 'TooLate';
}

const LATE = Symbol('late');

/** Waits until parts that were told to stop have ended, but not for parts that do not stop. */
export async function stopped(parts: readonly unknown[]): Promise<void> {
  await within(STOP_GRACE_MS, Promise.allSettled(parts), () => undefined);
}

/**
 * The answer of a part, or `TooLate` after `timeoutMs` (null: no limit). The signal of the part is aborted then, for the
 * reason `why`, and the part has stopped before `TooLate` is thrown.
 */
export async function partWithin<T>(
  timeoutMs: number | null,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  why?: Error,
): Promise<T> {
  if (timeoutMs === null) return work(signal);
  const over = new AbortController();
  const part = work(AbortSignal.any([signal, over.signal]));
  const ended = await within(timeoutMs, part, () => LATE);
  if (ended !== LATE) return ended as T;
  over.abort(why);
  await stopped([part]);
  throw new TooLate();
}

type Answers<Works extends readonly ((signal: AbortSignal) => Promise<unknown>)[]> = {
  -readonly [Part in keyof Works]: Awaited<ReturnType<Works[Part]>>;
};

/**
 * The answers of parts that run side by side. When one of them fails, the signal of the others is aborted, and they
 * have stopped before its error is thrown.
 */
export async function partsTogether<
  Works extends readonly ((signal: AbortSignal) => Promise<unknown>)[] | [],
>(signal: AbortSignal, works: Works): Promise<Answers<Works>> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const parts = works.map((work) => work(either));
  try {
    return (await Promise.all(parts)) as Answers<Works>;
  } catch (error) {
    over.abort();
    await stopped(parts);
    throw error;
  }
}

/** Why a part failed, in the closed words; null when the error is none of them. */
export function reasonOf(error: unknown): ReasonClass | null {
  if (error instanceof TooLate) return 'timeout';
  if (error instanceof IndexFailure) {
    return error.reason === 'timeout' ? 'timeout' : 'dependency_unavailable';
  }
  if (error instanceof ModelFailure) {
    if (error.errorClass === 'request_timeout') return 'timeout';
    return error.errorClass === 'embedding_width_mismatch' ? 'invalid_result' : 'provider_error';
  }
  return null;
}

export interface Ran<T> {
  readonly outcome: ComponentOutcome;
  /** Null unless it completed. */
  readonly found: T | null;
}

interface Completed {
  /** Why the part completed with an incomplete result; null if the result is complete. */
  readonly reason: ReasonClass | null;
}

/**
 * Runs one strategy, or the reranker, within `timeoutMs` of its limits, and within what the deadline leaves after
 * `reserveMs`. A failure of an index or a provider drops it; any other error is thrown. Its signal is aborted for the
 * reason `why` when it is late.
 */
export async function runStrategy<T extends Completed>(
  component: Component,
  deadline: Deadline,
  limits: StrategyLimits,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T | 'not_applicable'>,
  why?: Error,
): Promise<Ran<T>> {
  const startedMs = deadline.elapsedMs();
  const ended = (
    status: ComponentOutcome['status'],
    reasonClass: ReasonClass | null,
  ): ComponentOutcome => ({
    component,
    status,
    reasonClass,
    elapsedMs: deadline.elapsedMs() - startedMs,
    budgetRemainingMs: deadline.remainingMs(),
  });
  const allowed = strategyTimeMs(deadline, limits);
  if (allowed !== null && allowed <= 0) {
    return { outcome: ended('dropped', 'deadline_exhausted_before_start'), found: null };
  }
  try {
    const found = await partWithin(allowed, signal, work, why);
    return found === 'not_applicable'
      ? { outcome: ended('not_applicable', 'applicability'), found: null }
      : { outcome: ended('completed', found.reason), found };
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === null) throw error;
    return { outcome: ended('dropped', reason), found: null };
  }
}
