/**
 * Where the cost of observations and searches goes: by process, by SQL statement, by table and by function. The messages are
 * those of real conversations where they lie beside the checkout, because made-up ones have other words; else made up.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLocomo, type LocomoConversation } from '../../../data/locomo.ts';
import { processorSeconds } from '../processor.ts';
import { sendObservations } from '../http-load.ts';
import type { LoadObservation } from '../observations.ts';
import { copyStatements } from '../copies.ts';
import { INDEXED_WITHIN_MS } from '../growth.ts';
import { createObservations } from '../observations.ts';
import { openDatabaseLoad } from '../pgbench.ts';
import { forEachOf, percentiles, timed, type Durations } from '../../timing.ts';
import { post } from '../post.ts';
import { ACTORS_SLEEP_MS, transitions, untilDone, untilNothingIsMarked } from '../searchable.ts';
import type { LoadedStack } from '../stack.ts';
import { databaseCosts, type DatabaseCosts } from './counters.ts';
import { functionTimes, type FunctionTimes } from './functions.ts';

export interface ProfileOptions {
  /** The folder with the sets of conversations. */
  readonly data: string;
  /** Observations that are measured. */
  readonly amount: number;
  /** Observations that the service holds before. */
  readonly held: number;
  /** Statements of the same scope that it holds besides: copies of one, with other texts. */
  readonly copied: number;
}

export interface Profile {
  readonly of: string;
  /** Units of work: observations or searches. */
  readonly units: number;
  readonly seconds: number;
  readonly processor: ProcessorTimes;
  readonly database: DatabaseCosts;
  readonly transitions: number;
  /** Of the process that does the most of it. */
  readonly functions: { readonly process: string; readonly times: FunctionTimes };
}

const SCOPE = '/bench/profile';
const CLIENTS = 8;
const WARM_UP = 50;
const SEARCHES = 200;

interface Talk {
  /** From now on the messages come as they were said. */
  begin(): void;
  /** The next message, as a caller sends it. */
  readonly next: () => LoadObservation;
  readonly questions: readonly string[];
}

function realTalk(conversations: readonly LocomoConversation[]): Talk {
  const all = conversations.flatMap(({ conversation_id: id, messages }) =>
    messages.map(({ session_id: session, speaker, content }) => ({
      session_id: `${id}-${session}`,
      scope_path: SCOPE,
      peer_key: speaker.toLowerCase(),
      content,
    })),
  );
  // What is measured comes as it was said.
  let at = all.length;
  return {
    begin() {
      at = 0;
    },
    next() {
      const message = all[at % all.length];
      const round = Math.floor(at / all.length);
      at += 1;
      if (message === undefined) throw new Error('the conversations are empty');
      if (round === 0) return message;
      // Said again, but not in the same words: a repetition is less work than something new.
      const content = `${message.content} That was day ${at}.`;
      return { ...message, content, session_id: `${message.session_id}-${round}` };
    },
    questions: conversations.flatMap(({ questions }) => questions.map(({ question }) => question)),
  };
}

function madeUpTalk(): Talk {
  const next = createObservations('profile', 40);
  const things = ['kettle', 'canoe', 'ladder', 'lantern', 'drill', 'saddle', 'easel', 'anvil'];
  return {
    begin: () => undefined,
    next,
    questions: things.map((thing) => `Who bought the ${thing}, and where?`),
  };
}

async function measured(
  stack: LoadedStack,
  of: string,
  process: string,
  units: number,
  work: () => Promise<void>,
): Promise<Profile> {
  const pid = stack.processes().get(process);
  if (pid === undefined) throw new Error(`no ${process} runs`);
  const [before, transitionsBefore] = [processorSeconds(stack), await transitions(stack)];
  let seconds = 0;
  let after = before;
  let times: FunctionTimes | undefined;
  const database = await databaseCosts(stack.admin, async () => {
    times = await functionTimes(pid, async () => {
      const startedAt = performance.now();
      await work();
      seconds = (performance.now() - startedAt) / 1000;
      after = processorSeconds(stack);
    });
  });
  if (times === undefined) throw new Error('nothing was sampled');
  return {
    of,
    units,
    seconds,
    processor: spentBetween(before, after, units),
    database,
    transitions: (await transitions(stack)) - transitionsBefore,
    functions: { process, times },
  };
}

