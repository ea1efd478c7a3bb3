/**
 * Every number of the built-in answerer, with where it comes from. ADR 59 has what was tried and what it gave:
 * `npm run eval -- answers --variants` measures it again, and `--fit` fits the weights of the confidence again.
 */

/** How the terms of a question are weighed and found. */
export interface ReadingWeights {
  /** Of `kind`, `describe` and their like, which say how to answer. */
  readonly frame: number;
  /** Longer words are rarer: `least + perLetter x letters`, at most `most`. */
  readonly least: number;
  readonly perLetter: number;
  readonly most: number;
  /**
   * Rarity is counted as if so many statements were offered, however many are: with the true number one more statement
   * that shares nothing with the question would change the confidence. 0 makes all terms as rare.
   */
  readonly statements: number;
  /** A term that only another stands for is covered by this share of how surely it does. */
  readonly related: number;
  /** What a statement covers counts this much where it holds at another time than the one asked about. */
  readonly otherTime: number;
}

/**
 * Chosen before the weights of the confidence were fitted, and kept where no other value was better on both styles. All
 * terms alike (`least` 1, `perLetter` 0, `statements` 0, `frame` 1) give some points less on questions of other
 * conversations; `related` 0 gives two points less of citations.
 */
export const READING: ReadingWeights = {
  frame: 0.3,
  least: 0.4,
  perLetter: 0.12,
  most: 1.4,
  statements: 12,
  related: 0.6,
  otherTime: 0.5,
};

export interface ConfidenceWeights {
  readonly bias: number;
  /** What the best statement about the person asked about covers. */
  readonly fit: number;
  /** What the next best of them covers. */
  readonly second: number;
  /** What the best statement about somebody else covers. */
  readonly otherFit: number;
  /** Somebody else's statement covers more than any of the person's. */
  readonly isOtherBetter: number;
  /** The question names somebody or something that no statement names. */
  readonly hasUnknownName: number;
  /** The first quote is disputed by another statement. */
  readonly isDisputed: number;
  /** Every quote waits for governance. */
  readonly isProvisional: number;
}

/**
 * Log odds, of which the logistic function makes the confidence; 0 is 50. Fitted on the first conversation of LoCoMo and
 * the first of BEAM (`npm run eval -- answers --fit`); the bias is such that 7 % of their answerable questions are
 * refused. On the other conversations of LoCoMo 7.6 % of these are refused, and 99.1 % of the questions of other
 * conversations and 67.2 % of the adversarial ones. No data has statements that dispute each other or wait for governance:
 * the last two weights are small and were chosen so that a doubt alone makes no good answer a lead.
 */
export const CONFIDENCE: ConfidenceWeights = {
  bias: -1.56,
  fit: 5.63,
  second: 2.44,
  otherFit: -1.23,
  isOtherBetter: -1.2,
  hasUnknownName: -2.28,
  isDisputed: -0.5,
  isProvisional: -0.2,
};

export interface QuoteWeights {
  readonly most: number;
  /** What a quote covers, beside its score as a share of the best score. */
  readonly coverage: number;
  /** A statement that names a time, where the question asks for one. */
  readonly time: number;
  /** A further quote has at least this share of the value of the first. */
  readonly least: number;
}

/** By the share of questions with an answering message among the cited: 59.6 % in the order of the search, 65.1 % so. */
export const QUOTES: QuoteWeights = { most: 3, coverage: 0.5, time: 0.15, least: 0.5 };
