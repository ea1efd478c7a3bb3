/** A workflow interceptor for tests: an idle minute passes in a moment. */
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const LONGEST_MS = 400;

export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      startTimer: (input, next) =>
        next({ ...input, durationMs: Math.min(input.durationMs, LONGEST_MS) }),
    },
  ],
});
