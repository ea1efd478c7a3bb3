/**
 * The names of actors: workflow types and ids, signals, task queues, search attributes. Ids are built from internal
 * UUIDs and integers only, because names are never encoded and every operator sees them.
 */

export const MAILBOX_KINDS = ['ingest', 'projection'] as const;
export type MailboxKind = (typeof MAILBOX_KINDS)[number];

/** A mailbox and the actor that empties it: one account, one kind of work, one shard. */
export interface Mailbox {
  readonly accountId: string;
  readonly kind: MailboxKind;
  readonly shard: number;
}

export interface MailboxActorNames {
  readonly workflowType: string;
  /** The signal that work may be waiting. It carries no data. */
  readonly signal: string;
  /** The kind of run that operators filter by. */
  readonly runKind: string;
}

export const MAILBOX_ACTORS: Readonly<Record<MailboxKind, MailboxActorNames>> = {
  ingest: { workflowType: 'ingestActor', signal: 'ring', runKind: 'extraction' },
  projection: {
    workflowType: 'projectionActor',
    signal: 'dirty',
    runKind: 'projection_refresh',
  },
};

export interface RunWorkflowNames {
  readonly workflowType: string;
  readonly lane: Lane;
  /** The counters that its details show from the start. */
  readonly counters: readonly string[];
}

/** Runs that have a workflow of their own, by the words of the enum `run_kind`. */
export const RUN_WORKFLOWS = {
  contest: { workflowType: 'contest', lane: 'governance', counters: ['ended'] },
  decision: { workflowType: 'decision', lane: 'governance', counters: ['ended'] },
  erasure: {
    workflowType: 'erasure',
    lane: 'governance',
    counters: ['step', 'pages', 'erased', 'remaining', 'paused'],
  },
  regate: { workflowType: 'regate', lane: 'governance', counters: ['rows', 'placed'] },
  forgetting: {
    workflowType: 'forgetting',
    lane: 'governance',
    counters: ['rows', 'changed'],
  },
  import_rebuild: {
    workflowType: 'importRebuild',
    lane: 'governance',
    counters: ['units', 'waiting'],
  },
  document: {
    workflowType: 'readDocument',
    lane: 'documents',
    counters: ['chunks', 'superseded'],
  },
  reconcile: {
    workflowType: 'reconcile',
    lane: 'reconciler',
    counters: [
      'anchors',
      'limited',
      'marks',
      'versions',
      'ended',
      'replayed',
      'attempts',
      'vectors',
      'scopes',
      'uploads',
    ],
  },
} as const satisfies Readonly<Record<string, RunWorkflowNames>>;
export type WorkflowKind = keyof typeof RUN_WORKFLOWS;
export const RUN_WORKFLOW_KINDS = Object.keys(RUN_WORKFLOWS) as readonly WorkflowKind[];

export interface ScheduleNames extends RunWorkflowNames {
  /** The kind of run that operators filter by. */
  readonly runKind: string;
  readonly every: '1d' | '1h' | '1m';
  /** How long after the beginning of the interval it starts; days begin at midnight UTC. */
  readonly offset?: string;
}

/**
 * The schedules of the whole deployment, by schedule id. The workflow that a schedule starts is called `<schedule
 * id>-<ISO time>`.
 */
export const SCHEDULES = {
  'lifecycle-sweep': {
    workflowType: 'sweepLifecycle',
    lane: 'lifecycle',
    runKind: 'lifecycle',
    every: '1m',
    counters: ['accounts', 'failed', 'rows', 'aside'],
  },
  'reconcile-hourly': {
    workflowType: 'reconcileAccounts',
    lane: 'reconciler',
    runKind: 'reconcile',
    every: '1h',
    counters: [
      'accounts',
      'failed',
      'anchors',
      'limited',
      'marks',
      'versions',
      'ended',
      'replayed',
      'attempts',
      'vectors',
      'scopes',
      'uploads',
      'purged',
    ],
  },
  'retention-daily': {
    workflowType: 'retainAccounts',
    lane: 'reconciler',
    runKind: 'retention',
    every: '1d',
    offset: '135m',
    counters: ['accounts', 'failed', 'rows'],
  },
} as const satisfies Readonly<Record<string, ScheduleNames>>;
export type ScheduleId = keyof typeof SCHEDULES;
export const SCHEDULE_IDS = Object.keys(SCHEDULES) as readonly ScheduleId[];

/** Activity lanes of this build. Each is a task queue of its own, so that one cannot starve another. */
export const LANES = [
  'ingest',
  'projection',
  'documents',
  'governance',
  'reconciler',
  'lifecycle',
] as const;
export type Lane = (typeof LANES)[number];

/**
 * The search attributes by which operators filter executions. They are never encoded, so they hold only words of closed
 * lists and internal ids.
 */
export const SEARCH_ATTRIBUTES = ['Lane', 'RunKind', 'AccountRef', 'BuildSha'] as const;

const WORKFLOW_QUEUE_END = '-workflows';

/** The workflow id of a mailbox's actor, for example `ingest/<account>/3`. */
export function mailboxWorkflowId(mailbox: Mailbox): string {
  return `${mailbox.kind}/${mailbox.accountId}/${mailbox.shard}`;
}

/** The workflow id of a run, for example `regate/<run>`: a run has one workflow, however often it is started. */
export function runWorkflowId(kind: WorkflowKind, runId: string): string {
  return `${kind}/${runId}`;
}

/** The one task queue of all workflow types. */
export function workflowQueue(prefix: string): string {
  return `${prefix}${WORKFLOW_QUEUE_END}`;
}

/** The activity task queue of a lane. */
export function laneQueue(prefix: string, lane: Lane): string {
  return `${prefix}-${lane}`;
}

/**
 * The prefix that `queue` was built from. A queue without the ending of workflow queues is its own prefix: a replay
 * makes such a queue, and nothing is dispatched there.
 */
export function queuePrefixOf(queue: string): string {
  return queue.endsWith(WORKFLOW_QUEUE_END) ? queue.slice(0, -WORKFLOW_QUEUE_END.length) : queue;
}
