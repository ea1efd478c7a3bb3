/** Waits until the service has nothing left to do: all messages extracted, all runs ended, both indexes written. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const depth = z.object({
  available: z.number(),
  scheduled: z.number(),
  executing: z.number(),
  retryable: z.number(),
});
const readiness = z.object({
  checks: z.object({
    queues: z.object({
      depths: z.object({ ingest: depth, projection: depth, governance: depth }).partial(),
    }),
  }),
});

const PAUSE_MS = 250;
const REQUEST_TIMEOUT_MS = 30_000;
/** Work that is handed from one queue to the other may be in none at one instant. */
const QUIET_READS = 2;

/** How much work a readiness report shows; null where it could not be counted. */
export function waiting(report: unknown): number | null {
  const { governance, ingest, projection } = readiness.parse(report).checks.queues.depths;
  if (ingest === undefined || projection === undefined || governance === undefined) return null;
  return [ingest, projection, governance]
    .flatMap((queue) => Object.values(queue))
    .reduce((sum, count) => sum + count, 0);
}

/** Throws when there is still work after `patienceMs`. */
export async function untilIndexed(baseUrl: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let quiet = 0;
  while (quiet < QUIET_READS) {
    if (performance.now() > deadline) throw new Error('the indexes were not written in time');
    await sleep(PAUSE_MS);
    const response = await fetch(`${baseUrl}/api/ready`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    quiet = waiting(await response.json()) === 0 ? quiet + 1 : 0;
  }
}
