/**
 * Whether an index is worth waiting for. After one call without an answer, no caller waits for the index until a
 * probe has succeeded. Probes run beside the work, at most one per interval, and only while callers ask.
 */
import { within } from '../async.ts';

export type IndexGate = ReturnType<typeof createIndexGate>;

/** `now` is in monotonic milliseconds. */
export function createIndexGate(options: {
  readonly probe: () => Promise<void>;
  readonly now: () => number;
  readonly probeIntervalMs?: number;
}) {
  const interval = options.probeIntervalMs ?? 1000;
  let closed = false;
  let lastProbeAt = 0;
  let probing: Promise<void> = Promise.resolve();

  const probe = async (): Promise<void> => {
    try {
      await options.probe();
      closed = false;
    } catch {
      // Still away; the next question after the interval probes again.
    }
  };

  /** False after a failure, until a probe succeeds. Asking may start a probe; it never waits for it. */
  const isOpen = (): boolean => {
    if (!closed) return true;
    if (options.now() - lastProbeAt >= interval) {
      lastProbeAt = options.now();
      probing = probe();
    }
    return false;
  };

  return {
    isOpen,
    /** Like `isOpen`, but gives a running probe `patienceMs` to open the gate. */
    async opensWithin(patienceMs: number): Promise<boolean> {
      if (isOpen()) return true;
      await within(patienceMs, probing, () => undefined);
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
