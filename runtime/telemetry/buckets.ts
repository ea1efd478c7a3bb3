/** Upper bounds of the histograms, in seconds. One place, so that panels over several of them line up. */

/** Requests and drains: from the answer to a probe up to the end of a long poll. */
export const SLOW_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** Parts of a search; a whole search has a deadline of 0.1 to 1.5 s. */
export const FAST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 3,
] as const;

/** Lateness of the event loop: no piece of work may hold it for 0.05, and a caller notices 0.25. */
export const LAG_SECONDS = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** Milliseconds as seconds. A negative or infinite duration counts as 0, because an observer must not throw. */
export function seconds(durationMs: number): number {
  return Number.isFinite(durationMs) && durationMs > 0 ? durationMs / 1000 : 0;
}

/** The amount as a growth of a counter: a finite number above 0, or 0. */
export function growth(amount: number): number {
  return Number.isFinite(amount) && amount > 0 ? amount : 0;
}

/** The word itself when the list holds it, else `other`: a label never takes a value from outside. */
export function wordOf(list: readonly string[], word: string): string {
  return list.includes(word) ? word : 'other';
}
