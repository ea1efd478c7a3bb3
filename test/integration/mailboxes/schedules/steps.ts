/** The alphabet of schedules, and how a world takes each step. */
import * as fc from 'fast-check';
import type { Passage, Point } from './gates.ts';
import type { Worker } from './worker.ts';
import { LONG_SECONDS, type World } from './world.ts';

export type Step =
  | {
      readonly do: 'ingest';
      readonly session: number;
      readonly stores: 'at_once' | 'later';
      readonly rings: 'at_once' | 'later' | 'never';
    }
  | { readonly do: 'store' | 'race' | 'cancel' | 'sweep' }
  | { readonly do: 'bell'; readonly how: Passage }
  /** A worker goes on until it is about to do `until`, and is frozen there. */
  | { readonly do: 'run'; readonly worker: number; readonly until: Point | null }
  /** The current attempt freezes there, or where it stands, and misses its heartbeats: it is made again. */
  | { readonly do: 'lapse'; readonly at: Point | null }
  | { readonly do: 'step' | 'stop' | 'kill'; readonly worker: number }
  | { readonly do: 'pause'; readonly paused: boolean }
  | { readonly do: 'elapse'; readonly seconds: number };

export interface Schedule {
  readonly unitsPerDrain: number;
  readonly steps: readonly Step[];
  /** At the end of the faults: an attempt that still runs goes on, or is given up and made again. */
  readonly end: 'goes_on' | 'times_out';
}

/** Where a freeze means something else. */
const FREEZES: readonly (Point | null)[] = [
  'open',
  'take',
  'load',
  'extract',
  'commit',
  'complete',
  'linger',
  'close',
  'look',
  'next_due',
  null,
  null,
];

const whichWorker = fc.nat(3);
const session = fc.nat(1);
const run = fc.record({
  do: fc.constant('run' as const),
  worker: whichWorker,
  until: fc.constantFrom(...FREEZES),
});
const lapse = fc.record({
  do: fc.constant('lapse' as const),
  at: fc.constantFrom<(Point | null)[]>(
    'open',
    'take',
    'extract',
    'commit',
    'commit',
    'complete',
    'look',
    null,
  ),
});
const elapse = fc.record({
  do: fc.constant('elapse' as const),
  seconds: fc.constantFrom(3, 11, LONG_SECONDS),
});

function ingest(rings: readonly ('at_once' | 'later' | 'never')[]) {
  return fc.record({
    do: fc.constant('ingest' as const),
    session,
    stores: fc.constantFrom('at_once' as const, 'later' as const),
    rings: fc.constantFrom(...rings),
  });
}

function bell(passages: readonly Passage[]) {
  return fc.record({ do: fc.constant('bell' as const), how: fc.constantFrom(...passages) });
}

const plain = (...names: readonly ('store' | 'race' | 'cancel' | 'sweep')[]) =>
  fc.record({ do: fc.constantFrom(...names) });
const ofWorker = (...names: readonly ('step' | 'stop' | 'kill')[]) =>
  fc.record({ do: fc.constantFrom(...names), worker: whichWorker });

/** Everything may be late and anything may happen in between, but nothing is lost and no worker dies. */
const lateStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: ingest(['at_once', 'at_once', 'later']) },
  { weight: 2, arbitrary: bell(['pass', 'pass', 'twice']) },
  { weight: 7, arbitrary: run },
  { weight: 2, arbitrary: ofWorker('step', 'step', 'step', 'stop') },
  { weight: 2, arbitrary: plain('store') },
  { weight: 1, arbitrary: elapse },
);

const faultyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ingest(['at_once', 'at_once', 'later', 'never']) },
  { weight: 2, arbitrary: bell(['pass', 'lose', 'twice']) },
  { weight: 9, arbitrary: run },
  { weight: 3, arbitrary: ofWorker('step', 'step', 'stop', 'kill') },
  { weight: 4, arbitrary: lapse },
  { weight: 4, arbitrary: plain('store', 'race', 'sweep', 'cancel') },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pause' as const), paused: fc.boolean() }),
  },
  { weight: 2, arbitrary: elapse },
);

function schedule(step: fc.Arbitrary<Step>): fc.Arbitrary<Schedule> {
  return fc.record({
    unitsPerDrain: fc.constantFrom(2, 100, 100),
    steps: fc.array(step, { minLength: 6, maxLength: 14, size: 'max' }),
    end: fc.constantFrom('goes_on' as const, 'times_out' as const),
  });
}

export const lateSchedules = schedule(lateStep);
export const faultySchedules = schedule(faultyStep);

/** One of those that still move, so that no step is wasted. */
function pick(world: World, index: number): Worker | null {
  const moving = world.workers.filter((worker) => worker.moves);
  return moving[index % moving.length] ?? null;
}

async function ingestInto(world: World, step: Extract<Step, { do: 'ingest' }>): Promise<void> {
  await world.request(step.session, step.rings !== 'never');
  if (step.stores === 'later') return;
  await world.store();
  if (step.rings === 'at_once') await world.bellThrough();
}

/** Takes one step. Steps that mean nothing at the moment are passed over. */
export async function take(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case 'ingest':
      return ingestInto(world, step);
    case 'bell':
      return world.bellStep(step.how);
    case 'run':
      return pick(world, step.worker)?.runUntil(step.until);
    case 'step':
      return pick(world, step.worker)?.step();
    case 'stop':
      return pick(world, step.worker)?.stop();
    case 'kill':
      return pick(world, step.worker)?.kill();
    case 'pause':
      return world.pause(step.paused);
    case 'elapse':
      return world.elapse(step.seconds);
    case 'store':
      return world.store();
    case 'race':
      return world.race();
    case 'sweep':
      return world.sweep();
    case 'lapse':
      return world.lapse(step.at);
    case 'cancel':
      return world.temporal.cancel();
    default:
      return step satisfies never;
  }
}
