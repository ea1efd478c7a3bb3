/** What verdicts say of statements: shares, coverage, and whether confidence means how often they are right. Pure. */

export const VERDICTS = ['fact', 'none', 'dangling', 'wrong', 'others'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A statement with a verdict. */
export interface JudgedStatement {
  readonly verdict: Verdict;
  /** 0 to 1. */
  readonly confidence: number;
  /** What found it. */
  readonly rule: string;
}

/** A message that a person has read. */
export interface JudgedMessage {
  readonly holdsFact: boolean;
  readonly hasStatement: boolean;
}

/** The share of each verdict, 0 to 1; zeros without statements. */
export function shares(statements: readonly JudgedStatement[]): Readonly<Record<Verdict, number>> {
  const share = (verdict: Verdict): number =>
    statements.length === 0
      ? 0
      : statements.filter((one) => one.verdict === verdict).length / statements.length;
  return {
    fact: share('fact'),
    none: share('none'),
    dangling: share('dangling'),
    wrong: share('wrong'),
    others: share('others'),
  };
}

/** The share of messages with a statement, 0 to 1, among those that hold a fact and among those that hold none. */
export function coverage(messages: readonly JudgedMessage[]): {
  readonly withFact: number;
  readonly withoutFact: number;
} {
  const share = (holdsFact: boolean): number => {
    const asked = messages.filter((one) => one.holdsFact === holdsFact);
    const covered = asked.filter(({ hasStatement }) => hasStatement);
    return asked.length === 0 ? 0 : covered.length / asked.length;
  };
  return { withFact: share(true), withoutFact: share(false) };
}

/**
 * Expected calibration error, 0 to 1: over the statements of each confidence, how far it is from the share of facts among
 * them, weighted by how many they are (Naeini et al. 2015, with a bin for each value).
 */
export function calibrationError(statements: readonly JudgedStatement[]): number {
  const bins = Map.groupBy(statements, ({ confidence }) => confidence);
  let error = 0;
  for (const [confidence, bin] of bins) {
    error += (bin.length / statements.length) * Math.abs(confidence - shares(bin).fact);
  }
  return error;
}
