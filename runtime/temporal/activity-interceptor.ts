/**
 * Wraps every activity. It must be the innermost interceptor, so that whatever stands around it (the SDK's own
 * log of failures, tracing) sees the safe error only.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { failureCode, safeFailure } from '../../activities/failure.ts';
import { errorFields, type Log } from '../logger.ts';

export function createSafeErrors(log: Log, lane: string): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        log.warn('activity.failed', { lane, failure: failureCode(error), ...errorFields(error) });
        throw safeFailure(error);
      }
    },
  };
}
