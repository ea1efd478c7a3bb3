/** Failures of a call that no provider caused. */
import { ModelFailure } from '../../domain/error-class.ts';
import { OffloadFailure } from '../offload-failure.ts';

/**
 * What an error of our own work means for a call: work on a text that ran out of its time is late, which says something of
 * the machine and is tried again; anything else is a defect of this service. A failure of a model stays what it is.
 */
export function ownFailure(cause: unknown): ModelFailure {
  if (cause instanceof ModelFailure) return cause;
  const isLate = cause instanceof OffloadFailure && cause.reason === 'timeout';
  return new ModelFailure(isLate ? 'request_timeout' : 'internal_error', { cause, isOurs: true });
}
