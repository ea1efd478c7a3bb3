/**
 * How many observations the service accepts over HTTP, and how many the database alone accepts, in turns within one
 * run. The worker is stopped meanwhile, so that both have the machine to themselves. One round runs with the worker at
 * work.
 */
import { createObservations } from './observations.ts';
import { sendObservations } from './http-load.ts';
import { sendAtPace } from './paced-load.ts';
import { openDatabaseLoad, type DatabaseLoad } from './pgbench.ts';
import type { LoadedStack } from './stack.ts';
import { median } from '../timing.ts';

const ROUNDS = 3;
const SECONDS = 5;
const CLIENTS = [1, 8, 32] as const;
const SESSIONS = 40;

export interface AcceptFigures {
  readonly clients: number;
  /** Observations a second, medians of the rounds. */
  readonly door: number;
  readonly sqlFunction: number;
  readonly threeRows: number;
  /** Median of the rounds' own ratios. */
  readonly ratio: number;
  readonly p50: number;
  readonly p99: number;
}

export interface AcceptResult {
  readonly rounds: readonly AcceptFigures[];
  /** At eight clients while extraction is under way. */
  readonly withExtraction: { readonly door: number; readonly p99: number };
  /** At half the rate that eight clients reached. */
  readonly atHalf: { readonly rate: number; readonly p50: number; readonly p99: number };
}

async function atClients(
  stack: LoadedStack,
  database: DatabaseLoad,
  next: Parameters<typeof sendObservations>[1],
  clients: number,
): Promise<AcceptFigures> {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sqlFunction = await database.functionPerSecond(clients, SECONDS);
    const door = await sendObservations(stack, next, { clients, seconds: SECONDS });
    const threeRows = await database.threeRowsPerSecond(clients, SECONDS);
    rounds.push({ sqlFunction, door, threeRows });
  }
  return {
    clients,
    door: median(rounds.map(({ door }) => door.perSecond)),
    sqlFunction: median(rounds.map(({ sqlFunction }) => sqlFunction)),
    threeRows: median(rounds.map(({ threeRows }) => threeRows)),
    ratio: median(rounds.map(({ door, sqlFunction }) => door.perSecond / sqlFunction)),
    p50: median(rounds.map(({ door }) => door.p50)),
    p99: median(rounds.map(({ door }) => door.p99)),
  };
}

/** Stops the worker by a signal while `work` runs: it then takes no processor time, and no new worker is started. */
async function withoutWorker<T>(stack: LoadedStack, work: () => Promise<T>): Promise<T> {
  const pid = stack.processes().get('worker');
  if (pid === undefined) throw new Error('no worker runs');
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

export async function measureAccept(stack: LoadedStack): Promise<AcceptResult> {
  const next = createObservations('accept', SESSIONS);
  // Warms both sides up, and makes the rows that the database scripts refer to.
  await sendObservations(stack, next, { clients: 8, seconds: 2 });
  const busy = await sendObservations(stack, next, { clients: 8, seconds: SECONDS });
  const database = await openDatabaseLoad(stack);
  try {
    return await withoutWorker(stack, async () => {
      const rounds: AcceptFigures[] = [];
      for (const clients of CLIENTS) rounds.push(await atClients(stack, database, next, clients));
      const saturation = rounds.find(({ clients }) => clients === 8)?.door ?? 0;
      const rate = Math.round(saturation / 2);
      const half = await sendAtPace(stack, next, { rate, amount: rate * 10 });
      return {
        rounds,
        withExtraction: { door: busy.perSecond, p99: busy.p99 },
        atHalf: { rate, p50: half.p50, p99: half.p99 },
      };
    });
  } finally {
    database.close();
  }
}
