/** Upper bounds of the histograms, in seconds. One place, so that panels over several of them line up. */

/** Requests and drains: from a probe's answer to a long poll's end. */
export const SLOW_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** Parts of a search, whose whole deadline is 0.1 to 1.5 s. */
export const FAST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 3,
] as const;

/** Lateness of the event loop: 0.05 is what no work may take, 0.25 what a caller notices. */
export const LAG_SECONDS = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** Milliseconds as seconds; what no clock could have measured counts as 0, since an observer must not throw. */
export function seconds(durationMs: number): number {
  return Number.isFinite(durationMs) && durationMs > 0 ? durationMs / 1000 : 0;
}

/** What a counter may grow by: a finite number above 0, or 0. */
export function growth(amount: number): number {
  return Number.isFinite(amount) && amount > 0 ? amount : 0;
}

/** The word itself when the list holds it, else `other`: a label never takes a value from outside. */
export function wordOf(list: readonly string[], word: string): string {
  return list.includes(word) ? word : 'other';
}
