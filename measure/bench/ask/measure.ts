/** Answers over HTTP, in turns with the same search alone. */
import { Agent } from 'node:http';
import { z } from 'zod';
import { post } from '../load/post.ts';
import type { LoadedStack } from '../load/stack.ts';
import type { Question } from '../search/asked.ts';
import { forEachOf, median, timed } from '../timing.ts';

const WARM_UP = 40;
const PAIRS = 240;

export interface AskFigure {
  readonly clients: number;
  /** Medians, in milliseconds. */
  readonly search: number;
  readonly ask: number;
  /** Median of what the answer took longer than the search of the same pair. */
  readonly longer: number;
}

const answered = z.object({
  data: z.object({ citations: z.array(z.uuid()).min(1), answer_degraded: z.null() }),
});
const found = z.object({ data: z.object({ candidates: z.array(z.unknown()).min(1) }) });

/** Pairs of a search and an answer for the same question, in either order by turns, `clients` at a time. */
export async function measure(
  stack: LoadedStack,
  questions: readonly Question[],
  clients: number,
): Promise<AskFigure> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const search = async ({ query, scopePath }: Question): Promise<number> => {
    const body = { query, scope_path: scopePath, profile: 'thorough' };
    const { ms, value } = await timed(() => post(agent, stack, '/api/v1/search', body));
    found.parse(value);
    return ms;
  };
  const ask = async ({ query, scopePath }: Question): Promise<number> => {
    const body = { question: query, scope_path: scopePath };
    const { ms, value } = await timed(() => post(agent, stack, '/api/v1/ask', body));
    answered.parse(value);
    return ms;
  };
  const pairs: { readonly search: number; readonly ask: number }[] = [];
  const asked = Array.from(
    { length: WARM_UP + PAIRS },
    (_, at) => questions[at % questions.length],
  ).flatMap((one) => one ?? []);
  await forEachOf(asked, clients, async (question, at) => {
    const isAskFirst = at % 2 === 0;
    const early = isAskFirst ? await ask(question) : null;
    const alone = await search(question);
    const answer = early ?? (await ask(question));
    if (at >= WARM_UP) pairs.push({ search: alone, ask: answer });
  });
  agent.destroy();
  return {
    clients,
    search: median(pairs.map((pair) => pair.search)),
    ask: median(pairs.map((pair) => pair.ask)),
    longer: median(pairs.map((pair) => pair.ask - pair.search)),
  };
}
