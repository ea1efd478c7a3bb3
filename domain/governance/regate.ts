/**
 * Which waiting statements the gates may look at again when the rules of an account have changed.
 *
 * The gates place proposals at the level they were proposed for. A statement that was believed before and is
 * held now waits for a move to a wider place, which only people decide; so does one that a person was asked
 * another question about. A subject's refusal outranks every policy, and an expired statement stays expired.
 */
import type { Statement } from '../statements/statement.ts';
import type { RunRef } from '../pipeline/run-kinds.ts';

export interface RegatePageInput extends RunRef {
  /** The last statement of the page before; null for the first page. */
  readonly afterId: string | null;
}

export interface RegatePageReport {
  /** Statements looked at. */
  readonly rows: number;
  readonly placed: number;
  /** Null after the last page; the run is completed then. */
  readonly nextAfterId: string | null;
}

export interface Waiting {
  readonly id: string;
  /** It was active, needed revalidation or was stale at some time. */
  readonly wasPlaced: boolean;
  /**
   * An item of another kind than `gate_a_b` is undecided: a promotion, a contest, a stricter sensitivity, a
   * revalidation. A contradiction of a statement of higher standing does not count: the placement of the newer
   * statement settles it.
   */
  readonly otherReviewOpen: boolean;
  /** The subject said no to a wider place. */
  readonly consentDenied: boolean;
}

const LOOKED_AT: readonly Statement['state'][] = ['proposed', 'provisional', 'held'];

/** The ids of the statements to look at, in the order of `waiting`. `now` is ISO 8601 UTC. */
export function eligibleForRegate(
  waiting: readonly Waiting[],
  statements: readonly Statement[],
  now: string,
): readonly string[] {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  return waiting.flatMap(({ id, wasPlaced, otherReviewOpen, consentDenied }) => {
    const statement = byId.get(id);
    if (statement === undefined || !LOOKED_AT.includes(statement.state)) return [];
    const isOver = statement.expiresAt !== null && statement.expiresAt <= now;
    return wasPlaced || otherReviewOpen || consentDenied || isOver ? [] : [id];
  });
}