/** Asks each question once, over so many connections; answers how long each search took, in milliseconds. */
async function searchEach(
  stack: LoadedStack,
  questions: readonly string[],
  clients = 1,
): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const took: number[] = [];
  try {
    await forEachOf(questions, clients, async (query) => {
      const body = { query, scope_path: SCOPE, limit: 12 };
      took.push((await timed(() => post(agent, stack, '/api/v1/search', body))).ms);
    });
  } finally {
    agent.destroy();
  }
  return took;
}

/** Milliseconds of processor time of a unit, by process. */
type ProcessorTimes = ReadonlyMap<string, number>;

/** Searches that nobody watches. */
export interface UnwatchedSearches {
  readonly alone: Durations;
  readonly processorAlone: ProcessorTimes;
  /** Searches a second of eight clients. */
  readonly together: number;
  readonly processorTogether: ProcessorTimes;
}

/** What the processes spent between two readings, for one of so many units. */
function spentBetween(before: ProcessorTimes, after: ProcessorTimes, units: number) {
  return new Map(
    [...after].map(([name, spent]) => [name, (1000 * (spent - (before.get(name) ?? 0))) / units]),
  );
}

async function unwatched(
  stack: LoadedStack,
  questions: readonly string[],
): Promise<UnwatchedSearches> {
  const half = Math.ceil(questions.length / 2);
  const first = processorSeconds(stack);
  const alone = percentiles(await searchEach(stack, questions.slice(0, half)));
  const second = processorSeconds(stack);
  const rest = questions.slice(half);
  const { ms } = await timed(() => searchEach(stack, rest, CLIENTS));
  return {
    alone,
    processorAlone: spentBetween(first, second, half),
    together: (1_000 * rest.length) / ms,
    processorTogether: spentBetween(second, processorSeconds(stack), rest.length),
  };
}

export interface Profiles {
  readonly watched: readonly Profile[];
  readonly searches: UnwatchedSearches;
  /** Transactions a second that `pgbench` makes, of three rows each, with eight clients: how fast the machine is. */
  readonly threeRows: number;
}

async function threeRows(stack: LoadedStack): Promise<number> {
  const database = await openDatabaseLoad(stack);
  try {
    return await database.threeRowsPerSecond(CLIENTS, 5);
  } finally {
    database.close();
  }
}

/**
 * Measures a burst of observations, then searches one after the other, each with a question of its own; then searches that
 * nobody watches.
 */
export async function measureProfile(
  stack: LoadedStack,
  { amount, copied, data, held }: ProfileOptions,
): Promise<Profiles> {
  const conversations = readLocomo(data);
  const talk = conversations === null ? madeUpTalk() : realTalk(conversations);
  let sent = 0;
  const send = async (count: number): Promise<void> => {
    await sendObservations(stack, talk.next, { clients: CLIENTS, amount: count });
    sent += count;
    await untilDone(stack.admin, SCOPE, sent);
    await untilNothingIsMarked(stack.admin);
  };
  await send(WARM_UP + held);
  if (copied > 0) {
    await copyStatements(stack.admin, SCOPE, copied);
    sent += copied;
    await untilNothingIsMarked(stack.admin, INDEXED_WITHIN_MS);
  }
  talk.begin();
  const observed = await measured(stack, 'observation', 'worker', amount, () => send(amount));
  const questions = talk.questions.slice(0, SEARCHES);
  await sleep(ACTORS_SLEEP_MS);
  await searchEach(stack, talk.questions.slice(SEARCHES, SEARCHES + WARM_UP));
  const searched = await measured(stack, 'search', 'api', questions.length, async () => {
    await searchEach(stack, questions);
  });
  const others = talk.questions.slice(SEARCHES + WARM_UP, 3 * SEARCHES + WARM_UP);
  const searches = await unwatched(stack, others.length === 0 ? questions : others);
  return {
    watched: [observed, searched],
    searches,
    threeRows: await threeRows(stack),
  };
}
