/** Tells the profile of the run what the start of a service costs (test/runner/profile.mjs). */
const STARTING = Symbol.for('vouch.test-profile.starting');

/** Runs `start`; its cost is booked as that of starting a service where a profile is kept. */
export function asStarting<T>(start: () => Promise<T>): Promise<T> {
  const book: unknown = Reflect.get(globalThis, STARTING);
  return typeof book === 'function' ? (book(start) as Promise<T>) : start();
}
