/**
 * A contest is decided once, whoever is away when its deadlines pass: the worker, Temporal, or all that Temporal knew.
 * Its days last seconds here, so that the timers of both really fall due while nobody can look. A short run has the
 * worst of these outages, in which Temporal is away and everything has to be found and started again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { runWorkflowId } from '../../domain/actors/names.ts';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { inLongRun, sized } from '../support/run.ts';
import { triedAgain } from '../support/tried-again.ts';
import { freezeNow, killNow, untilReplaced } from './harness/children.ts';
import { openContests, type ContestScene, type Outcome } from './harness/contests.ts';
import { holdServer, type HeldServer } from './harness/held-server.ts';
import { temporalAt, type AskTemporal } from './harness/temporal.ts';
import { until } from './harness/until.ts';
import { HANGS_MS, SERVERS_MS } from '../support/patience.ts';

triedAgain();

const NAMESPACE = 'contests';
/** Longer than a busy machine takes from a contest to the outage that its deadline passes in. */
const DAY_MS = 20_000;
const PATIENCE_MS = HANGS_MS;
/** Two days, and what each return takes. */
const LONGEST_MS = 2 * (DAY_MS + 3 * PATIENCE_MS);

const directory = stackDirectory();
let temporal: HeldServer;
let askTemporal: AskTemporal;
let stack: RunningStack;
let contests: ContestScene;

beforeAll(async () => {
  temporal = await holdServer('temporal');
  askTemporal = temporalAt(temporal.settings['TEMPORAL_ADDRESS'] ?? '', NAMESPACE);
  stack = await startStack(directory, { ...temporal.settings, TEMPORAL_NAMESPACE: NAMESPACE });
  contests = await openContests(directory, stack, { askTemporal, dayMs: DAY_MS });
}, SERVERS_MS);

afterAll(async () => {
  await contests?.close();
  await stack?.stop();
  await temporal?.close();
  directory.remove();
}, SERVERS_MS);

async function statusOf({ workflow }: Client, workflowId: string): Promise<string> {
  return (await workflow.getHandle(workflowId).describe()).status.name;
}

/** What `ask` answers, asked again while Temporal is on its way back. */
async function eventuallyAsked(what: string, ask: (client: Client) => Promise<boolean>) {
  await until(what, PATIENCE_MS, () => askTemporal(ask).catch(() => false), 250);
}

/** The hour of the reconcile has come: its schedule lets it walk over all accounts. */
async function walk(): Promise<void> {
  // The name of a walk holds the second of its start, and a name is given once.
  await sleep(1_000);
  const latest = async ({ schedule }: Client): Promise<string> => {
    const { info } = await schedule.getHandle('reconcile-hourly').describe();
    return info.recentActions.at(-1)?.action.workflow.workflowId ?? 'none';
  };
  let before = '';
  await eventuallyAsked('the schedule is there', async (client) => {
    before = await latest(client);
    // The schedule hears late of the end of a walk, and skips what would overlap with it.
    const { ALLOW_ALL } = ScheduleOverlapPolicy;
    await client.schedule.getHandle('reconcile-hourly').trigger(ALLOW_ALL);
    return true;
  });
  await eventuallyAsked('the walk has ended', async (client) => {
    const id = await latest(client);
    return id !== before && (await statusOf(client, id)) === 'COMPLETED';
  });
}

/** The next two hours of the reconcile: the first one finds what is lost, the second one starts it again. */
async function twoHoursPass(): Promise<void> {
  for (const _ of ['found', 'replayed']) {
    await contests.age();
    await walk();
  }
}

interface Outage {
  readonly name: string;
  readonly begin: () => Promise<void>;
  /** Returns when what was away is back; what the service makes of it takes its own time. */
  readonly end: () => Promise<void>;
}

let frozen: number | null = null;

/** A try that failed may have left an outage without its end. */
beforeEach(async () => {
  await temporal.back();
  if (frozen !== null) await replaceFrozen();
}, PATIENCE_MS);

async function replaceFrozen(): Promise<void> {
  const killed = killNow(directory, 'worker');
  expect(killed).toBe(frozen);
  frozen = null;
  await untilReplaced(directory, 'worker', killed);
}

/** Outages in which nothing is lost. */
const ABSENCES: readonly Outage[] = [
  {
    name: 'the worker hangs, and is killed',
    begin: async () => {
      // A worker that is frozen within a transaction would hold its locks.
      await contests.quiet();
      frozen = freezeNow(directory, 'worker');
    },
    end: replaceFrozen,
  },
  {
    name: 'Temporal is away',
    begin: () => temporal.away(),
    end: () => temporal.back(),
  },
];

const LOSS: Outage = {
  name: 'Temporal loses all it knew',
  begin: async () => {
    await temporal.away();
    temporal.loseData();
  },
  end: async () => {
    await temporal.back();
    await twoHoursPass();
  },
};

