/** One input through one start of the whole service, undisturbed or with kills, up to its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack, type RunningStack, type StackDirectory } from '../../../measure/stack.ts';
import { killNow, untilReplaced, type ProcessName } from './children.ts';
import {
  committedCount,
  marksLeft,
  openWatch,
  unfinishedAnchors,
  workUnderWay,
  type WorkUnderWay,
} from './database.ts';
import type { Watch } from './database.ts';
import type { Observation } from './input.ts';
import { startLoad, type Load } from './load.ts';
import type { Provider } from './provider.ts';
import { until } from './until.ts';
import { HANGS_MS } from '../../support/patience.ts';

export interface Kill {
  readonly process: ProcessName;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Observations that were accepted by then. */
  readonly accepted: number;
  /** Anchors held just before. */
  readonly holds: number;
  /** Anchors whose statements were committed before. */
  readonly committed: readonly string[];
  /** How many of them were not completed yet. */
  readonly between: number;
  /** Until more were committed; null when the load had ended by then. */
  readonly recoveredSeconds: number | null;
}

export interface RunOptions {
  readonly directory: StackDirectory;
  readonly provider: Provider;
  readonly observations: readonly Observation[];
  /** Null sends as fast as the service answers. */
  readonly perSecond: number | null;
  /** The processes to kill, in this order. */
  readonly victims: readonly ProcessName[];
  /** Observations that are accepted before the first kill and between two. */
  readonly acceptedBetweenKills: number;
}

export interface Run {
  readonly stack: RunningStack;
  readonly watch: Watch;
  readonly kills: readonly Kill[];
  readonly repeats: number;
  readonly loadSeconds: number;
  /** From the end of the load to the last settled anchor. */
  readonly drainSeconds: number;
  /** From the last settled anchor until no mark was left. */
  readonly marksSeconds: number;
  /** Message ids by number. */
  readonly numbers: ReadonlyMap<number, string>;
  stop(): Promise<void>;
}

/** How long a kill waits for the moment between two commits. */
const BETWEEN_WITHIN_MS = 2_000;
const HOLDS_WITHIN_MS = HANGS_MS;
/** What was on its way to its commit just then still arrives. */
const KILL_TAKES_MS = 200;
const SETTLED_WITHIN_MS = 2 * HANGS_MS;
/** What the indexes may lag behind the last completed observation. */
export const MARKS_WITHIN_MS = HANGS_MS;

interface Progress {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly committed: number;
}

/** Looks how much is committed until `signal` aborts. */
async function watchProgress(databaseUrl: string, signal: AbortSignal): Promise<Progress[]> {
  const watch = openWatch(databaseUrl);
  const seen: Progress[] = [];
  while (!signal.aborted) {
    const committed = await committedCount(watch);
    if (committed !== null) seen.push({ at: Date.now(), committed });
    await sleep(100);
  }
  await watch.close();
  return seen;
}

function recovered(kill: Kill, progress: readonly Progress[]): Kill {
  const before = progress.findLast(({ at }) => at <= kill.at + KILL_TAKES_MS)?.committed ?? 0;
  const next = progress.find(({ at, committed }) => at > kill.at && committed > before);
  return {
    ...kill,
    recoveredSeconds: next === undefined ? null : (next.at - kill.at) / 1_000,
  };
}

async function untilAccepted(load: Load, wanted: number): Promise<void> {
  let ended = false;
  const end = (): void => void (ended = true);
  load.done.then(end, end);
  while (load.accepted() < wanted) {
    if (ended) {
      await load.done;
      throw new Error(`the load ended with ${load.accepted()} accepted, before ${wanted}`);
    }
    await sleep(10);
  }
}

/**
 * Kills one process while anchors are held and the provider is being asked; if it can be had soon, also between
 * the two commits of an anchor, where asking the provider again would be the mistake.
 */
