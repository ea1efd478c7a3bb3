/**
 * The workers of a process: one for all workflow types, one for each activity lane. Lanes are task queues of
 * their own, so that slow model calls never hold up an index refresh; only the workflow worker has a sandbox.
 */
import {
  Worker,
  type NativeConnection,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import type {
  DocumentActivities,
  GovernanceActivities,
  IngestActivities,
  LifecycleActivities,
  ProjectionActivities,
  ReconcilerActivities,
} from '../../activities/contracts.ts';
import { LANES, laneQueue, workflowQueue, type Lane } from '../../domain/actors/names.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import { createSafeErrors, type OnActivityFailure } from './activity-interceptor.ts';
import { dataConverter } from './data-converter.ts';

export interface LaneActivities {
  readonly ingest: IngestActivities;
  readonly projection: ProjectionActivities;
  readonly documents: DocumentActivities;
  readonly governance: GovernanceActivities;
  readonly reconciler: ReconcilerActivities;
  readonly lifecycle: LifecycleActivities;
}

export interface StartWorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly queuePrefix: string;
  readonly activities: LaneActivities;
  readonly bundle: WorkflowBundle;
  readonly log: Log;
  /** How operators see the process, for example `worker-core-1`. Never a host name. */
  readonly identity: string;
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly onActivityFailure?: OnActivityFailure;
}

export interface RunningWorkers {
  /** Stops polling, lets running work end within the grace time, and resolves when all workers are down. */
  close(): Promise<void>;
  /** Resolves when the workers are down after `close`. Rejects when one failed; then the process should end. */
  readonly stopped: Promise<void>;
}

/** A drain holds its slot while it waits for work, so the limits of drains bound awake mailboxes, not model calls. */
const LANE_LIMITS: Readonly<Record<Lane, Partial<WorkerOptions>>> = {
  ingest: { maxConcurrentActivityTaskExecutions: 200 },
  projection: { maxConcurrentActivityTaskExecutions: 200, maxTaskQueueActivitiesPerSecond: 50 },
  // Each activity may take a whole core and half a gibibyte.
  documents: { maxConcurrentActivityTaskExecutions: 2 },
  governance: { maxConcurrentActivityTaskExecutions: 4 },
  reconciler: { maxConcurrentActivityTaskExecutions: 1 },
  lifecycle: { maxConcurrentActivityTaskExecutions: 4 },
};

const POLLERS = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 5 } as const;

function common(options: StartWorkersOptions) {
  return {
    connection: options.connection,
    namespace: options.namespace,
    identity: options.identity,
    buildId: options.buildSha,
    dataConverter,
    shutdownGraceTime: '25s',
    shutdownForceTime: '40s',
  } satisfies Partial<WorkerOptions>;
}

function workflowWorker(options: StartWorkersOptions): Promise<Worker> {
  return Worker.create({
    ...common(options),
    taskQueue: workflowQueue(options.queuePrefix),
    workflowBundle: options.bundle,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxCachedWorkflows: 300,
    // Tasks of a workflow in the cache of a stopped worker wait this long for that worker.
    stickyQueueScheduleToStartTimeout: '3s',
    workflowTaskPollerBehavior: POLLERS,
  });
}

function laneWorker(options: StartWorkersOptions, lane: Lane): Promise<Worker> {
  const safeErrors = createSafeErrors(options.log, lane, options.onActivityFailure);
  return Worker.create({
    ...common(options),
    ...LANE_LIMITS[lane],
    taskQueue: laneQueue(options.queuePrefix, lane),
    activities: { ...options.activities[lane] },
    activityTaskPollerBehavior: POLLERS,
    interceptors: { activity: [() => ({ inbound: safeErrors })] },
  });
}

/** Starts all workers and resolves when they poll. `installRuntime` must have been called. */
export async function startWorkers(options: StartWorkersOptions): Promise<RunningWorkers> {
  const workers = await Promise.all([
    workflowWorker(options),
    ...LANES.map((lane) => laneWorker(options, lane)),
  ]);
  const shutdown = (): void => {
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  const stopped = Promise.all(
    workers.map(async (worker) => {
      try {
        await worker.run();
      } catch (error) {
        options.log.error('worker.failed', errorFields(error));
        shutdown();
        throw error;
      }
    }),
  ).then(() => undefined);
  stopped.catch(() => {});
  options.log.info('worker.started', { lanes: LANES.length, build: options.buildSha });
  return {
    stopped,
    async close() {
      shutdown();
      await stopped;
    },
  };
}
