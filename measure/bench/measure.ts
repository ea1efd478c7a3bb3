/** The whole measurement of one conversation: first pass, two repetitions, fresh messages. */
import type { Client } from './client.ts';
import type { Turn } from '../data/conversation-file.ts';
import { tryFreshMessages, type FreshResult } from './fresh.ts';
import { timeUntilFound, type FoundResult } from './found.ts';
import { runPass, waitUntilFinal, type Pass, type PassOptions, type Place } from './passes.ts';
import { changesBetween, citedCount, statementsOf, type Changes } from './statements.ts';
import { forEachOf, percentiles, type Durations } from './timing.ts';
import type { IngestStatus } from './client.ts';

export interface MeasureOptions {
  /** Tells this run's scopes, sessions and keys apart from those of other runs: lowercase letters and digits. */
  readonly run: string;
  readonly freshCount: number;
  /** Messages of which it is measured how soon they are found; each takes half a second of rest. */
  readonly foundCount: number;
  readonly concurrency: number;
  /** The longest a pass may take. */
  readonly patienceMs: number;
}

export interface Measurement {
  readonly messages: number;
  readonly first: {
    readonly completed: number;
    /** All statements, including superseded ones. */
    readonly statements: number;
    readonly superseded: number;
    readonly cited: number;
    readonly seconds: number;
    readonly accept: Durations;
  };
  readonly resent: Changes & { readonly completed: number; readonly seconds: number };
  readonly repeated: { readonly messagesAdded: number };
  readonly fresh: FreshResult;
  readonly found: FoundResult;
}

function completedOf({ statuses }: Pass): number {
  return statuses.filter(({ status }) => status === 'completed').length;
}

async function supersededIn(client: Client, scopePath: string): Promise<number> {
  const { count, complete } = await client.countInState(scopePath, 'superseded');
  if (!complete) throw new Error('more statements were superseded than one page shows');
  return count;
}

async function statusesOf(
  client: Client,
  messageIds: readonly string[],
  concurrency: number,
): Promise<IngestStatus[]> {
  const statuses: IngestStatus[] = [];
  await forEachOf(messageIds, concurrency, async (id, index) => {
    statuses[index] = await waitUntilFinal(client, id, 0);
  });
  return statuses;
}

/** Runs the whole measurement on a service that holds nothing of this run yet. */
export async function measureConversation(
  client: Client,
  turns: readonly Turn[],
  { run, freshCount, foundCount, concurrency, patienceMs }: MeasureOptions,
): Promise<Measurement> {
  const place = (name: string): Place => ({
    scopePath: `/bench/${run}/${name}`,
    sessionPrefix: `${run}-${name}`,
  });
  const whole = place('whole');
  const options: PassOptions = { place: whole, concurrency, patienceMs };
  const keyOf = (index: number): string => `${run}-${index}`;

  const first = await runPass(client, turns, { ...options, keyOf });
  const before = statementsOf(first.statuses);
  const superseded = await supersededIn(client, whole.scopePath);

  const resent = await runPass(client, turns, options);
  const now = await statusesOf(client, first.messageIds, concurrency);
  const after = statementsOf([...now, ...resent.statuses]);
  const supersededSince = (await supersededIn(client, whole.scopePath)) - superseded;
  const changes = changesBetween(before, after);

  const repeated = await runPass(client, turns, { ...options, keyOf });
  const known = new Set(first.messageIds);

  const citing = turns.filter((_, index) => (first.statuses[index]?.knowledge.length ?? 0) > 0);
  const fresh = await tryFreshMessages(client, citing, {
    place: place('fresh'),
    count: freshCount,
    patienceMs,
  });
  const found = await timeUntilFound(client, citing, {
    place: place('found'),
    count: foundCount,
    patienceMs,
  });
  return {
    messages: turns.length,
    first: {
      completed: completedOf(first),
      statements: before.size + superseded,
      superseded,
      cited: citedCount(before, first.messageIds),
      seconds: first.seconds,
      accept: percentiles(first.accepts),
    },
    resent: {
      added: changes.added + supersededSince,
      corroborationChanged: changes.corroborationChanged,
      completed: completedOf(resent),
      seconds: resent.seconds,
    },
    repeated: { messagesAdded: repeated.messageIds.filter((id) => !known.has(id)).length },
    fresh,
    found,
  };
}

/** Whether the service kept its promises: no message lost, no statement twice, each statement found at once. */
export function promisesKept({ messages, first, resent, repeated, fresh }: Measurement): boolean {
  return (
    first.completed === messages &&
    resent.completed === messages &&
    resent.added === 0 &&
    resent.corroborationChanged === 0 &&
    repeated.messagesAdded === 0 &&
    fresh.tried > 0 &&
    fresh.found === fresh.tried &&
    fresh.leaked === 0
  );
}
