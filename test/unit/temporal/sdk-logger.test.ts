import { expect, test } from '@jest/globals';
import { createSdkLogger } from '../../../runtime/temporal/sdk-logger.ts';
import type { LogFields } from '../../../engine/logging/logger.ts';

const CANARY = 'Anna moved to Lisbon';

test('log lines of the SDK keep only known sentences, ids, names and codes', () => {
  const lines: [string, LogFields | undefined][] = [];
  const keep = (event: string, fields?: LogFields): void => {
    lines.push([event, fields]);
  };
  const logger = createSdkLogger({ info: keep, warn: keep, error: keep });
  const workflowId = 'ingest/0199b2f0-7a10-7cc2-a5d6-0123456789ab/3';
  const error = Object.assign(new TypeError(CANARY), { code: 'ECONNRESET', stack: CANARY });
  logger.warn('Activity failed', { error, workflowId, activityType: 'drainMailbox', attempt: 2 });
  logger.error(CANARY, { workflowId: CANARY, runId: CANARY, note: CANARY, error: CANARY });
  logger.log('INFO', CANARY);
  logger.debug(CANARY);
  expect(lines).toEqual([
    [
      'temporal.activity_failed',
      { workflowId, activityType: 'drainMailbox', error: 'TypeError', code: 'ECONNRESET' },
    ],
    ['temporal.message', { error: 'non_error' }],
  ]);
});
