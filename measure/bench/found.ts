/**
 * Measures how soon an idle service finds what it has just accepted: messages are sent one after another into sessions that
 * go on, so that each has neighbours, and from its 202 on each is searched for until a search shows it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Turn } from '../data/conversation-file.ts';
import { observationOf, type Place } from './passes.ts';
import { percentiles, type Durations } from './timing.ts';

/** Between two searches for the same message. */
const PAUSE_MS = 10;
/** Between two messages: what the first one left to do is done by then. */
const IDLE_MS = 500;
const LONGEST_QUERY_CHARS = 200;

export interface FoundOptions {
  readonly place: Place;
  readonly count: number;
  readonly patienceMs: number;
}

export interface FoundResult {
  /** Messages that were looked for; about as many statements. */
  readonly tried: number;
  /** From 202 to the search over messages that shows the message. */
  readonly message: Durations;
  /** From 202 to the search that shows a statement that was drawn from it. */
  readonly statement: Durations;
}

/** Milliseconds from `since` until the search shows it. Throws when it never does. */
async function until(
  since: number,
  patienceMs: number,
  isShown: () => Promise<boolean>,
): Promise<number> {
  for (;;) {
    if (await isShown()) return performance.now() - since;
    if (performance.now() - since > patienceMs) throw new Error('a message was never found');
    await sleep(PAUSE_MS);
  }
}

/** The words of a text, without whatever could be an operator. */
function plainQuery(content: string): string {
  return content
    .replaceAll(/[^\p{L}\p{N}\p{M}' ]+/gu, ' ')
    .replaceAll(/\b[oO][rR]\b/g, ' ')
    .slice(0, LONGEST_QUERY_CHARS);
}

/**
 * `turns` are those that yield a statement each. Every other message is looked for, and of those between a statement: two
 * searches at once would wait for each other.
 */
export async function timeUntilFound(
  client: Client,
  turns: readonly Turn[],
  { count, patienceMs, place }: FoundOptions,
): Promise<FoundResult> {
  const times = { message: [] as number[], statement: [] as number[] };
  const { scopePath } = place;
  for (const [n, turn] of turns.slice(0, count).entries()) {
    await sleep(IDLE_MS);
    const id = await client.ingest(observationOf(turn, place));
    const since = performance.now();
    const query = plainQuery(turn.content);
    const ofMessage = async (): Promise<boolean> =>
      (await client.sources(query, scopePath)).includes(id);
    const ofStatement = async (): Promise<boolean> => {
      const candidates = await client.search(query, scopePath);
      return candidates.some(({ source_message_ids: sources }) => sources.includes(id));
    };
    const sort = n % 2 === 0 ? 'message' : 'statement';
    const isShown = sort === 'message' ? ofMessage : ofStatement;
    times[sort].push(await until(since, patienceMs, isShown));
  }
  return {
    tried: times.message.length,
    message: percentiles(times.message),
    statement: percentiles(times.statement),
  };
}
