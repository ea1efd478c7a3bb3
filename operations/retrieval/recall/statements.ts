/** Statements that another search of a recall finds. */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import {
  readEvidence,
  statementsOf,
  type StatementEvidence,
} from '../../../engine/answers/evidence.ts';
import { readForEvidence } from './read.ts';
import type { RecallScope } from './tools.ts';

/** Statements that one search of a recall takes: many of the first ones are known already, or come from the same messages. */
export const MOST_FOUND = 48;

type Narrowing = (item: StatementEvidence) => boolean;

export const directOnly: Narrowing = ({ derivationLevel }) => derivationLevel <= 1;
export const derivedOnly: Narrowing = ({ derivationLevel }) => derivationLevel > 1;

/**
 * Statements that hold at some time of the period, half-open; of a statement without dates the time at which it was said
 * counts.
 */
export function heldWithin(period: {
  readonly from: string | null;
  readonly until: string | null;
}): Narrowing {
  const from = period.from === null ? Number.NEGATIVE_INFINITY : Date.parse(period.from);
  const until = period.until === null ? Number.POSITIVE_INFINITY : Date.parse(period.until);
  return ({ spoken, validity }) => {
    if (validity.from === null && validity.until === null) {
      const saidAt = spoken === null ? Number.NaN : Date.parse(spoken.occurredAt);
      return saidAt >= from && saidAt < until;
    }
    const begins = validity.from === null ? Number.NEGATIVE_INFINITY : Date.parse(validity.from.at);
    const ends = validity.until === null ? Number.POSITIVE_INFINITY : Date.parse(validity.until.at);
    return begins < until && ends > from;
  };
}

/** What the search finds with another query, best first. */
export async function foundStatements(
  { context, made: { request }, signal }: RecallScope,
  query: string,
  isWanted: Narrowing = () => true,
): Promise<readonly EvidenceItem[]> {
  const { reader, scopeIds } = request;
  const { candidates } = await context.search({ ...request, query, limit: MOST_FOUND, signal });
  const evidence = await readForEvidence(context, signal, (stores) =>
    readEvidence(stores, statementsOf(candidates), { reader, scopeIds }),
  );
  return evidence.filter(isWanted);
}
