/**
 * Answers over HTTP: what is cited and refused without a model and by the built-in answerer, and what a recall finds beside
 * as many of the first candidates.
 */
import { askAll, FIXED, WAYS, type AskedAnswer, type Way } from '../ask/asked.ts';
import { questionsFor, type Question } from '../answers/questions.ts';
import { answerWords, citesGold, refused } from '../metrics/answers.ts';
import { readCorpora, type Corpus } from '../rank/corpus.ts';
import { recallRows } from '../recall/figures.ts';
import { none, type Row } from '../report.ts';
import { load, type Loaded } from '../retrieval/loaded.ts';
import type { Ability, Bench } from '../service/conversation.ts';

const PERCENT = 100;

/** The answerers that need no model elsewhere. */
const ANSWERERS = ['none', 'deterministic'] as const;

/** The conversation that the weights of the built-in answerer were fitted on. Refusals are those of the others. */
const FITTED = 0;

/** Percent, for conversations between people. */
const REFUSAL: Readonly<Record<string, Pick<Row, 'floor' | 'target' | 'lessIsBetter'>>> = {
  answerable: { floor: 10, lessIsBetter: true },
  foreign: { floor: 85, target: 92 },
  adversarial: { floor: 40, target: 55 },
};

/** The lower end that the difference of a recall with effort `high` must reach, in points. */
const LOWEST: Readonly<Record<string, number>> = { locomo: 0, beam: -2 };

interface SetOptions {
  readonly kind?: Question['kind'];
  readonly way: Way;
  /** By the place of the conversation in the set. */
  readonly isWanted?: (place: number) => boolean;
}

interface LoadedSet {
  readonly corpus: Corpus;
  readonly all: readonly Loaded[];
}

/** Asks each wanted conversation of the set its questions of a kind. */
async function askSet(
  bench: Bench,
  { all, corpus }: LoadedSet,
  { isWanted = () => true, kind = 'answerable', way }: SetOptions,
): Promise<AskedAnswer[]> {
  const answers: AskedAnswer[] = [];
  for (const [place, loaded] of all.entries()) {
    if (!isWanted(place)) continue;
    const questions = questionsFor(loaded.conversation, corpus.conversations).filter(
      (one) => one.kind === kind,
    );
    answers.push(...(await askAll(bench, loaded, place, questions, way)));
  }
  return answers;
}

function citationRows(title: string, answers: readonly AskedAnswer[]): Row[] {
  const answered = answers.map((one) => one.answered);
  return [
    { metric: `${title}: an answering message is cited`, value: PERCENT * citesGold(answered) },
    { metric: '  words of the answer found', value: PERCENT * answerWords(answered) },
  ];
}

async function refusalRows(bench: Bench, set: LoadedSet): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['answerable', 'foreign', 'adversarial'] as const) {
    const isWanted = (place: number): boolean => place !== FITTED;
    const answers = await askSet(bench, set, { kind, way: FIXED, isWanted });
    rows.push({
      metric: `${set.corpus.name}: refused, ${kind} (${answers.length})`,
      value: PERCENT * refused(answers.map((one) => one.answered)),
      ...(set.corpus.name === 'locomo' ? REFUSAL[kind] : {}),
    });
  }
  return rows;
}

/** Every way to ask, with the answerer that the service has now. */
async function answererRows(
  bench: Bench,
  set: LoadedSet,
  answerer: (typeof ANSWERERS)[number],
): Promise<Row[]> {
  const { name } = set.corpus;
  const rows: Row[] = [];
  let incomplete = 0;
  for (const way of WAYS) {
    const answers = await askSet(bench, set, { way });
    const title = `${name}, ${answerer}, ${way.name}`;
    rows.push(...citationRows(title, answers));
    incomplete += answers.filter((one) => !one.isComplete).length;
    // What is offered does not depend on who answers.
    const recalls = answers.flatMap(({ recall }) => recall ?? []);
    if (answerer !== 'none' || recalls.length === 0) continue;
    const lowest = way.name === 'high' ? LOWEST[name] : undefined;
    rows.push(...recallRows(`${name}, ${way.name}`, recalls, lowest));
  }
  rows.push(none(`${name}, ${answerer}: answers over a degraded search`, incomplete));
  if (answerer === 'deterministic') rows.push(...(await refusalRows(bench, set)));
  return rows;
}

async function measure(bench: Bench, corpora: readonly Corpus[]): Promise<readonly Row[]> {
  const sets: LoadedSet[] = [];
  for (const corpus of corpora) {
    const all: Loaded[] = [];
    for (const one of corpus.conversations) {
      all.push(await load(bench, one, { scope: `ask-${one.name}`, name: one.name }));
    }
    sets.push({ corpus, all });
  }
  await bench.quiet();
  const rows: Row[] = [];
  for (const answerer of ANSWERERS) {
    await bench.restart({ SERVICE_MODEL_DIALECTIC_AGENT: answerer });
    for (const set of sets) rows.push(...(await answererRows(bench, set, answerer)));
  }
  return rows;
}

export const ask: Ability = {
  title: 'ask',
  prepare: (folder) => {
    const { beam, locomo } = readCorpora(folder);
    const corpora = [locomo, beam].flatMap((one) => one ?? []);
    return corpora.length === 0 ? null : (bench) => measure(bench, corpora);
  },
};