const contested = { knowledge: 'contested', left_contested: [], runs: 1 };
const escalated = { ...contested, item: 'escalated', reason: null };
const unanswered = {
  knowledge: 'rejected',
  item: 'rejected',
  reason: 'contest_unanswered',
  left_contested: ['contest_unanswered'],
  run: 'completed',
  runs: 1,
};
const decided = { escalated: null, run: 'completed', runs: 1 };
const DISMISSED = {
  ...decided,
  knowledge: 'provisional',
  item: 'approved',
  left_contested: ['curator_approved'],
};
const UPHELD = {
  ...decided,
  knowledge: 'rejected',
  item: 'rejected',
  left_contested: ['curator_rejected'],
};

const isDue = ({ is_due }: Outcome): boolean => is_due;
const isEscalated = (now: Outcome): boolean => now.escalated !== null;
const isOver = ({ run }: Outcome): boolean => run === 'completed';

describe.each([...sized({ short: [], long: ABSENCES }), LOSS])('while $name', ({ begin, end }) => {
  test(
    'deadlines pass: each contest is escalated once and decided for its subject once, or as the curator said meanwhile',
    async () => {
      const ids = [];
      for (let n = 0; n < 4; n += 1) ids.push(await contests.said());
      const [before = '', during = '', dismissed = '', upheld = ''] = ids;
      const waiting = [before, during];

      await contests.contest(before);
      await contests.contest(dismissed);
      await contests.untilAsleep([before, dismissed]);
      await begin();
      await contests.contest(during);
      await contests.contest(upheld);
      await contests.decide(dismissed, 'approve');
      await contests.decide(upheld, 'reject');
      await contests.until('the first day passes', ids, isDue);
      for (const id of waiting) expect(await contests.outcome(id)).toMatchObject(contested);
      const first = await contests.outcome(before);
      await end();

      await contests.until('both are escalated', waiting, isEscalated);
      await contests.untilAsleep(waiting);
      await begin();
      const second = await contests.outcome(before);
      expect(second).toMatchObject({ ...escalated, version: first.version + 1 });
      await contests.until('the second day passes', waiting, isDue);
      for (const id of waiting) expect(await contests.outcome(id)).toMatchObject(escalated);
      await end();

      await contests.until('all are over', ids, isOver);
      for (const id of waiting) expect(await contests.outcome(id)).toMatchObject(unanswered);
      expect((await contests.outcome(before)).escalated).toEqual(second.escalated);
      expect(await contests.outcome(dismissed)).toMatchObject(DISMISSED);
      expect(await contests.outcome(upheld)).toMatchObject(UPHELD);
      expect(await contests.brokenLaws()).toEqual([]);
    },
    LONGEST_MS,
  );
});

interface Stop {
  readonly status: string;
  readonly stop: (client: Client, id: string) => Promise<unknown>;
}

/** The ways in which somebody ends a workflow. */
const STOPS: readonly Stop[] = [
  { status: 'CANCELLED', stop: ({ workflow }, id) => workflow.getHandle(id).cancel() },
  { status: 'TERMINATED', stop: ({ workflow }, id) => workflow.getHandle(id).terminate() },
];

inLongRun(() => {
  test(
    'a look at a contest that dies with its worker is missed after seconds, and another worker looks again',
    async () => {
      const id = await contests.said();
      await contests.contest(id);
      await contests.untilAsleep([id]);
      await contests.duringLook(id, async () => {
        await untilReplaced(directory, 'worker', killNow(directory, 'worker'));
      });
      await contests.until('it is escalated', [id], isEscalated);
      expect(await contests.outcome(id)).toMatchObject(escalated);
      await contests.until('it is over', [id], isOver);
      expect(await contests.outcome(id)).toMatchObject(unanswered);
    },
    LONGEST_MS,
  );

  test(
    'the workflows of contests that were cancelled and terminated are started again under their ids, before either deadline',
    async () => {
      const stopped: (Stop & { readonly id: string; readonly workflowId: string })[] = [];
      for (const each of STOPS) {
        const id = await contests.said();
        await contests.contest(id);
        const { run_id: runId } = await contests.outcome(id);
        stopped.push({ ...each, id, workflowId: runWorkflowId('contest', runId) });
      }
      const ids = stopped.map(({ id }) => id);
      const haveStatus = async (wanted: (one: Stop) => string): Promise<void> => {
        for (const one of stopped) {
          await eventuallyAsked('it is over', async (client) => {
            return (await statusOf(client, one.workflowId)) === wanted(one);
          });
        }
      };
      const stopAll = async (): Promise<void> => {
        await contests.untilAsleep(ids);
        for (const { stop, workflowId } of stopped) {
          await askTemporal((client) => stop(client, workflowId));
        }
        await haveStatus(({ status }) => status);
        await contests.until('the day passes', ids, isDue);
        for (const id of ids) expect(await contests.outcome(id)).toMatchObject(contested);
        await twoHoursPass();
      };
      await stopAll();
      await contests.until('they are escalated', ids, isEscalated);
      const escalations = await Promise.all(ids.map((id) => contests.outcome(id)));
      await stopAll();
      await contests.until('they are over', ids, isOver);
      for (const [n, id] of ids.entries()) {
        const at = escalations[n]?.escalated;
        expect(await contests.outcome(id)).toMatchObject({ ...unanswered, escalated: at });
      }
      await haveStatus(() => 'COMPLETED');
      expect(await contests.brokenLaws()).toEqual([]);
    },
    LONGEST_MS,
  );
});
