/**
 * Whether an index is worth waiting for. After one call without an answer, no caller waits for the index until a
 * probe has succeeded. Probes run beside the work, at most one per interval, and only while callers ask.
 */
import { within } from '../async.ts';

export type IndexGate = ReturnType<typeof createIndexGate>;

/** `now` is in monotonic milliseconds. */
export function createIndexGate(options: {
  /** Asks the index something small; the signal ends it. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly probeIntervalMs?: number;
}) {
  const interval = options.probeIntervalMs ?? 1000;
  let closed = false;
  let lastProbeAt = 0;
  let probing: Promise<void> = Promise.resolve();

  const probe = async (signal: AbortSignal): Promise<void> => {
    try {
      await options.probe(signal);
      closed = false;
    } catch {
      // Still away; the next question after the interval probes again.
    }
  };

  /** Starts a probe if it is time for one; answers how it is ended, null when none was started. */
  const startProbe = (): AbortController | null => {
    if (options.now() - lastProbeAt < interval) return null;
    lastProbeAt = options.now();
    const over = new AbortController();
    probing = probe(over.signal);
    return over;
  };

  return {
    /** False after a failure, until a probe succeeds. Asking may start a probe; it never waits for it. */
    isOpen(): boolean {
      if (closed) startProbe();
      return !closed;
    },
    /**
     * Like `isOpen`, but gives a running probe `patienceMs` to open the gate. A probe that was started for this question
     * ends with it, and with nothing else: a caller who leaves must not keep the gate closed for others.
     */
    async opensWithin(patienceMs: number): Promise<boolean> {
      if (!closed) return true;
      const own = startProbe();
      await within(patienceMs, probing, () => undefined);
      own?.abort();
      return !closed;
    },
    /** The index did not answer. */
    close(): void {
      closed = true;
      lastProbeAt = options.now();
    },
    /** The index answered. */
    open(): void {
      closed = false;
    },
  };
}
