/**
 * Whether an account's commits look up statements that say the same. After a look-up without an answer in time they
 * pause, longer after each failure, so that an index which is slow for one account costs that account one wait in a
 * while, and other accounts none. After each pause one commit asks, and the others go on without until it has an
 * answer.
 */

/** The pause after a first failure; each further one doubles it. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** The most accounts that are remembered to be slow; a forgotten one may ask again. */
const MOST_SLOW_ACCOUNTS = 10_000;

interface Slow {
  readonly failures: number;
  readonly closedUntil: number;
  /** A commit asks now, to find out. */
  readonly isAsked: boolean;
}

/** `now` is in monotonic milliseconds. */
export function createLookUpGate(now: () => number) {
  /** The one that failed last stands last. */
  const slow = new Map<string, Slow>();
  return {
    /** Whether the account may ask now. A caller that may ask calls `answered` or `failed` when it knows. */
    mayAsk(accountId: string): boolean {
      const known = slow.get(accountId);
      if (known === undefined) return true;
      if (known.isAsked || now() < known.closedUntil) return false;
      slow.set(accountId, { ...known, isAsked: true });
      return true;
    },
    answered: (accountId: string) => void slow.delete(accountId),
    failed(accountId: string): void {
      const failures = (slow.get(accountId)?.failures ?? 0) + 1;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
      slow.delete(accountId);
      slow.set(accountId, { failures, closedUntil: now() + pause, isAsked: false });
      const [first] = slow.keys();
      if (slow.size > MOST_SLOW_ACCOUNTS && first !== undefined) slow.delete(first);
    },
  };
}
