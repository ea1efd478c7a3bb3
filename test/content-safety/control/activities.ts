/** Activities that let a text out in every way there is. Test code only. */
import { ApplicationFailure, Context, heartbeat, log, sleep } from '@temporalio/activity';
import { leakText, type Leak } from './leaks.ts';

function text(leak: Leak): string {
  return leakText(Context.current().info.taskQueue, leak);
}

export const leakyActivities = {
  async takesText(): Promise<void> {},

  async throwsError(): Promise<void> {
    throw new Error(text('activity_error'));
  },

  async throwsErrorWithCode(): Promise<void> {
    throw Object.assign(new Error('INTERNAL'), { code: text('activity_error_code') });
  },

  async throwsObject(): Promise<void> {
    const thrown: unknown = {
      code: text('activity_object'),
      message: text('activity_object'),
      constructor: { name: text('activity_object') },
    };
    throw thrown;
  },

  async throwsFailure(): Promise<void> {
    throw ApplicationFailure.create({
      message: text('activity_failure_message'),
      type: text('activity_failure_type'),
      details: [text('activity_failure_details')],
      cause: new Error(text('activity_failure_cause')),
    });
  },

  /** Tried again and again: what it last failed with is shown meanwhile. */
  async failsAndIsRetried(): Promise<void> {
    throw new Error(text('activity_last_failure'));
  },

  async returnsText(): Promise<string> {
    return text('activity_result');
  },

  async heartbeatsText(): Promise<void> {
    heartbeat(text('activity_heartbeat'));
    await sleep('30s');
  },

  async logsText(): Promise<void> {
    log.warn(text('activity_log_message'), { note: text('activity_log_field') });
  },
};
