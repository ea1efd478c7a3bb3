/** Compares a variant with a baseline on the same questions. */
import { bootstrapInterval, type Interval95 } from './bootstrap.ts';
import { meanOf, MRR, R10, type Figures } from './metrics.ts';
import type { ScoredConversation } from './variant.ts';

export interface Difference extends Interval95 {
  readonly mean: number;
  /** Conversations that the variant ranks better. */
  readonly better: number;
  readonly of: number;
}

/** Differences of one figure in percent, the mean and its interval. */
export function differenceOf(
  variant: readonly ScoredConversation[],
  baseline: readonly ScoredConversation[],
  figure: number,
): Difference {
  const differences = variant.map(({ figures }, at) =>
    figures.map(
      (one, question) =>
        100 * ((one[figure] ?? 0) - (baseline[at]?.figures[question]?.[figure] ?? 0)),
    ),
  );
  const sums = differences.map((values) => values.reduce((sum, value) => sum + value, 0));
  const questions = differences.flat().length;
  return {
    mean: sums.reduce((total, sum) => total + sum, 0) / Math.max(1, questions),
    ...bootstrapInterval(differences),
    better: sums.filter((sum) => sum > 0).length,
    of: sums.length,
  };
}

export interface Comparison {
  readonly figures: Figures;
  readonly questions: number;
  /** Null for the baseline itself. */
  readonly recall: Difference | null;
  readonly reciprocalRank: Difference | null;
}

export function compare(
  variant: readonly ScoredConversation[],
  baseline: readonly ScoredConversation[] | null,
): Comparison {
  const all = variant.flatMap(({ figures }) => figures);
  return {
    figures: meanOf(all),
    questions: all.length,
    recall: baseline && differenceOf(variant, baseline, R10),
    reciprocalRank: baseline && differenceOf(variant, baseline, MRR),
  };
}

/** The same conversations with the questions of one kind only. */
export function ofKind(scored: readonly ScoredConversation[], kind: string): ScoredConversation[] {
  return scored.map(({ conversation, figures }) => ({
    conversation,
    figures: figures.filter((_, at) => conversation.questions[at]?.kind === kind),
  }));
}

/** Kinds of questions, in the order of their first question. */
export function kindsOf(scored: readonly ScoredConversation[]): string[] {
  return [
    ...new Set(
      scored.flatMap(({ conversation }) => conversation.questions.map(({ kind }) => kind)),
    ),
  ];
}
