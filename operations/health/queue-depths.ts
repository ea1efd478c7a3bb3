/**
 * Queue depths as readiness shows them: one queue per worker lane, four states, counted from mailbox and run
 * rows. A failed anchor is `retryable` whether or not its next attempt is due.
 */
import type { RunKind } from '../../domain/pipeline/run-kinds.ts';
import type { AnchorCount, MarkCount, RunCount } from '../../stores/postgres/readiness.store.ts';

export const QUEUES = [
  'ingest',
  'projection',
  'dream',
  'lifecycle',
  'governance',
  'connector',
  'portability',
  'reconciler',
] as const;
export type Queue = (typeof QUEUES)[number];

export const QUEUE_STATES = ['available', 'scheduled', 'executing', 'retryable'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

export type QueueDepths = Record<Queue, Record<QueueState, number>>;

const QUEUE_BY_RUN: Readonly<Record<RunKind, Queue>> = {
  extraction: 'ingest',
  document: 'ingest',
  projection_refresh: 'projection',
  dream_time: 'dream',
  revalidation: 'lifecycle',
  expiry: 'lifecycle',
  regate: 'governance',
  forgetting: 'governance',
  contest: 'governance',
  decision: 'governance',
  erasure: 'governance',
  campaign: 'governance',
  connector_sync: 'connector',
  import_rebuild: 'portability',
  portability: 'portability',
  reconcile: 'reconciler',
};

const STATE_BY_RUN_STATUS: Readonly<Record<RunCount['status'], QueueState>> = {
  pending: 'available',
  running: 'executing',
  failed: 'retryable',
  // It waits to be replayed.
  discarded: 'retryable',
};

function anchorState(anchor: AnchorCount): QueueState {
  if (anchor.held) return 'executing';
  if (anchor.status === 'failed') return 'retryable';
  return anchor.due ? 'available' : 'scheduled';
}

/** Work of one queue in one state. */
export interface QueueEntry {
  readonly queue: Queue;
  readonly state: QueueState;
  readonly total: number;
  readonly oldest_age_seconds: number;
}

/** Several entries may be of one queue and state. An overdue mark is one whose index did not answer in time. */
export function queueEntries(
  anchors: readonly AnchorCount[],
  marks: readonly MarkCount[],
  runs: readonly RunCount[],
): readonly QueueEntry[] {
  return [
    ...anchors.map(
      (anchor) => ({ ...anchor, queue: 'ingest', state: anchorState(anchor) }) as const,
    ),
    ...marks.map(
      (mark) =>
        ({
          ...mark,
          queue: 'projection',
          state: mark.overdue ? 'retryable' : 'available',
        }) as const,
    ),
    ...runs.map((run) => ({
      ...run,
      queue: QUEUE_BY_RUN[run.kind],
      state: STATE_BY_RUN_STATUS[run.status],
    })),
  ];
}

function emptyQueue(): Record<QueueState, number> {
  return { available: 0, scheduled: 0, executing: 0, retryable: 0 };
}

/** How many units wait in each queue and state. */
export function queueDepths(
  anchors: readonly AnchorCount[],
  marks: readonly MarkCount[],
  runs: readonly RunCount[],
): QueueDepths {
  const depths: QueueDepths = {
    ingest: emptyQueue(),
    projection: emptyQueue(),
    dream: emptyQueue(),
    lifecycle: emptyQueue(),
    governance: emptyQueue(),
    connector: emptyQueue(),
    portability: emptyQueue(),
    reconciler: emptyQueue(),
  };
  for (const { queue, state, total } of queueEntries(anchors, marks, runs)) {
    depths[queue][state] += total;
  }
  return depths;
}
