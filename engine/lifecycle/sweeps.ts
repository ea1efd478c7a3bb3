/**
 * Sweeps: what the clock changes, page by page, with the functions and under the locks of every other change. A turn sweeps
 * one account for a few seconds; a workflow gives turns to the accounts in which something is due.
 *
 * A page that fails, or that a dead process left, is done once more statement by statement. A statement that fails alone
 * is set aside, and its neighbours go on.
 */
import { isAway } from '../../domain/availability.ts';
import type { Mailbox } from '../../domain/actors/names.ts';
import {
  SWEEP_KINDS,
  type LifecycleCounts,
  type SweepKind,
} from '../../domain/governance/sweeps.ts';
import { planSweep } from '../../domain/knowledge/planning.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type {
  SweepsStore,
  SweepState,
  SweepWork,
} from '../../stores/postgres/sweeps/sweeps.store.ts';
import { planContext } from '../knowledge/context.ts';
import { commitRows } from '../knowledge/rows.ts';

export interface SweepsDeps {
  readonly store: SweepsStore;
  readonly newId: () => string;
  /** Called after a commit that the indexes must hear of; returns at once. */
  readonly ring: (mailbox: Mailbox) => void;
  /** How many mailboxes of marks an account has. */
  readonly shards: number;
  /** Told of a page or a statement that failed. */
  readonly report: (what: 'page' | 'statement', kind: SweepKind, error: unknown) => void;
  /** What time it is, ISO 8601 UTC; left out for the clock of the database. */
  readonly clock?: () => string;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface SweepTurn extends LifecycleCounts {
  /** Something is due still. */
  readonly more: boolean;
}

export interface Sweeps {
  /** One turn; it ends after the present pages when the signal is aborted. Throws where Postgres does not answer. */
  turn(accountId: string, signal: AbortSignal): Promise<SweepTurn>;
  /** Accounts in which something is due, among the next ones after `afterId`; `nextAfterId` is null after the last. */
  accountsDue(afterId: string | null): Promise<{
    readonly accountIds: readonly string[];
    readonly nextAfterId: string | null;
  }>;
  /** Writes down that nothing is due any more but in `failed` accounts. */
  completePass(failed: number): Promise<void>;
}

/** Statements that one transaction changes: it holds the locks of their subjects for a fraction of a second. */
const MOST_OF_A_PAGE = 100;
/** How long one account is swept until it is the turn of others. */
const LONGEST_TURN_MS = 5_000;
/** Statements of one kind that an account may have set aside; with more of them something else is wrong. */
const MOST_SET_ASIDE = 1_000;
/** Accounts that are looked at in one question. The ids of all of them fit into an answer of an activity. */
const ACCOUNTS_PER_LOOK = 200;

const escalation = (itemId: string): AuditEvent => ({
  category: 'governance',
  action: 'review.escalated',
  actor: { kind: 'pipeline' },
  resourceType: 'review_item',
  resourceId: itemId,
});

class AccountSweep {
  readonly #deps: SweepsDeps;
  readonly #accountId: string;
  readonly #shard: number;
  readonly #isOver: () => boolean;
  rows = 0;
  aside = 0;

  /** `isOver`: the turn has lasted long enough. */
  constructor(deps: SweepsDeps, accountId: string, shard: number, isOver: () => boolean) {
    this.#deps = deps;
    this.#isOver = isOver;
    this.#accountId = accountId;
    this.#shard = shard;
  }