async function killOne(
  { directory, provider }: RunOptions,
  { load, watch, process }: { load: Load; watch: Watch; process: ProcessName },
): Promise<Kill> {
  const startedAt = performance.now();
  let work: WorkUnderWay = { holds: 0, between: 0, committed: [] };
  const isWorthIt = async (): Promise<boolean> => {
    const seen = await workUnderWay(watch);
    if (seen === null) return false;
    work = seen;
    const late = performance.now() - startedAt > BETWEEN_WITHIN_MS;
    return work.holds > 0 && provider.stub.open() > 0 && (late || work.between > 0);
  };
  await until(`anchors are held before ${process} is killed`, HOLDS_WITHIN_MS, isWorthIt, 5);
  const pid = killNow(directory, process);
  const kill = { process, at: Date.now(), accepted: load.accepted(), ...work };
  await untilReplaced(directory, process, pid);
  return { ...kill, recoveredSeconds: null };
}

/**
 * While a kill waits for work under way, one more message may be sent every so often: on a slow machine all that was
 * allowed may be done with before anybody saw it in work, and then nothing would ever be.
 */
const TRICKLE_MS = 1_000;

/**
 * How many are to be accepted before the next kill: as many more as wanted or, where waiting has used up others, an equal
 * share of the rest.
 */
function dueBeforeKill(
  { acceptedBetweenKills, observations, victims }: RunOptions,
  kills: readonly Kill[],
): number {
  const last = kills.at(-1)?.accepted ?? 0;
  const share = Math.floor((observations.length - last) / (victims.length - kills.length + 1));
  return last + Math.min(acceptedBetweenKills, Math.max(1, share));
}

async function killAll(
  options: RunOptions,
  { load, watch, kills, more }: { load: Load; watch: Watch; kills: Kill[]; more: () => void },
): Promise<void> {
  for (const process of options.victims) {
    await untilAccepted(load, dueBeforeKill(options, kills));
    const trickle = setInterval(more, TRICKLE_MS);
    try {
      kills.push(await killOne(options, { load, watch, process }));
    } finally {
      clearInterval(trickle);
    }
  }
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

async function workThrough(
  options: RunOptions,
  stack: RunningStack,
  watch: Watch,
): Promise<Omit<Run, 'stack' | 'watch' | 'stop'>> {
  const stopped = new AbortController();
  const startedAt = performance.now();
  const kills: Kill[] = [];
  const { observations, perSecond, victims } = options;
  // No kill comes after the load, however slow the machine is.
  let further = 0;
  const allowed = (): number => {
    // What waiting uses up leaves one observation for each later kill.
    const later = Math.max(0, victims.length - kills.length - 1);
    const planned = ((kills.length + 1) / (victims.length + 1)) * observations.length;
    return Math.min(planned + further, observations.length - later);
  };
  const { signal } = stopped;
  const load = startLoad({ observations, perSecond, target: stack, allowed, signal });
  const progress = watchProgress(stack.databaseUrl, stopped.signal);
  try {
    const killing = killAll(options, { load, watch, kills, more: () => (further += 1) });
    const [numbers] = await Promise.all([load.done, killing]);
    const loadSeconds = secondsSince(startedAt);
    const drainMs = await until('everything is settled', SETTLED_WITHIN_MS, async () => {
      return (await unfinishedAnchors(watch)) === 0;
    });
    const marksMs = await until('no mark is left', MARKS_WITHIN_MS, async () => {
      return (await marksLeft(watch)) === 0;
    });
    stopped.abort();
    const seen = await progress;
    return {
      kills: kills.map((kill) => recovered(kill, seen)),
      numbers,
      repeats: load.repeats(),
      loadSeconds,
      drainSeconds: drainMs / 1_000,
      marksSeconds: marksMs / 1_000,
    };
  } finally {
    stopped.abort();
    await progress;
  }
}

/** Starts the service, works the input through it and leaves it running for questions. */
export async function runInput(options: RunOptions): Promise<Run> {
  const stack = await startStack(options.directory, options.provider.settings);
  const watch = openWatch(stack.databaseUrl);
  const stop = async (): Promise<void> => {
    await watch.close();
    await stack.stop();
  };
  try {
    return { stack, watch, stop, ...(await workThrough(options, stack, watch)) };
  } catch (error) {
    // What went wrong first is what is told.
    await stop().catch(() => undefined);
    throw error;
  }
}
