/** A second try for tests whose processes die on purpose, and whose machine may be too slow for one of the deaths. */
import { jest } from '@jest/globals';

/**
 * Gives each test of the file a second try. What passed only then is printed, and three such tests make a run red
 * (test/runner/flaky-reporter.mjs). Only for files under `test/fault`, and only where a test makes everything that it
 * looks at itself: one that goes on from what the test before it left finds something else at its second try.
 */
export function triedAgain(): void {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
