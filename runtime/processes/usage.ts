/**
 * The loop that keeps the figures of what accounts used: writes what the process has counted, then folds what waits. It
 * needs Postgres alone, and every process that answers or works has one, so that the figures follow whichever of them runs.
 */
import type { UsageUpkeep } from '../../engine/usage/upkeep.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import { createLoop } from '../actors/loop.ts';

const INTERVAL_MS = 10_000;

/** Starts with a pass at once. `close` ends a running pass between two transactions, and waits for it. */
export function startUsage({ usage, log }: { readonly usage: UsageUpkeep; readonly log: Log }): {
  close(): Promise<void>;
} {
  const stopping = new AbortController();
  const loop = createLoop({
    async pass() {
      try {
        await usage.flush();
        await usage.fold(stopping.signal);
      } catch (error) {
        log.warn('usage.pass_failed', errorFields(error));
      }
    },
    waitMs: () => INTERVAL_MS,
  });
  loop.start();
  return {
    async close() {
      stopping.abort();
      await loop.close();
    },
  };
}
