/** How well an answerer refuses what is not there, and how well it answers what is. Shares are between 0 and 1. */
import { stemsOf } from './stems.ts';

/** What was answered to one question. */
export interface Answered {
  /** 0 to 100. */
  readonly confidence: number;
  readonly abstained: boolean;
  readonly text: string;
  /** The messages that the cited statements were drawn from, and the cited messages. */
  readonly citedMessages: readonly string[];
}

/** An answered question with what is known of it; `answer` is null where the set has none. */
export interface GoldAnswered extends Answered {
  readonly gold: readonly string[];
  readonly answer: string | null;
}

function meanOf(values: readonly number[]): number {
  return values.length === 0
    ? Number.NaN
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of the answers that abstain. NaN without answers. */
export function refused(answers: readonly Pick<Answered, 'abstained'>[]): number {
  return meanOf(answers.map(({ abstained }) => (abstained ? 1 : 0)));
}

/**
 * AUROC: the chance that a question with an answer has more confidence than one without, equal ones counting half. It
 * says how well the confidence separates them, whatever the threshold. NaN where one side is empty.
 */
export function separation(
  answerable: readonly Pick<Answered, 'confidence'>[],
  unanswerable: readonly Pick<Answered, 'confidence'>[],
): number {
  const ranked = [
    ...answerable.map(({ confidence }) => ({ confidence, has: true })),
    ...unanswerable.map(({ confidence }) => ({ confidence, has: false })),
  ].toSorted((a, b) => a.confidence - b.confidence);
  let ranks = 0;
  for (let from = 0; from < ranked.length;) {
    let until = from;
    while (ranked[until]?.confidence === ranked[from]?.confidence && until < ranked.length) {
      until += 1;
    }
    const middle = (from + 1 + until) / 2;
    ranks += middle * ranked.slice(from, until).filter(({ has }) => has).length;
    from = until;
  }
  const [positive, negative] = [answerable.length, unanswerable.length];
  return (ranks - (positive * (positive + 1)) / 2) / (positive * negative);
}

/** The share of the answers that cite a message that holds the answer. */
export function citesGold(answers: readonly GoldAnswered[]): number {
  return meanOf(
    answers.map(({ citedMessages, gold }) => {
      const cited = new Set(citedMessages);
      return gold.some((id) => cited.has(id)) ? 1 : 0;
    }),
  );
}

/** The mean share of the words of the noted answer that the given one has; questions without a noted one are left out. */
export function answerWords(answers: readonly GoldAnswered[]): number {
  return meanOf(
    answers.flatMap(({ answer, text }) => {
      const words = [...new Set(answer === null ? [] : stemsOf(answer))];
      if (words.length === 0) return [];
      const said = new Set(stemsOf(text));
      return [words.filter((word) => said.has(word)).length / words.length];
    }),
  );
}