  /** One page of the kind. True when another one may follow. */
  async page(kind: SweepKind): Promise<boolean> {
    const { report, store } = this.#deps;
    const page = { ...this.#scope(kind), limit: MOST_OF_A_PAGE };
    const first = await store.due({ ...page, limit: 1 });
    if (first.length === 0) return false;
    if ((await store.begin(page)) === 1) {
      try {
        const ids = await store.page(page, this.#decide);
        this.rows += ids.length;
        return ids.length > 0;
      } catch (error) {
        if (isAway(error)) throw error;
        report('page', kind, error);
      }
    }
    const held = await store.countSetAside(page, MOST_SET_ASIDE);
    const done = await this.#oneByOne(kind, await store.due(page), MOST_SET_ASIDE - held);
    await store.end(page);
    return done > 0 || this.#isOver();
  }

  /** Tries what was set aside before and may be tried again. */
  async retry(kind: SweepKind): Promise<void> {
    const page = { ...this.#scope(kind), limit: MOST_OF_A_PAGE };
    await this.#oneByOne(kind, await this.#deps.store.setAside(page), MOST_OF_A_PAGE);
  }

  #scope(kind: SweepKind) {
    return { accountId: this.#accountId, kind, at: this.#deps.clock?.() ?? null };
  }

  /**
   * Tries statements alone, each counted before, until `room` of them have failed or the turn is over; answers how many
   * did not fail.
   */
  async #oneByOne(kind: SweepKind, ids: readonly string[], room: number): Promise<number> {
    const { report, store } = this.#deps;
    const scope = this.#scope(kind);
    let [done, failed] = [0, 0];
    for (const knowledgeId of ids) {
      if (failed >= room || this.#isOver()) break;
      if (!(await store.putAside({ ...scope, knowledgeId }))) continue;
      try {
        await store.alone({ ...scope, knowledgeId }, this.#decide);
        done += 1;
      } catch (error) {
        if (isAway(error)) throw error;
        failed += 1;
        report('statement', kind, error);
      }
    }
    this.rows += done;
    this.aside += failed;
    return done;
  }

  readonly #decide = (state: SweepState): SweepWork => {
    const { newId } = this.#deps;
    const swept = planSweep(state.due, state.statements, planContext(state.scopes, state, newId));
    const { escalated, pastAgeing, plan, unanswered } = swept;
    const context = { shard: this.#shard, now: state.now, newId, batchOf: () => null };
    const work = commitRows(plan, [], context);
    const audit = [...work.audit, ...escalated.map(escalation)];
    return { work: { ...work, audit }, escalated, pastAgeing, unanswered };
  };
}

async function sweepAccount(
  deps: SweepsDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<SweepTurn> {
  const { now = () => performance.now(), ring, shards } = deps;
  const endsAt = now() + LONGEST_TURN_MS;
  // Each turn marks in another mailbox, so that a long backlog is indexed by all of them.
  const shard = Math.floor(Math.random() * shards);
  const isOver = (): boolean => now() >= endsAt || signal.aborted;
  const sweep = new AccountSweep(deps, accountId, shard, isOver);
  let due: readonly SweepKind[] = SWEEP_KINDS;
  try {
    for (const kind of SWEEP_KINDS) await sweep.retry(kind);
    // A page of each kind in turn: a backlog of one kind does not hold up the others.
    while (due.length > 0 && !isOver()) {
      const left: SweepKind[] = [];
      for (const kind of due) {
        if (await sweep.page(kind)) left.push(kind);
      }
      due = left;
    }
  } finally {
    if (sweep.rows > 0) ring({ accountId, kind: 'projection', shard });
  }
  return { rows: sweep.rows, aside: sweep.aside, more: due.length > 0 };
}

/** The sweeps over `deps.store`. */
export function createSweeps(deps: SweepsDeps): Sweeps {
  const { clock, store } = deps;
  return {
    turn: (accountId, signal) => sweepAccount(deps, accountId, signal),
    async accountsDue(afterId) {
      for (let from = afterId; ;) {
        const found = await store.accountsAfter(from, clock?.() ?? null, ACCOUNTS_PER_LOOK);
        const last = found.length === ACCOUNTS_PER_LOOK ? found.at(-1) : undefined;
        const accountIds = found.filter(({ isDue }) => isDue).map(({ accountId }) => accountId);
        from = last?.accountId ?? null;
        // Where nothing is due the workflow is not asked: its history need not tell of it.
        if (accountIds.length > 0 || from === null) return { accountIds, nextAfterId: from };
      }
    },
    completePass: (failed) => store.completePass(failed, clock?.() ?? null),
  };
}
