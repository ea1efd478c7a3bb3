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
  contest: 'governance',
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
};

function anchorState(anchor: AnchorCount): QueueState {
  if (anchor.claimed) return 'executing';
  if (anchor.status === 'failed') return 'retryable';
  return anchor.due ? 'available' : 'scheduled';
}

function emptyQueue(): Record<QueueState, number> {
  return { available: 0, scheduled: 0, executing: 0, retryable: 0 };
}

/** An overdue mark is one whose engine did not answer in time: it is being retried. */
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
  for (const anchor of anchors) depths.ingest[anchorState(anchor)] += anchor.total;
  for (const mark of marks) {
    depths.projection[mark.overdue ? 'retryable' : 'available'] += mark.total;
  }
  for (const run of runs) {
    depths[QUEUE_BY_RUN[run.kind]][STATE_BY_RUN_STATUS[run.status]] += run.total;
  }
  return depths;
}
