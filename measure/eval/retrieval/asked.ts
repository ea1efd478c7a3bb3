/** Asks the questions of loaded conversations, and counts what an answer must never hold. */
import { forEachOf } from '../../bench/timing.ts';
import type { Place } from '../rank/metrics.ts';
import type { Bench } from '../service/conversation.ts';
import type { Retrieval } from '../service/retrieval.ts';
import type { Loaded } from './loaded.ts';
import type { Answered } from './scored.ts';

const CONCURRENCY = 4;
/** The deepest figure of a list of messages. */
export const DEEPEST = 50;

/** What went wrong in answers; each must be 0. */
export interface Faults {
  /** Answers that say that they are not complete. */
  incomplete: number;
  /** Results that were not sent to the place that was asked. */
  foreign: number;
  answers: number;
  results: number;
}

export function noFaults(): Faults {
  return { incomplete: 0, foreign: 0, answers: 0, results: 0 };
}

/** Where questions are asked: the scope, and every message in it. */
export interface Ground {
  readonly scopePath: string;
  readonly ids: ReadonlyMap<string, string>;
}

export function groundOf({ ids, place }: Loaded): Ground {
  return { scopePath: place.scopePath, ids };
}

async function askAll(
  { conversation }: Loaded,
  ask: (question: string) => Promise<readonly Place[]>,
): Promise<Answered> {
  const found: (readonly Place[])[] = [];
  await forEachOf(conversation.questions, CONCURRENCY, async ({ text }, at) => {
    found[at] = await ask(text);
  });
  return { conversation, found };
}

export interface SourceOptions {
  readonly limit?: number;
  /** The peer in whose name is read; the agent unless given. */
  readonly reader?: string;
  /** Where other messages stand too. */
  readonly ground?: Ground;
}

/** Messages by words, for each question of the conversation. */
export function askSources(
  bench: Bench,
  loaded: Loaded,
  faults: Faults,
  { ground = groundOf(loaded), limit = DEEPEST, reader }: SourceOptions = {},
): Promise<Answered> {
  return askAll(loaded, async (question) => {
    const answer = await bench.retrieval.sources(question, {
      scopePath: ground.scopePath,
      limit,
      ...(reader === undefined ? {} : { reader }),
    });
    faults.answers += 1;
    faults.results += answer.results.length;
    if (answer.status !== 'ready' && answer.status !== 'empty') faults.incomplete += 1;
    return answer.results.map(({ message_id, scope_path }) => {
      const id = ground.ids.get(message_id);
      if (id === undefined || scope_path !== ground.scopePath) faults.foreign += 1;
      return loaded.ids.get(message_id) ?? '';
    });
  });
}

/** The messages that each found statement cites, for each question. */
export function askStatements(
  bench: Bench,
  loaded: Loaded,
  faults: Faults,
  limit: number,
): Promise<Answered> {
  const { scopePath } = loaded.place;
  return askAll(loaded, async (question) => {
    const answer = await bench.retrieval.statements(question, { scopePath, limit });
    faults.answers += 1;
    faults.results += answer.candidates.length;
    if (answer.degraded) faults.incomplete += 1;
    return answer.candidates.map(({ scope_path, source_message_ids }) => {
      const isOwn = source_message_ids.every((id) => loaded.ids.has(id));
      if (!isOwn || scope_path !== scopePath) faults.foreign += 1;
      return source_message_ids.flatMap((id) => loaded.ids.get(id) ?? []);
    });
  });
}

/** Messages in the order in which they were shown, with their scores. */
export type Ranking = readonly (readonly [id: string, score: number])[];

export async function rankingOf(
  retrieval: Retrieval,
  question: string,
  { ids, scopePath }: Ground,
): Promise<Ranking> {
  const { results } = await retrieval.sources(question, { scopePath, limit: DEEPEST });
  return results.map(({ message_id, score }) => [ids.get(message_id) ?? '', score] as const);
}
