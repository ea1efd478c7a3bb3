/**
 * One pass of the third net over one account: work that the doorbell and the sweep should have brought on its
 * way, and did not. Everything it sets in motion is safe to repeat: drains and runs are fenced by their rows.
 */
import type { Mailbox, MailboxKind, RunKind } from '../../domain/actors/names.ts';
import {
  ATTEMPT_LOST_AFTER_MS,
  IDEMPOTENCY_KEPT_MS,
  MOST_OF_A_KIND,
  NOTHING_RECONCILED,
  REPLAYED_CLASSES,
  runEnd,
  STALE_AFTER_MS,
  type ReconcileCounts,
  type WorkflowState,
} from '../../domain/pipeline/reconcile.ts';
import type { DispatchedRun, ReconcileStore } from '../../stores/postgres/reconcile.store.ts';

export interface ReconcileDeps {
  readonly store: ReconcileStore;
  /** What became of the workflow of a run. Throws when Temporal does not say. */
  readonly workflowState: (kind: RunKind, runId: string) => Promise<WorkflowState>;
  /** Returns at once and never throws. */
  readonly ring: (mailbox: Mailbox) => void;
}

export interface Reconcile {
  /** One pass, at most a hundred of each kind. Throws what its dependencies throw; it may be repeated. */
  account(accountId: string, signal: AbortSignal): Promise<ReconcileCounts>;
  /** The ids of the next accounts; empty after the last. */
  accountsAfter(afterId: string | null): Promise<readonly string[]>;
  /** Forgets idempotency keys that are a day old, in batches, up to a bound; answers how many. */
  forgetIdempotencyKeys(signal: AbortSignal): Promise<number>;
}

const STALE = { olderThanMs: STALE_AFTER_MS, limit: MOST_OF_A_KIND } as const;
const LOST = { olderThanMs: ATTEMPT_LOST_AFTER_MS, limit: MOST_OF_A_KIND } as const;
const ACCOUNTS_PER_PAGE = 50;
const KEYS_PER_BATCH = 500;
const MOST_BATCHES = 200;
/** Questions to Temporal at a time. */
const IN_FLIGHT = 8;

type Kind = keyof ReconcileCounts;
type Pass = (accountId: string, signal: AbortSignal) => Promise<number>;

function wake({ store, ring }: ReconcileDeps, kind: MailboxKind): Pass {
  return async (accountId) => {
    const { units, mailboxes } = await store.staleMailboxes(accountId, kind, STALE);
    for (const mailbox of mailboxes) ring(mailbox);
    return units;
  };
}

function endRuns({ store, workflowState }: ReconcileDeps): Pass {
  return async (accountId, signal) => {
    let ended = 0;
    const endOne = async ({ kind, runId }: DispatchedRun): Promise<void> => {
      const end = runEnd(await workflowState(kind, runId));
      if (end !== null && (await store.endRun(accountId, runId, end))) ended += 1;
    };
    const rest = (await store.dispatchedRuns(accountId, STALE))[Symbol.iterator]();
    const turn = async (): Promise<void> => {
      for (let next = rest.next(); !next.done; next = rest.next()) {
        signal.throwIfAborted();
        await endOne(next.value);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, turn));
    return ended;
  };
}

/** The kinds of work, in order: what is discarded now is replayed by the next pass, so replaying comes first. */
function passes(deps: ReconcileDeps): readonly (readonly [Kind, Pass])[] {
  return [
    ['anchors', wake(deps, 'ingest')],
    ['marks', wake(deps, 'projection')],
    ['replayed', (accountId) => deps.store.replayRuns(accountId, REPLAYED_CLASSES, STALE)],
    ['ended', endRuns(deps)],
    ['attempts', (accountId) => deps.store.closeAttempts(accountId, LOST)],
  ];
}

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const kinds = passes(deps);
  return {
    async account(accountId, signal) {
      let counts = NOTHING_RECONCILED;
      for (const [kind, pass] of kinds) {
        signal.throwIfAborted();
        counts = { ...counts, [kind]: await pass(accountId, signal) };
      }
      return counts;
    },
    accountsAfter: (afterId) => deps.store.accountsAfter(afterId, ACCOUNTS_PER_PAGE),
    async forgetIdempotencyKeys(signal) {
      const expired = { olderThanMs: IDEMPOTENCY_KEPT_MS, limit: KEYS_PER_BATCH };
      let forgotten = 0;
      for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
        signal.throwIfAborted();
        const now = await deps.store.forgetIdempotencyKeys(expired);
        forgotten += now;
        if (now < KEYS_PER_BATCH) break;
      }
      return forgotten;
    },
  };
}
