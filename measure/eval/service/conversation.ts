/** Sends conversations to the service and reads their statements. */
import { forEachOf } from '../../bench/timing.ts';
import type { Client, Statement } from '../../bench/client.ts';
import type { Turn } from '../../data/conversation-file.ts';
import type { Row } from '../report.ts';
import type { AcceptContent } from './accept.ts';
import type { Retrieval } from './retrieval.ts';
import { runPass, type Pass, type PassOptions, type Place } from '../../bench/passes.ts';
import { statementsOf } from '../../bench/statements.ts';

/** The access to the service that every ability gets. */
export interface Bench {
  readonly client: Client;
  readonly accept: AcceptContent;
  readonly retrieval: Retrieval;
  /** Another account: its agent, and what it finds. */
  readonly elsewhere: { readonly client: Client; readonly retrieval: Retrieval };
  /** Returns once every message is extracted and both indexes are written. */
  quiet(): Promise<void>;
  /** Writes everything of the account to both indexes again. */
  rebuild(): Promise<void>;
  /** Adds so many units to the other account, and returns once both indexes hold them. */
  addForeign(units: number): Promise<void>;
  /** Starts the service again with these settings; what it holds stays. */
  restart(settings: Readonly<Record<string, string>>): Promise<void>;
  /** Tells scopes and sessions of this run apart from those of other runs: lowercase letters and digits. */
  readonly run: string;
}

/** One ability; its data is read before the service is started. */
export interface Ability {
  readonly title: string;
  /** Null where the data is missing. */
  prepare(dataFolder: string): ((bench: Bench) => Promise<readonly Row[]>) | null;
}

export interface Ingested extends Pass {
  readonly place: Place;
  readonly completed: number;
  readonly statements: ReadonlyMap<string, Statement>;
}

const CONCURRENCY = 8;
const PATIENCE_MS = 900_000;

export function placeOf({ run }: Bench, name: string): Place {
  return { scopePath: `/eval/${run}/${name}`, sessionPrefix: `${run}-${name}` };
}

/** Sends the turns into a scope of their own and waits until each is extracted. */
export async function ingest(
  bench: Bench,
  name: string,
  turns: readonly Turn[],
  keyOf?: PassOptions['keyOf'],
): Promise<Ingested> {
  const place = placeOf(bench, name);
  const pass = await runPass(bench.client, turns, {
    place,
    concurrency: CONCURRENCY,
    patienceMs: PATIENCE_MS,
    ...(keyOf === undefined ? {} : { keyOf }),
  });
  // A later merge may change the sources of a final message's statements, so all statuses are read again at the end.
  const statuses = [...pass.statuses];
  await forEachOf(pass.messageIds, CONCURRENCY, async (id, index) => {
    statuses[index] = await bench.client.settled(id);
  });
  return {
    ...pass,
    statuses,
    place,
    completed: statuses.filter(({ status }) => status === 'completed').length,
    statements: statementsOf(statuses),
  };
}
