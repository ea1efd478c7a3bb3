/**
 * Keeps the schedules of the deployment in Temporal: made or brought up to this build when a worker starts, and
 * made again within a minute when Temporal lost them while workers run.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import {
  SCHEDULE_IDS,
  SCHEDULES,
  workflowQueue,
  type ScheduleId,
  type ScheduleNames,
} from '../../domain/actors/names.ts';
import { zeroCounters } from '../../domain/workflow-history/safe-text.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import { boundedCall, type ActorsOptions } from './actors.ts';
import { createLoop } from './loop.ts';
import { searchAttributesOf } from './search-attributes.ts';

export interface ScheduleKeeperOptions extends ActorsOptions {
  readonly log: Log;
  readonly intervalMs?: number;
}

/** Its loop begins a pass at once for a server that may have lost its schedules (`soon`). */
export type ScheduleKeeper = ReturnType<typeof createScheduleKeeper>;

const INTERVAL_MS = 60_000;
const RETRY_MS = 5_000;
const CALL_DEADLINE_MS = 5_000;
/**
 * A workflow that does not end is ended, so that it cannot prevent those after it: an hourly one before the next is due;
 * one of each minute when readiness says that it is late.
 */
const RUN_TIMEOUTS = { '1d': '23h', '1h': '55m', '1m': '10m' } as const;
/** How long after its time one is still started, when Temporal was away: a missed day is a long time, a missed hour is not. */
const CATCH_UP = { '1d': '12h', '1h': '10m', '1m': '10m' } as const;

function definition(id: ScheduleId, { queuePrefix, buildSha }: ActorsOptions): ScheduleOptions {
  const { workflowType, lane, runKind, every, offset, counters }: ScheduleNames = SCHEDULES[id];
  return {
    scheduleId: id,
    spec: { intervals: [{ every, ...(offset === undefined ? {} : { offset }) }] },
    policies: {
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: CATCH_UP[every],
      pauseOnFailure: false,
    },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: id,
      taskQueue: workflowQueue(queuePrefix),
      args: [],
      workflowRunTimeout: RUN_TIMEOUTS[every],
      staticSummary: zeroCounters(counters.slice(0, 1)),
      staticDetails: zeroCounters(counters),
      typedSearchAttributes: searchAttributesOf({ lane, runKind, buildSha }),
    },
  };
}

/** A keeper for a process with workers; several processes do not disturb each other. */
export function createScheduleKeeper(options: ScheduleKeeperOptions) {
  const { client, log } = options;
  const upToDate = new Set<ScheduleId>();
  const bounded = <T>(call: () => Promise<T>): Promise<T> =>
    boundedCall(client, CALL_DEADLINE_MS, call);
  let failed = false;

  async function keep(id: ScheduleId): Promise<void> {
    const { scheduleId, ...wanted } = definition(id, options);
    try {
      await bounded(() => client.schedule.create({ scheduleId, ...wanted }));
      log.info('schedule.created');
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (upToDate.has(id)) return;
      const handle = client.schedule.getHandle(id);
      // The state is kept: an operator may have paused the schedule.
      await bounded(() => handle.update(({ state }) => ({ ...wanted, state })));
    }
    upToDate.add(id);
  }

  /** Makes missing schedules; the first successful call also updates existing ones. Throws Temporal's error. */
  async function once(): Promise<void> {
    for (const id of SCHEDULE_IDS) await keep(id);
  }

  const loop = createLoop({
    async pass() {
      try {
        await once();
        failed = false;
      } catch (error) {
        failed = true;
        log.warn('schedule.failed', errorFields(error));
      }
    },
    waitMs: () => (failed ? RETRY_MS : (options.intervalMs ?? INTERVAL_MS)),
  });
  return { once, ...loop };
}
