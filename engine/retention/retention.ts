/**
 * The retention: what is kept for a time only goes when that time is over. A pass goes over all accounts; a turn goes over
 * one of them for a while, page by page. Each page is a transaction, and a repeated one finds what it did gone.
 */
import { isAway } from '../../domain/availability.ts';
import {
  daysKept,
  FIRST_PLACE,
  placeAfter,
  type RetentionKind,
  type RetentionPlace,
  type RetentionPolicy,
} from '../../domain/retention/policy.ts';
import type { RetentionStore } from '../../stores/postgres/retention/retention.store.ts';
import { pause } from '../async.ts';

/** Told of each page that deleted something. */
export type OnPruned = (kind: RetentionKind, rows: number) => void;

export interface RetentionDeps {
  readonly store: Pick<RetentionStore, 'accountsAfter' | 'page' | 'tell' | 'completePass'>;
  readonly policy: RetentionPolicy;
  /** Told of a kind whose page failed. */
  readonly report: (kind: RetentionKind, error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface RetentionTurn {
  /** Rows that were deleted. */
  readonly rows: number;
  /** Kinds that were given up until the next pass. */
  readonly failed: number;
  /** Where the next turn goes on; null when the account is done. */
  readonly next: RetentionPlace | null;
}

export interface RetentionTurnInput {
  readonly accountId: string;
  /** Null at the beginning. */
  readonly place: RetentionPlace | null;
  readonly signal: AbortSignal;
  readonly onPruned: OnPruned;
}

export interface Retention {
  /** The ids of the next accounts; none after the last. */
  accountsAfter(afterId: string | null): Promise<readonly string[]>;
  /** One turn. Throws where Postgres does not answer; it may be repeated. */
  turn(input: RetentionTurnInput): Promise<RetentionTurn>;
  /** Writes down that the pass went over every account, `failed` of them not to the end. */
  completePass(failed: number): Promise<void>;
}

/** Rows that one transaction looks at: it lasts a fraction of a second, and its rows are nobody's to wait for. */
export const MOST_PRUNED_OF_A_PAGE = 10_000;
const ACCOUNTS_PER_PAGE = 50;
/** How long one turn lasts. */
const LONGEST_TURN_MS = 30_000;
/** After a page the database is left alone for as long as the page took, at most so long. */
const LONGEST_REST_MS = 2_000;

/** Goes over one account. */
async function turnOf(
  deps: RetentionDeps,
  { accountId, onPruned, place: from, signal }: RetentionTurnInput,
): Promise<RetentionTurn> {
  const { now = () => performance.now(), policy, report, rest = pause, store } = deps;
  const endsAt = now() + LONGEST_TURN_MS;
  let place: RetentionPlace | null = from ?? FIRST_PLACE;
  let [rows, failed] = [0, 0];
  while (place !== null) {
    if (signal.aborted || now() >= endsAt) return { rows, failed, next: place };
    const { kind }: RetentionPlace = place;
    const days = daysKept(policy, kind);
    if (days === null) {
      place = placeAfter(kind);
      continue;
    }
    const began = now();
    try {
      const page = await store.page({ accountId, place, days, limit: MOST_PRUNED_OF_A_PAGE });
      if (page.pruned > 0) onPruned(kind, page.pruned);
      rows += page.pruned;
      place = page.next ?? placeAfter(kind);
      if (page.next !== null) await rest(Math.min(now() - began, LONGEST_REST_MS), signal);
    } catch (error) {
      // A kind that fails holds up neither the other kinds nor the other accounts.
      if (isAway(error)) throw error;
      report(kind, error);
      failed += 1;
      place = placeAfter(kind);
    }
  }
  await store.tell(accountId);
  return { rows, failed, next: null };
}

export function createRetention(deps: RetentionDeps): Retention {
  return {
    accountsAfter: (afterId) => deps.store.accountsAfter(afterId, ACCOUNTS_PER_PAGE),
    turn: (input) => turnOf(deps, input),
    completePass: (failed) => deps.store.completePass(failed),
  };
}
