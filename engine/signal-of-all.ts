/** A signal for work that several share: it ends when none of them wants it any more. */

/** Runs `work` with a signal that is aborted once all of `signals` are. */
export async function withSignalOfAll<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const different = [...new Set(signals)];
  const [only] = different;
  if (different.length === 1 && only !== undefined) return work(only);
  const all = new AbortController();
  const over = new AbortController();
  const look = (): void => {
    if (different.every(({ aborted }) => aborted)) all.abort(only?.reason);
  };
  for (const signal of different) signal.addEventListener('abort', look, { signal: over.signal });
  look();
  try {
    return await work(all.signal);
  } finally {
    over.abort();
  }
}
