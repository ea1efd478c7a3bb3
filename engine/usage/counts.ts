/**
 * What a process counts for accounts without a row for each: requests, and calls of the built-in embedder. The counts
 * are taken every ten seconds and written together; a killed process loses those of the last seconds.
 */
import type {
  CountsOfAccount,
  UnrecordedCalls,
} from '../../stores/postgres/models/usage-rollup.store.ts';
import type { UnrecordedCall } from '../models/observer.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type CountedCalls = Mutable<UnrecordedCalls>;

/** Accounts that are counted between two takes. Those that come after them are not: it bounds the memory while nothing can be written. */
const MOST_ACCOUNTS = 10_000;
/** A process embeds with one model; more keys can only be a defect. */
const MOST_KEYS = 16;

export interface UsageCounts {
  request(accountId: string): void;
  call(call: UnrecordedCall): void;
  /** All counts so far, which begin anew. */
  take(): ReadonlyMap<string, CountsOfAccount>;
  /** Adds counts of an account that could not be written. */
  giveBack(accountId: string, counts: CountsOfAccount): void;
}

/** Counts of a process. Every method returns at once. */
export function createUsageCounts(): UsageCounts {
  let counted = new Map<string, { requests: number; calls: CountedCalls[] }>();

  const of = (accountId: string) => {
    const found = counted.get(accountId);
    if (found !== undefined) return found;
    if (counted.size >= MOST_ACCOUNTS) return null;
    const made = { requests: 0, calls: [] };
    counted.set(accountId, made);
    return made;
  };

  const add = (accountId: string, more: CountedCalls): void => {
    const calls = of(accountId)?.calls;
    const known = calls?.find(
      ({ role, provider, model }) =>
        role === more.role && provider === more.provider && model === more.model,
    );
    if (known === undefined) {
      if (calls !== undefined && calls.length < MOST_KEYS) calls.push({ ...more });
      return;
    }
    known.calls += more.calls;
    known.errors += more.errors;
    known.unmetered += more.unmetered;
    known.durationMs += more.durationMs;
  };

  const addRequests = (accountId: string, requests: number): void => {
    const found = of(accountId);
    if (found !== null) found.requests += requests;
  };

  return {
    request: (accountId) => addRequests(accountId, 1),
    call({ accountId, durationMs, failed, metered, model, provider, role }) {
      const counts = { calls: 1, errors: failed ? 1 : 0, unmetered: metered ? 0 : 1, durationMs };
      add(accountId, { role, provider, model, ...counts });
    },
    take() {
      const taken = counted;
      counted = new Map();
      return taken;
    },
    giveBack(accountId, { calls, requests }) {
      addRequests(accountId, requests);
      for (const each of calls) add(accountId, each);
    },
  };
}
