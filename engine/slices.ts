/** Lets other tasks of an event loop run in the middle of work that stays on it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Half of the time that an event loop may be held. */
const LONGEST_SLICE_MS = 25;

/** To be awaited between pieces of work: lets other tasks run when the pieces since the last pause took a slice. */
export function createPauses(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < LONGEST_SLICE_MS) return;
    await nextTurn();
    since = now();
  };
}

/** Runs short tasks one after the other, with a turn of the event loop for others whenever they took a slice. */
export function createShortTasks(): <T>(task: () => Promise<T>) => Promise<T> {
  const pause = createPauses();
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    // Only the task's own caller gets its error.
    last = done.catch(() => undefined).then(pause);
    return done;
  };
}
