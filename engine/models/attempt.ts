/**
 * One call to a provider with its ledger row: reserve, dispatch, perform, finish.
 *
 * The row is written before the call and always finished after it, whatever happened: success, an answer
 * that cannot be used, a failure, the role's timeout, the deadline of its budget or the caller's cancellation.
 * The semaphore is taken before the row is written, so that a cancelled backlog leaves neither calls nor rows.
 */
import { usdMicrosOf, type BudgetTerms } from '../../domain/models/budget.ts';
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import type {
  AttemptOutcome,
  AttemptReservation,
  ProviderLedger,
  Reserved,
} from '../../domain/models/ledger.ts';
import { NO_USAGE, type TokenUsage } from '../../domain/models/usage.ts';
import type { AttemptEvent, ModelObserver } from './observer.ts';
import { ownFailure } from './own-failure.ts';

/** The answer of a call. An `errorClass` marks the row as failed although there is a value to look at. */
export interface Performed<T> {
  readonly value: T;
  readonly usage: TokenUsage;
  /** Whether the usage is the provider's own report. */
  readonly metered: boolean;
  readonly errorClass: ErrorClass | null;
}

export type PriceMicros = (attempt: AttemptReservation, usage: TokenUsage) => number | null;

export interface AttemptEnvironment {
  readonly ledger: ProviderLedger;
  /** Monotonic milliseconds, for durations. */
  readonly now: () => number;
  /** Cost of a metered call in micro-USD; null when the model has no known rate. */
  readonly priceMicros: PriceMicros;
  /** Told of every attempt that has ended and has its row. */
  readonly observer: ModelObserver | undefined;
}

/**
 * Performs one call under its ledger row.
 * @param timeoutMs limit of the call itself; null for calls that cannot hang.
 * @throws ModelFailure with the class of the failure, or the signal's reason after a cancellation; whatever
 * the ledger throws passes unchanged.
 */
export async function runAttempt<T>(
  environment: AttemptEnvironment,
  attempt: AttemptReservation,
  signal: AbortSignal,
  timeoutMs: number | null,
  perform: (signal: AbortSignal) => Promise<Performed<T>>,
): Promise<Performed<T>> {
  const { ledger, now } = environment;
  signal.throwIfAborted();
  const { id, budget } = await reserved(environment, attempt);
  const reservedAt = now();
  if (!attempt.dispatch && !signal.aborted) await ledger.dispatched(id, attempt.accountId);

  const started = now();
  const settled = await settle(signal, limitOf(timeoutMs, budget, started - reservedAt), perform);
  const durationMs = Math.max(0, Math.round(now() - started));
  const { status, errorClass, metered, usage } = settled;
  const priceOf = budget === null ? environment.priceMicros : () => usdMicrosOf(usage, budget);
  const usdMicros = metered ? priceOf(attempt, usage) : null;
  const outcome: AttemptOutcome = { status, errorClass, metered, ...usage, durationMs, usdMicros };
  await ledger.finish(id, outcome, attempt.accountId);
  return told(environment, attempt, settled, durationMs);
}

/**
 * Performs one call in process without a row: for calls that cost nothing, that no budget governs and that nothing waits for.
 * The observer is told of it as of any other.
 * @throws ModelFailure or the signal's reason, as `runAttempt` does.
 */
export async function runUnrecorded<T>(
  environment: Omit<AttemptEnvironment, 'ledger' | 'priceMicros'>,
  attempt: AttemptFacts,
  signal: AbortSignal,
  perform: (signal: AbortSignal) => Promise<Performed<T>>,
): Promise<Performed<T>> {
  const { now } = environment;
  const started = now();
  const settled = await settle(signal, null, perform);
  return told(environment, attempt, settled, Math.max(0, Math.round(now() - started)));
}

/** Reserves the row. The observer is told of a refusal, after which there is no call. */
async function reserved(
  { ledger, observer }: Pick<AttemptEnvironment, 'ledger' | 'observer'>,
  attempt: AttemptReservation,
): Promise<Reserved> {
  try {
    return await ledger.reserve(attempt);
  } catch (error) {
    if (error instanceof ModelFailure) {
      const { accountId, role } = attempt;
      observer?.refused({ accountId, role, errorClass: error.errorClass });
    }
    throw error;
  }
}

