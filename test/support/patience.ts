/** Waiting for what happens in its own time: until it has, or until it is plain that it never will. */
import { setTimeout as sleep } from 'node:timers/promises';

/** After so many milliseconds something hangs. A busy machine is slow, and still nowhere near it. */
export const HANGS_MS = 60_000;

const PAUSE_MS = 10;

type Answer<T> = T | null | undefined | false;

/** The first answer of `ready` that says something. Throws once it is plain that none will come. */
export async function eventually<T>(ready: () => Promise<Answer<T>> | Answer<T>): Promise<T> {
  const giveUpAt = performance.now() + HANGS_MS;
  for (;;) {
    const value = await ready();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > giveUpAt) throw new Error(`did not happen within ${HANGS_MS} ms`);
    await sleep(PAUSE_MS);
  }
}
