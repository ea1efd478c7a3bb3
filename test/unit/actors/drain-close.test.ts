/** A drain that has said that it no longer looks never says again that it does. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runDrain, type DrainParts } from '../../../activities/drain.ts';

/** How often a drain says that it looks. */
const AWAKE_EVERY_MS = 5_000;
const ASKING_MS = 100;

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => void jest.useFakeTimers({ advanceTimers: false }));
afterEach(() => void jest.useRealTimers());

/** What is written of an empty mailbox whose drain lingers for so long, in order. */
async function writtenBy(lingersMs: number): Promise<readonly string[]> {
  const written: string[] = [];
  const parts: DrainParts = {
    mailboxes: {
      openDrain: () => Promise.resolve({ epoch: 1, paused: false }),
      async refreshAwake() {
        await later(3 * ASKING_MS);
        written.push('looks');
        return 'current';
      },
      async closeDrain() {
        await later(ASKING_MS);
        written.push('no longer looks');
      },
    },
    watcher: {
      waitForWork: async () => {
        await later(lingersMs);
        return false;
      },
    },
    stopping: new AbortController().signal,
    cancelled: new AbortController().signal,
    heartbeat() {},
    work: () => ({
      step: () => Promise.resolve(null),
      release: () => Promise.resolve(),
      nextDueInMs: () => Promise.resolve(null),
    }),
    onError() {},
    batchSize: 10,
    lingerMs: lingersMs,
  };
  const input = { accountId: 'a', shard: 0, maxMs: 3_600_000, maxUnits: 100 };
  const ended = runDrain('ingest', input, parts);
  await jest.advanceTimersByTimeAsync(lingersMs + 10 * ASKING_MS);
  await ended;
  await jest.advanceTimersByTimeAsync(10 * ASKING_MS);
  return written;
}

test.each([
  ['was asked whether it looks just before it closes', AWAKE_EVERY_MS + ASKING_MS / 2],
  ['would be asked while it closes', AWAKE_EVERY_MS - ASKING_MS / 2],
  ['would be asked just after it has closed', AWAKE_EVERY_MS - ASKING_MS - 1],
])('a drain that %s says last that it does not', async (_when, lingersMs) => {
  const written = await writtenBy(lingersMs);
  expect(written.at(-1)).toBe('no longer looks');
});
