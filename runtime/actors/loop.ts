/** Repeats a pass in the background of a process, never two at a time. */

export interface LoopOptions {
  /** One pass. It must not throw. */
  readonly pass: () => Promise<void>;
  /** Milliseconds until the next pass, asked after each. */
  readonly waitMs: () => number;
}

export function createLoop({ pass, waitMs }: LoopOptions) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;

  function next(ms: number): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      again = false;
      timer = undefined;
      running = pass().finally(() => {
        running = null;
        next(again ? 0 : waitMs());
      });
    }, ms);
  }

  return {
    /** Begins with a pass at once. */
    start: () => next(0),
    /** Begins the next pass at once, or as soon as a running one ends. Does nothing before `start`. */
    soon(): void {
      if (running !== null) again = true;
      else if (timer !== undefined) next(0);
    },
    /** Waits for a running pass; there is none afterwards. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
