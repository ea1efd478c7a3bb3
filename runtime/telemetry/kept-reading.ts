/** One reading of the database serves every scrape of the next seconds: many scrapes cost no more than one. */

const KEEP_MS = 5_000;

/** Asks once and gives every caller the same answer until it is five seconds old. `now` is in monotonic milliseconds. */
export function keptForScrapes<T>(now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly askedAt: number } | null = null;
  return () => {
    if (kept === null || now() - kept.askedAt >= KEEP_MS) kept = { answer: ask(), askedAt: now() };
    return kept.answer;
  };
}
