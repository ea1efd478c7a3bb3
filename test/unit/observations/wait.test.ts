import { expect, test } from '@jest/globals';
import { readIngestStatus } from '../../../operations/observations/status.ts';

test.each([
  [undefined, 0],
  [null, 0],
  [-5, 0],
  [300.9, 300],
  [10_000, 10_000],
  [600_000, 10_000],
])('a wait of %j is %i ms', (wait_ms, waited) => {
  const input = { message_id: '018f0000-0000-7000-8000-000000000001', wait_ms };
  expect(readIngestStatus.input.parse(input).wait_ms).toBe(waited);
});