/** The report to the observer about a call that is about to begin. */
type AttemptFacts = Pick<AttemptReservation, 'role' | 'identity' | 'anchorMessageIds'>;

/** Tells the observer how the call ended, then answers or throws what it came to. */
function told<T>(
  { observer }: Pick<AttemptEnvironment, 'observer'>,
  { anchorMessageIds, identity, role }: AttemptFacts,
  { error, errorClass, metered, performed, status, usage }: Settled<T>,
  durationMs: number,
): Performed<T> {
  observer?.attempt({
    role,
    provider: identity.provider,
    status,
    errorClass,
    durationMs,
    anchors: anchorMessageIds.length,
    tokens: metered ? tokensOf(usage) : null,
  });
  if (performed === null) throw error;
  return performed;
}

/** How long a call may take, and the class of its failure when it takes longer. */
interface Limit {
  readonly ms: number;
  readonly errorClass: 'request_timeout' | 'extraction_budget_exhausted';
}

/** The nearer of the role's limit and the budget's deadline, of which `sinceMs` have passed; null without either. */
function limitOf(
  timeoutMs: number | null,
  budget: BudgetTerms | null,
  sinceMs: number,
): Limit | null {
  const role: Limit | null =
    timeoutMs === null ? null : { ms: timeoutMs, errorClass: 'request_timeout' };
  if (budget === null) return role;
  const leftMs = Math.max(0, Math.floor(budget.leftMs - sinceMs));
  if (role !== null && role.ms < leftMs) return role;
  return { ms: leftMs, errorClass: 'extraction_budget_exhausted' };
}

function tokensOf(usage: TokenUsage): AttemptEvent['tokens'] {
  return {
    input: (usage.inputTokens ?? 0) + (usage.rerankerTokens ?? 0),
    output: usage.outputTokens ?? 0,
    embedding: usage.embeddingTokens ?? 0,
  };
}

/**
 * The reason of a signal of a caller that waited as long as may be asked of a provider. A call that it ends counts as
 * one that was too slow; a call that another reason ends was cancelled, which says nothing of the provider.
 */
export class WaitedLongEnough extends Error {
  override readonly name = 'WaitedLongEnough';
}

interface Settled<T> extends Pick<AttemptOutcome, 'status' | 'errorClass' | 'metered'> {
  readonly usage: TokenUsage;
  readonly performed: Performed<T> | null;
  readonly error: unknown;
}

/** Turns every way a call can end into an outcome, so that the row is finished in one place. */
async function settle<T>(
  signal: AbortSignal,
  limit: Limit | null,
  perform: (signal: AbortSignal) => Promise<Performed<T>>,
): Promise<Settled<T>> {
  const timeout = limit === null ? null : AbortSignal.timeout(limit.ms);
  let begun = false;
  try {
    signal.throwIfAborted();
    begun = true;
    const performed = await perform(timeout === null ? signal : AbortSignal.any([signal, timeout]));
    const { errorClass, metered, usage } = performed;
    const status = errorClass === null ? 'success' : 'error';
    return { status, errorClass, metered, usage, performed, error: null };
  } catch (error) {
    const unmetered = { metered: false, usage: NO_USAGE, performed: null };
    const wasSlow = begun && signal.reason instanceof WaitedLongEnough;
    if (signal.aborted && !wasSlow) {
      return { ...unmetered, status: 'cancelled', errorClass: null, error: signal.reason };
    }
    const isOver = timeout?.aborted === true;
    const failure = wasSlow
      ? new ModelFailure('request_timeout')
      : failureOf(error, isOver ? limit : null);
    const { errorClass } = failure;
    const status = isOver || errorClass === 'request_timeout' ? 'timeout' : 'error';
    return { ...unmetered, status, errorClass, error: failure };
  }
}

/** What ended a call: the limit that was reached, or else its error. */
function failureOf(error: unknown, reached: Limit | null): ModelFailure {
  // Providers throw ModelFailures only.
  return reached === null ? ownFailure(error) : new ModelFailure(reached.errorClass);
}
