/**
 * Watches that the caller of a request may go on, while the request waits or sends its body. Both may take minutes, and
 * a caller whose credential ended meanwhile should neither hold a place nor learn only then.
 */
import { Refusal } from '../domain/errors.ts';

/** How often it is asked, in milliseconds: a look-up in memory, for as long as the authenticator remembers. */
const LOOK_MS = 500;

/**
 * Calls `ended` with the refusal when `check` refuses; then it looks no more. A failure to find out is no refusal: the
 * request is checked once more before it runs. Call the result to end the watch.
 */
export function watchCaller(
  check: () => Promise<unknown>,
  ended: (refusal: Refusal) => void,
): () => void {
  let isAsking = false;
  const look = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      await check();
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'unavailable') {
        clearInterval(timer);
        ended(error);
      }
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}
