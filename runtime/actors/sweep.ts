/**
 * The second net: a loop in every process that rings mailboxes with overdue work and no drain, and starts the
 * workflows of runs that have none. There is no leader: a conditional update decides which process rings.
 *
 * While Temporal is away no mailbox is marked as rung, because each mark makes the next ring wait longer. The loop only
 * probes Temporal, twice a second, so that work follows its return at once. When Temporal answers but declines, the
 * loop backs off to half a minute.
 */
import type { Mailbox } from '../../domain/actors/names.ts';
import { eachOf } from '../../engine/async.ts';
import type { MailboxesStore } from '../../stores/postgres/actors/mailboxes.store.ts';
import type {
  UndispatchedRunsStore,
  UndispatchedRun,
} from '../../stores/postgres/runs/runs.store.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import type { Actors, TemporalState } from './actors.ts';
import { createLoop } from './loop.ts';

/** Starts the workflow of a run, under an id built from the run's id; a running or completed one counts as started. */
export type RunStarter = (run: UndispatchedRun) => Promise<void>;

export interface SweepOptions {
  readonly actors: Actors;
  readonly mailboxes: Pick<MailboxesStore, 'neglected' | 'markRung'>;
  readonly runs: Pick<UndispatchedRunsStore, 'undispatched' | 'markDispatched'>;
  /** By kind of run. Runs of other kinds wait for a build that knows them. */
  readonly starters: ReadonlyMap<string, RunStarter>;
  readonly log: Log;
  /** From 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly intervalMs?: number;
}

export interface SweepReport {
  readonly temporal: TemporalState;
  readonly rung: number;
  readonly dispatched: number;
}

/** Since the start of the process. */
export interface SweepCounts {
  readonly passes: number;
  readonly failed: number;
  /** Mailboxes and runs that the other nets had left. */
  readonly rung: number;
  readonly dispatched: number;
}

export type Sweep = ReturnType<typeof createSweep>;

const INTERVAL_MS = 2_000;
const AWAY_INTERVAL_MS = 500;
/** After a shorter absence the SDK's pollers recover as soon by themselves; one or two slow answers are shorter too. */
const SHORT_ABSENCE_MS = 3_000;
const MAX_BACK_OFF_MS = 30_000;
const GRACE_MS = 2_000;
const MAILBOXES_PER_PASS = 500;
const RUNS_PER_PASS = 100;
const RING_DEADLINE_MS = 2_000;
const PROBE_DEADLINE_MS = 1_500;
const IN_FLIGHT = 16;

interface Rings {
  readonly rung: number;
  readonly declined: number;
}

async function ringNeglected(options: SweepOptions): Promise<Rings> {
  const neglected = await options.mailboxes.neglected(GRACE_MS, MAILBOXES_PER_PASS);
  let rung = 0;
  let declined = 0;
  await eachOf(neglected, IN_FLIGHT, async (mailbox: Mailbox) => {
    if (declined > 0 || !(await options.mailboxes.markRung(mailbox))) return;
    try {
      await options.actors.ring(mailbox, RING_DEADLINE_MS);
      rung += 1;
    } catch (error) {
      declined += 1;
      options.log.warn('sweep.ring_failed', errorFields(error));
    }
  });
  return { rung, declined };
}

interface Dispatches {
  readonly dispatched: number;
  readonly declined: number;
}

async function dispatchRuns(options: SweepOptions): Promise<Dispatches> {
  if (options.starters.size === 0) return { dispatched: 0, declined: 0 };
  let dispatched = 0;
  let declined = 0;
  await eachOf(await options.runs.undispatched(RUNS_PER_PASS), IN_FLIGHT, async (run) => {
    const starter = options.starters.get(run.kind);
    if (starter === undefined || declined > 0) return;
    try {
      await starter(run);
    } catch (error) {
      declined += 1;
      options.log.warn('sweep.start_failed', errorFields(error));
      return;
    }
    if (await options.runs.markDispatched(run)) dispatched += 1;
  });
  return { dispatched, declined };
}

async function sweepOnce(options: SweepOptions): Promise<SweepReport> {
  const temporal = await options.actors.probe(PROBE_DEADLINE_MS);
  if (temporal !== 'serving') return { temporal, rung: 0, dispatched: 0 };
  const { rung, declined } = await ringNeglected(options);
  if (declined > 0) return { temporal: 'refusing', rung, dispatched: 0 };
  const runs = await dispatchRuns(options);
  return { temporal: runs.declined > 0 ? 'refusing' : temporal, rung, dispatched: runs.dispatched };
}

/** How long to wait after `failures` passes in a row that Temporal declined. */
export function backOffMs(intervalMs: number, failures: number, random: number): number {
  const longest = Math.min(MAX_BACK_OFF_MS, intervalMs * 2 ** Math.min(failures, 10));
  return failures === 0 ? intervalMs : Math.round(longest * (0.5 + random / 2));
}

function say(log: Log, temporal: TemporalState): void {
  if (temporal === 'serving') log.info('temporal.serving');
  else if (temporal === 'away') log.warn('temporal.away');
  else if (temporal === 'lacking') log.warn('temporal.namespace_missing');
  else log.warn('temporal.refusing');
}

/** The sweep of a process; `start` begins with a pass at once. */
export function createSweep(options: SweepOptions) {
  const intervalMs = options.intervalMs ?? INTERVAL_MS;
  const { log } = options;
  let failures = 0;
  let last: TemporalState = 'serving';
  let awaySince: number | null = null;
  let onReturn: (() => void) | undefined;
  let counts: SweepCounts = { passes: 0, failed: 0, rung: 0, dispatched: 0 };

  function observe(temporal: TemporalState): void {
    failures = temporal === 'refusing' ? failures + 1 : 0;
    if (temporal !== last) say(log, temporal);
    last = temporal;
    if (temporal === 'away') awaySince ??= performance.now();
    if (temporal === 'away') return;
    const wasLong = awaySince !== null && performance.now() - awaySince > SHORT_ABSENCE_MS;
    if (temporal === 'lacking' || (temporal === 'serving' && wasLong)) onReturn?.();
    if (temporal !== 'refusing') awaySince = null;
  }

  async function pass(): Promise<void> {
    try {
      const report = await sweepOnce(options);
      counts = {
        ...counts,
        passes: counts.passes + 1,
        rung: counts.rung + report.rung,
        dispatched: counts.dispatched + report.dispatched,
      };
      observe(report.temporal);
      if (report.rung > 0) log.info('sweep.rang', { mailboxes: report.rung });
      if (report.dispatched > 0) log.info('sweep.dispatched', { runs: report.dispatched });
    } catch (error) {
      counts = { ...counts, passes: counts.passes + 1, failed: counts.failed + 1 };
      log.warn('sweep.failed', errorFields(error));
    }
  }

  const loop = createLoop({
    pass,
    waitMs: () =>
      last === 'away'
        ? Math.min(AWAY_INTERVAL_MS, intervalMs)
        : backOffMs(intervalMs, failures, options.random()),
  });
  return {
    /** One pass. Throws the database's error. */
    once: () => sweepOnce(options),
    counts: () => counts,
    /** Calls `tell` when Temporal serves again after more than three seconds, and while it lacks the namespace. */
    start(tell?: () => void): void {
      onReturn = tell;
      loop.start();
    },
    /** Begins the next pass at once, for a run that was just entered. Returns at once and never throws. */
    soon(): void {
      // While Temporal declines, the loop waits its whole back-off.
      if (failures === 0) loop.soon();
    },
    /** Waits for a running pass. */
    close: () => loop.close(),
  };
}
