import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until there is something to see, at most `ms`, then throws naming `what` was waited for. */
export async function until<T>(
  ms: number,
  what: string,
  look: () => Promise<T | null>,
): Promise<T> {
  const giveUpAt = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > giveUpAt) throw new Error(`${what}: not within ${ms} ms`);
    await sleep(200);
  }
}
