/**
 * Wraps every activity. It must be the innermost interceptor, so that everything around it (the SDK's own log of
 * failures, tracing) sees the safe error only.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { failureCode, safeFailure } from '../../activities/failure.ts';
import type { Lane } from '../../domain/actors/names.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

/** Called with the code of every activity that failed, one of `FAILURE_CODES`. Must not throw. */
export type OnActivityFailure = (lane: Lane, code: string) => void;

export function createSafeErrors(
  log: Log,
  lane: Lane,
  onFailure?: OnActivityFailure,
): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const failure = failureCode(error);
        onFailure?.(lane, failure);
        log.warn('activity.failed', { lane, failure, ...errorFields(error) });
        throw safeFailure(error);
      }
    },
  };
}
