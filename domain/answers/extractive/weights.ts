/**
 * Every number of the built-in answerer, with where it comes from (ADR 59). Those of `CONFIDENCE` were fitted on one
 * conversation of LoCoMo and are reported on the others: `npm run eval -- answers --fit` fits them again.
 */

/** What a term of the question weighs. */
export const TERM_WEIGHTS = {
  /** Of `kind`, `describe` and their like, which say how to answer. */
  frame: 0.3,
  /** Longer words are rarer: `least + perLetter x letters`, at most `most`. */
  least: 0.4,
  perLetter: 0.12,
  most: 1.4,
  /**
   * Rarity is counted as if so many statements were offered, however many are: with the true number one more statement
   * that shares nothing with the question would change the confidence.
   */
  statements: 12,
  /** A term that only another stands for is covered by this share of how surely it does. */
  related: 0.6,
} as const;

/** What a statement covers counts this much where it holds at another time than the one asked about. */
export const OTHER_TIME_SHARE = 0.5;

export interface ConfidenceWeights {
  readonly bias: number;
  /** What the best statement about the person asked about covers. */
  readonly fit: number;
  /** What all statements about the person cover together. */
  readonly together: number;
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

/** Log odds, of which the logistic function makes the confidence; 0 is 50. */
export const CONFIDENCE: ConfidenceWeights = {
  bias: -1.2,
  fit: 4.2,
  together: 1.7,
  otherFit: -2,
  isOtherBetter: -1.5,
  hasUnknownName: -2.6,
  isDisputed: -0.5,
  isProvisional: -0.2,
};

export const QUOTES = {
  most: 3,
  /** What a quote covers, beside its score as a share of the best score. */
  coverage: 0.5,
  /** A statement that names a time, where the question asks for one. */
  time: 0.15,
  /** A further quote has at least this share of the value of the first. */
  least: 0.5,
} as const;
