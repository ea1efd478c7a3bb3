/** Counts that the desk shows. A count stops at a number, so that it costs the same however many there are. */
export const MOST_TOLD_AT_DESK = 999;

export interface ToldCount {
  readonly count: number;
  /** Whether there may be more than `count`. */
  readonly is_capped: boolean;
}

/** The count to show, of one that has met one more where there are more. */
export function toldCount(met: number): ToldCount {
  return { count: Math.min(met, MOST_TOLD_AT_DESK), is_capped: met > MOST_TOLD_AT_DESK };
}
