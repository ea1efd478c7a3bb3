/** Waiting for what happens in its own time: until it has, or until it is plain that it never will. */
import { setTimeout as sleep } from 'node:timers/promises';

/** After so many milliseconds something hangs. A busy machine is slow, and still nowhere near it. */
export const HANGS_MS = 180_000;

/** A test or hook that starts, stops or loses servers hangs after so many: an idle machine takes a fiftieth. */
export const SERVERS_MS = 600_000;

const PAUSE_MS = 10;

type Answer<T> = T | null | undefined | false;
export type Ready<T> = Promise<Answer<T>> | Answer<T>;

/** The first answer of `ready` that says something. Throws once it is plain that none will come. */
export async function eventually<T>(ready: () => Ready<T>, hangsMs = HANGS_MS): Promise<T> {
  const giveUpAt = performance.now() + hangsMs;
  for (;;) {
    const value = await ready();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > giveUpAt) throw new Error(`did not happen within ${hangsMs} ms`);
    await sleep(PAUSE_MS);
  }
}
