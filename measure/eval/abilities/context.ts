/**
 * What share of the words of an answer stands in a context that was asked for with the question, beside the first twelve
 * statements of a search. It says whether what an answer needs is there, not whether a model finds it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachOf } from '../../bench/timing.ts';
import { stemsOf } from '../metrics/stems.ts';
import { readCorpora, type CorpusConversation } from '../rank/corpus.ts';
import type { Row } from '../report.ts';
import { load, type Loaded } from '../retrieval/loaded.ts';
import type { Ability, Bench } from '../service/conversation.ts';

const CONCURRENCY = 4;
const BUDGET_CHARS = 8_000;
const MOST_STATEMENTS = 100;
const PAGE = 12;
/** Builders begin two seconds after a change. */
const BUILT_WITHIN_MS = 10_000;

interface Shares {
  /** Sums over the questions of shares between 0 and 1. */
  context: number;
  search: number;
  questions: number;
  characters: number;
}

/** The share of the stems of the answer that are among those of the texts; null for an answer without stems. */
export function shareOf(answer: string, texts: readonly string[]): number | null {
  const wanted = [...new Set(stemsOf(answer))];
  if (wanted.length === 0) return null;
  const present = new Set(stemsOf(texts.join('\n')));
  return wanted.filter((stem) => present.has(stem)).length / wanted.length;
}

async function sharesOf(bench: Bench, { conversation, place }: Loaded): Promise<Shares> {
  const sum: Shares = { context: 0, search: 0, questions: 0, characters: 0 };
  await forEachOf(conversation.questions, CONCURRENCY, async ({ answer, text }) => {
    if (answer === null) return;
    const { scopePath } = place;
    const texts = await bench.retrieval.context(text, {
      scopePath,
      limit: MOST_STATEMENTS,
      budgetChars: BUDGET_CHARS,
    });
    const found = await bench.retrieval.statements(text, { scopePath, limit: PAGE });
    const inContext = shareOf(answer, texts);
    const inSearch = shareOf(
      answer,
      found.candidates.map(({ statement }) => statement),
    );
    if (inContext === null || inSearch === null) return;
    sum.context += inContext;
    sum.search += inSearch;
    sum.questions += 1;
    sum.characters += texts.join('').length;
  });
  return sum;
}

function rowsOf(name: string, { characters, context, questions, search }: Shares): Row[] {
  return [
    { metric: `${name} (${questions}): % in context`, value: (100 * context) / questions },
    { metric: `${name}: % in the first ${PAGE} of a search`, value: (100 * search) / questions },
    { metric: `${name}: characters of a context`, value: characters / questions, digits: 0 },
  ];
}

async function measure(bench: Bench, all: readonly CorpusConversation[]): Promise<readonly Row[]> {
  const loaded: Loaded[] = [];
  for (const conversation of all) loaded.push(await load(bench, conversation));
  await bench.quiet();
  await sleep(BUILT_WITHIN_MS);
  const total: Shares = { context: 0, search: 0, questions: 0, characters: 0 };
  const rows: Row[] = [];
  for (const one of loaded) {
    const shares = await sharesOf(bench, one);
    rows.push(...rowsOf(one.conversation.name, shares));
    total.context += shares.context;
    total.search += shares.search;
    total.questions += shares.questions;
    total.characters += shares.characters;
  }
  return [...rows, ...rowsOf('all', total)];
}

/** On the conversations of LoCoMo, each in a scope of its own, read by the agent that sent them. */
export const contextWords: Ability = {
  title: `answer words in a context of ${BUDGET_CHARS} characters: locomo`,
  prepare(dataFolder) {
    const { locomo } = readCorpora(dataFolder);
    return locomo && ((bench) => measure(bench, locomo.conversations));
  },
};
