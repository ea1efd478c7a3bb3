/** One reading of the database serves every scrape of the next seconds: many scrapes cost no more than one. */

/** Asks once and gives every caller the same answer until it is `ms` old. `now` is in monotonic milliseconds. */
export function keptFor<T>(ms: number, now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly askedAt: number } | null = null;
  return () => {
    if (kept === null || now() - kept.askedAt >= ms) kept = { answer: ask(), askedAt: now() };
    return kept.answer;
  };
}
