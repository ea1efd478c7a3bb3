/** Searches over HTTP, in turns with the same requests to Qdrant alone. */
import type { Asked, Question } from './asked.ts';
import { Agent } from 'node:http';
import { z } from 'zod';
import { post } from '../load/post.ts';
import type { LoadedStack } from '../load/stack.ts';
import { forEachOf, percentiles, timed, type Durations } from '../timing.ts';
import { parts, type Parts } from './cost.ts';
import { processorSeconds } from '../load/processor.ts';
import { scopeOf, SCOPES } from './fill.ts';
import type { RawSearch } from './raw.ts';

const WARM_UP = 40;
const ROUNDS = 5;
const A_ROUND = 80;

export interface Figure extends Asked {
  readonly service: Durations & { readonly perSecond: number; readonly degraded: number };
  /** Null where such a search asks Qdrant nothing. */
  readonly raw: Durations | null;
  /** Milliseconds of processor time for a search, by process. */
  readonly processor: ReadonlyMap<string, number>;
  /** Milliseconds for a search, by stage and by strategy. */
  readonly parts: Parts;
}

const answerShape = z.object({
  data: z.object({ degraded: z.boolean(), candidates: z.array(z.unknown()) }),
});

interface Timed {
  readonly ms: number[];
  readonly seconds: number;
  readonly answers: unknown[];
}

/** Runs all of `work`, `clients` at a time. */
async function run(work: readonly (() => Promise<unknown>)[], clients: number): Promise<Timed> {
  const took: number[] = [];
  const answers: unknown[] = [];
  const { ms } = await timed(() =>
    forEachOf(work, clients, async (one) => {
      const { ms, value } = await timed(one);
      took.push(ms);
      answers.push(value);
    }),
  );
  return { ms: took, seconds: ms / 1000, answers };
}

/** What such searches send to Qdrant, ready to be sent. */
async function requestsOf(
  raw: RawSearch,
  questions: readonly Question[],
  asked: Asked,
): Promise<(() => Promise<unknown>)[]> {
  const requests: (() => Promise<unknown>)[] = [];
  for (const question of questions) {
    const send = await raw.prepare(question, asked);
    if (send !== null) requests.push(send);
  }
  return requests;
}

function joined(rounds: readonly Timed[]): Durations {
  return percentiles(rounds.flatMap(({ ms }) => ms));
}

/** Rounds of searches, each beside a round of the same requests to Qdrant. */
export async function measure(
  stack: LoadedStack,
  raw: RawSearch,
  questions: readonly Question[],
  asked: Asked,
): Promise<Figure> {
  const { clients, limit, profile } = asked;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const search =
    ({ query, scopePath }: Question) =>
    () =>
      post(agent, stack, '/api/v1/search', { query, scope_path: scopePath, profile, limit });
  const bare = await requestsOf(raw, questions.slice(0, A_ROUND), asked);
  const at = (round: number): readonly Question[] =>
    Array.from(
      { length: A_ROUND },
      (_, i) => questions[(round * A_ROUND + i) % questions.length] ?? fail(),
    );
  await run(questions.slice(0, WARM_UP).map(search), clients);
  await run(bare.slice(0, WARM_UP), clients);
  const service: Timed[] = [];
  const alone: Timed[] = [];
  const before = await parts(stack);
  const processor = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = processorSeconds(stack);
    service.push(await run(at(round).map(search), clients));
    for (const [name, seconds] of processorSeconds(stack)) {
      const spent = (seconds - (began.get(name) ?? 0)) * 1000;
      processor.set(name, (processor.get(name) ?? 0) + spent / (ROUNDS * A_ROUND));
    }
    alone.push(await run(bare, clients));
  }
  agent.destroy();
  const answers = service.flatMap((round) =>
    round.answers.map((one) => answerShape.parse(one).data),
  );
  return {
    ...asked,
    service: {
      ...joined(service),
      perSecond: (ROUNDS * A_ROUND) / service.reduce((sum, { seconds }) => sum + seconds, 0),
      degraded: answers.filter(({ degraded }) => degraded).length,
    },
    raw: bare.length === 0 ? null : joined(alone),
    processor,
    parts: since(before, await parts(stack), ROUNDS * A_ROUND),
  };
}

function fail(): never {
  throw new RangeError('there are no questions');
}

function since(before: Parts, after: Parts, searches: number): Parts {
  return new Map(
    [...after].map(([name, total]) => [name, (total - (before.get(name) ?? 0)) / searches]),
  );
}

/** Questions over all scopes in turn. */
export function questionsOf(
  ask: (scope: number, amount: number) => string[],
  amount: number,
): Question[] {
  const each = Math.ceil(amount / SCOPES);
  const lists = Array.from({ length: SCOPES }, (_, scope) => ask(scope, each));
  return Array.from({ length: each }, (_, i) =>
    lists.map((list, scope) => ({ query: list[i] ?? '', scopePath: scopeOf(scope) })),
  ).flat();
}
