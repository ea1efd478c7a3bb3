/** Lets an event loop breathe in the middle of work that stays on it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Half of what an event loop may be held for. */
const LONGEST_SLICE_MS = 25;

/** To be awaited between pieces of work: lets others go first when the pieces since the last time took a slice. */
export function createPauses(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < LONGEST_SLICE_MS) return;
    await nextTurn();
    since = now();
  };
}
