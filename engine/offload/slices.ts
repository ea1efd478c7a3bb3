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

/** Has short tasks done one after the other, with a turn of the event loop for others whenever they took a slice of it. */
export function createShortTasks(): <T>(task: () => Promise<T>) => Promise<T> {
  const pause = createPauses();
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    // What one task throws is its own caller's.
    last = done.catch(() => undefined).then(pause);
    return done;
  };
}
