/**
 * One pass of the reconcile over one account: it starts work that the doorbell and the sweep should have started and
 * did not. Everything that it starts is safe to repeat: drains and runs are fenced by their rows.
 */
import type { Mailbox, MailboxKind, WorkflowKind } from '../../domain/actors/names.ts';
import {
  ATTEMPT_LOST_AFTER_MS,
  IDEMPOTENCY_KEPT_MS,
  MOST_OF_A_KIND,
  NOTHING_RECONCILED,
  REPLAYED_CLASSES,
  runEnd,
  UPLOAD_LOST_AFTER_MS,
  STALE_AFTER_MS,
  type ReconcileCounts,
  type WorkflowState,
} from '../../domain/pipeline/reconcile.ts';
import { eachOf } from '../async.ts';
import type { MarkScopes } from './compared-scopes.ts';
import type { MarkMessages } from './message-vectors.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import type {
  DispatchedRun,
  RunFamily,
  ReconcileStore,
} from '../../stores/postgres/reconcile/reconcile.store.ts';

export interface ReconcileDeps {
  readonly store: ReconcileStore;
  /** The state of the workflow of a run. Throws when Temporal does not answer. */
  readonly workflowState: (kind: WorkflowKind, runId: string) => Promise<WorkflowState>;
  readonly blobs: Pick<BlobStore, 'delete' | 'deleteDraft'>;
  /** Returns at once and never throws. */
  readonly ring: (mailbox: Mailbox) => void;
  /** Marks messages that the index of meaning does not show as they are. */
  readonly markMessages: MarkMessages;
  /** Marks what is made of the statements of a scope and is not there. */
  readonly markScopes: MarkScopes;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface Reconcile {
  /** One pass, at most a hundred of each kind. Throws what its dependencies throw; it may be repeated. */
  account(accountId: string, signal: AbortSignal): Promise<ReconcileCounts>;
  /** The ids of the next accounts; empty after the last. */
  accountsAfter(afterId: string | null): Promise<readonly string[]>;
  /**
   * Forgets idempotency keys that are a day old, slice by slice, until none is left or the pass reaches its bounds;
   * answers how many. An hourly pass keeps up with 2,700 keys a second.
   */
  forgetIdempotencyKeys(signal: AbortSignal): Promise<number>;
}

const STALE = { olderThanMs: STALE_AFTER_MS, limit: MOST_OF_A_KIND } as const;
const LOST = { olderThanMs: ATTEMPT_LOST_AFTER_MS, limit: MOST_OF_A_KIND } as const;
const LOST_UPLOAD = { olderThanMs: UPLOAD_LOST_AFTER_MS, limit: MOST_OF_A_KIND } as const;
const ACCOUNTS_PER_PAGE = 50;
/** Keys that one transaction forgets: it lasts a fraction of a second, so nothing waits for its locks. */
const MOST_KEYS_PER_SLICE = 5_000;
/** An hour of 2,777 requests a second. What is left over is forgotten an hour later. */
const MOST_KEYS_PER_PASS = 10_000_000;
/** Shorter than the activity may last, so that a pass ends with an answer and not with a retry. */
const LONGEST_PURGE_MS = 240_000;
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

/** Runs of one family, so that many of others take nothing from its hundred. */
function endRuns({ store, workflowState }: ReconcileDeps, family: RunFamily): Pass {
  return async (accountId, signal) => {
    let ended = 0;
    const endOne = async ({ kind, runId }: DispatchedRun): Promise<void> => {
      signal.throwIfAborted();
      const end = runEnd(await workflowState(kind, runId));
      if (end !== null && (await store.endRun(accountId, runId, end))) ended += 1;
    };
    await eachOf(await store.dispatchedRuns(accountId, family, STALE), IN_FLIGHT, endOne);
    return ended;
  };
}

function markMessages({ markMessages: mark, ring }: ReconcileDeps): Pass {
  return async (accountId, signal) => {
    const { mailboxes, messages } = await mark(accountId, signal);
    for (const mailbox of mailboxes) ring(mailbox);
    return messages;
  };
}

function replayRuns({ store }: ReconcileDeps, family: RunFamily): Pass {
  return (accountId) => store.replayRuns(accountId, family, REPLAYED_CLASSES, STALE);
}

/** Versions of documents: each is read by a run of its own. Replayed first, as other runs are. */
function versions(deps: ReconcileDeps): Pass {
  const [replay, end] = [replayRuns(deps, 'documents'), endRuns(deps, 'documents')];
  return async (accountId, signal) =>
    (await replay(accountId, signal)) + (await end(accountId, signal));
}

function markScopes({ markScopes: mark, ring }: ReconcileDeps): Pass {
  return async (accountId) => {
    const { mailboxes, scopes } = await mark(accountId);
    for (const mailbox of mailboxes) ring(mailbox);
    return scopes;
  };
}

/** The kinds of work, in order. Replaying comes first, so that a run discarded by this pass is replayed by the next. */
function passes(deps: ReconcileDeps): readonly (readonly [Kind, Pass])[] {
  return [
    ['anchors', wake(deps, 'ingest')],
    ['limited', (accountId) => deps.store.releaseWaiting(accountId, MOST_OF_A_KIND)],
    ['marks', wake(deps, 'projection')],
    ['versions', versions(deps)],
    ['replayed', replayRuns(deps, 'others')],
    ['ended', endRuns(deps, 'others')],
    ['attempts', (accountId) => deps.store.closeAttempts(accountId, LOST)],
    ['vectors', markMessages(deps)],
    ['scopes', markScopes(deps)],
    [
      'uploads',
      (accountId, signal) => deps.store.abandonUploads(accountId, LOST_UPLOAD, deps.blobs, signal),
    ],
  ];
}

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const kinds = passes(deps);
  const { now = () => performance.now() } = deps;
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
      const expired = { olderThanMs: IDEMPOTENCY_KEPT_MS, limit: MOST_KEYS_PER_SLICE };
      const endsAt = now() + LONGEST_PURGE_MS;
      let forgotten = 0;
      let from: string | null = null;
      while (forgotten < MOST_KEYS_PER_PASS && now() < endsAt) {
        signal.throwIfAborted();
        const slice = await deps.store.forgetIdempotencyKeys(expired, from);
        forgotten += slice.forgotten;
        from = slice.reached;
        if (slice.forgotten < MOST_KEYS_PER_SLICE) break;
      }
      return forgotten;
    },
  };
}
