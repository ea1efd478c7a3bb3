import { setTimeout as sleep } from 'node:timers/promises';

/** Looks every few milliseconds until `look` says yes; answers how long that took. Throws when time is up. */
export async function until(
  what: string,
  withinMs: number,
  look: () => Promise<boolean>,
  everyMs = 25,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await look())) {
    if (performance.now() - startedAt > withinMs) {
      throw new Error(`not within ${withinMs} ms: ${what}`);
    }
    await sleep(everyMs);
  }
  return performance.now() - startedAt;
}
