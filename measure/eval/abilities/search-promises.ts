/** Promises of source search that hold for any text: what it may show, that it repeats, and that sending again adds nothing. */
import { forEachOf } from '../../bench/timing.ts';
import { none, type Row } from '../report.ts';
import { groundOf, rankingOf, type Ground, type Ranking } from '../retrieval/asked.ts';
import { isSameOrder, isSameRanking } from '../retrieval/compared.ts';
import { load, type Loaded } from '../retrieval/loaded.ts';
import type { Bench } from '../service/conversation.ts';
import type { Retrieval, SourceAnswer } from '../service/retrieval.ts';

const CONCURRENCY = 4;
const QUESTIONS = 40;
/** Messages that the other account sends. */
const ELSEWHERE = 40;
const MOST_RESULTS = 100;
const EXCERPT = { least: 80, most: 2_000 };

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });
const lengthOf = (text: string): number => Array.from(letters.segment(text)).length;

async function rankings(
  retrieval: Retrieval,
  questions: readonly string[],
  ground: Ground,
): Promise<Ranking[]> {
  const found: Ranking[] = [];
  await forEachOf(questions, CONCURRENCY, async (question, at) => {
    found[at] = await rankingOf(retrieval, question, ground);
  });
  return found;
}

/** How many of the rankings are others now. */
function changed(
  before: readonly Ranking[],
  after: readonly Ranking[],
  isSame: (one: Ranking, other: Ranking) => boolean = isSameRanking,
): number {
  return before.filter((one, at) => !isSame(one, after[at] ?? [])).length;
}

function longerThan(most: number, { results }: SourceAnswer): number {
  return results.filter(({ excerpt }) => lengthOf(excerpt) > most).length;
}

async function clampRows(
  { retrieval }: Bench,
  { place }: Loaded,
  question: string,
): Promise<Row[]> {
  const { scopePath } = place;
  const many = await retrieval.sources(question, { scopePath, limit: 10 * MOST_RESULTS });
  const least = await retrieval.sources(question, { scopePath, limit: 0 });
  const short = await retrieval.sources(question, { scopePath, limit: 20, excerptChars: 1 });
  const long = await retrieval.sources(question, { scopePath, limit: 20, excerptChars: 100_000 });
  return [
    { metric: 'results of limit 1000', value: many.results.length, digits: 0, floor: 1 },
    none('of them past 100', Math.max(0, many.results.length - MOST_RESULTS)),
    none('results of limit 0, off from 1', Math.abs(least.results.length - 1)),
    none('excerpts past 80 of 1 asked for', longerThan(EXCERPT.least, short)),
    none('excerpts past 2000 of 100000 asked for', longerThan(EXCERPT.most, long)),
  ];
}

/** Another account sends some of the messages to a scope of the same path; neither may see those of the other. */
async function elsewhereRows(
  bench: Bench,
  loaded: Loaded,
  questions: readonly string[],
): Promise<Row[]> {
  const { client, retrieval } = bench.elsewhere;
  const { scopePath } = loaded.place;
  const before = await Promise.all(
    questions.map((question) => retrieval.sources(question, { scopePath, limit: MOST_RESULTS })),
  );
  const { conversation } = loaded;
  const some = { ...conversation, messages: conversation.messages.slice(0, ELSEWHERE) };
  const theirs = await load(bench, some, { client });
  await bench.quiet();
  let results = 0;
  let foreign = before.reduce((sum, answer) => sum + answer.results.length, 0);
  for (const question of questions) {
    const asked = { scopePath, limit: MOST_RESULTS };
    const here = await bench.retrieval.sources(question, asked);
    const there = await retrieval.sources(question, asked);
    results += there.results.length;
    foreign += here.results.filter(({ message_id }) => !loaded.ids.has(message_id)).length;
    foreign += there.results.filter(({ message_id }) => !theirs.ids.has(message_id)).length;
  }
  return [
    { metric: 'results of another account', value: results, digits: 0, floor: 1 },
    none("ids of another account's messages", foreign),
  ];
}

/** The conversation is to be loaded with the keys `keys`. Sends it again, and once more with the last turn first. */
export async function promiseRows(bench: Bench, loaded: Loaded, keys: string): Promise<Row[]> {
  const { conversation } = loaded;
  const { messages, name } = conversation;
  const questions = conversation.questions.slice(0, QUESTIONS).map(({ text }) => text);
  const ground = groundOf(loaded);
  const first = await rankings(bench.retrieval, questions, ground);
  const second = await rankings(bench.retrieval, questions, ground);
  const again = await load(bench, conversation, { keys });
  const backwards = { ...conversation, messages: messages.toReversed() };
  const other = await load(bench, backwards, { scope: `${name}-backwards` });
  await bench.quiet();
  const replayed = await rankings(bench.retrieval, questions, ground);
  const reversed = await rankings(bench.retrieval, questions, groundOf(other));
  const ranked = first.filter((one) => one.length > 0).length;
  return [
    { metric: 'rankings compared', value: ranked, digits: 0, floor: 1 },
    none('rankings that a second call changes', changed(first, second)),
    none(
      'replay: messages added',
      [...again.ids.keys()].filter((id) => !loaded.ids.has(id)).length,
    ),
    none('rankings that a replay changes', changed(first, replayed)),
    none('rankings in another order, sent backwards', changed(first, reversed, isSameOrder)),
    {
      metric: 'rankings with another score, sent backwards',
      value: changed(first, reversed),
      digits: 0,
    },
    ...(await clampRows(bench, loaded, questions[0] ?? '')),
    ...(await elsewhereRows(bench, loaded, questions.slice(0, 10))),
  ];
}
