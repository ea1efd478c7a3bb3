/** Figures of what the service found, beside those of the references, as rows. Pure. */
import type { CorpusConversation, CorpusQuestion } from '../rank/corpus.ts';
import { FIGURE_NAMES, figuresOf, meanOf, type Figures, type Place } from '../rank/metrics.ts';
import { plainStemsOf, referenceRanker } from '../rank/reference.ts';
import { wordsOf } from '../metrics/stems.ts';
import type { Row } from '../report.ts';

/** What was found for each question of a conversation, best first, in the set's ids. */
export interface Answered {
  readonly conversation: CorpusConversation;
  readonly found: readonly (readonly Place[])[];
}

/** One list of references for both ways to see words. */
export function referencesOf(
  conversations: readonly CorpusConversation[],
): Readonly<Record<'words' | 'stems', readonly Answered[]>> {
  const by = (wordsOfText: (text: string) => string[]): Answered[] =>
    conversations.map((conversation) => {
      const rank = referenceRanker(conversation, wordsOfText);
      return { conversation, found: conversation.questions.map(({ text }) => rank(text)) };
    });
  return { words: by(wordsOf), stems: by(plainStemsOf) };
}

/** Some of the questions. */
export function only(
  { conversation, found }: Answered,
  isWanted: (question: CorpusQuestion) => boolean,
): Answered {
  const places = conversation.questions.flatMap((asked, at) => (isWanted(asked) ? [at] : []));
  return {
    conversation: {
      ...conversation,
      questions: places.flatMap((at) => conversation.questions[at] ?? []),
    },
    found: places.map((at) => found[at] ?? []),
  };
}

function scoredBy<T>(
  answered: readonly Answered[],
  score: (found: readonly Place[], gold: readonly string[]) => T,
): T[] {
  return answered.flatMap(({ conversation, found }) =>
    conversation.questions.map(({ gold }, at) => score(found[at] ?? [], gold)),
  );
}

/** Mean figures over the questions, in percent. */
export function figuresOfAll(answered: readonly Answered[]): Figures {
  return meanOf(scoredBy(answered, figuresOf));
}

/** Mean recall at a depth of messages or of statements, in percent: a message counts where something cites it. */
export function recallAt(depth: number, answered: readonly Answered[]): number {
  const shares = scoredBy(answered, (found, gold) => {
    const cited = new Set(found.slice(0, depth).flat());
    const wanted = new Set(gold);
    return [...wanted].filter((id) => cited.has(id)).length / Math.max(1, wanted.size);
  });
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length);
}

/** A figure by its name: `R@10`, `MRR`. Throws for a name that there is not. */
export function figure(figures: Figures, name: string): number {
  const value = figures[FIGURE_NAMES.indexOf(name)];
  if (value === undefined) throw new RangeError(`no figure ${name}`);
  return value;
}

export function allRows(title: string, figures: Figures): Row[] {
  return FIGURE_NAMES.map((name) => ({
    metric: `${title}: ${name}`,
    value: figure(figures, name),
  }));
}

/** Recall at ten and reciprocal rank for each kind of question. */
export function kindRows(title: string, answered: readonly Answered[]): Row[] {
  const kinds = answered.flatMap(({ conversation }) =>
    conversation.questions.map(({ kind }) => kind),
  );
  return [...new Set(kinds)].flatMap((kind) => {
    const ofKind = answered.map((one) => only(one, (asked) => asked.kind === kind));
    const figures = figuresOfAll(ofKind);
    const questions = kinds.filter((one) => one === kind).length;
    return ['R@10', 'MRR'].map((name) => ({
      metric: `${title}, ${kind} (${questions}): ${name}`,
      value: figure(figures, name),
    }));
  });
}

export interface RatioBar {
  readonly floor: number;
  readonly target?: number;
}

/** A figure as a ratio to that of a reference, for each bar by the name of its figure. */
export function ratioRows(
  title: string,
  figures: Figures,
  reference: Figures,
  bars: Readonly<Record<string, RatioBar>>,
): Row[] {
  return Object.entries(bars).map(([name, bar]) => ({
    metric: `${title}: ${name} / reference`,
    value: figure(figures, name) / figure(reference, name),
    digits: 2,
    ...bar,
  }));
}
