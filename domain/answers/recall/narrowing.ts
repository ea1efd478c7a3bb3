/** What a search of a recall takes of what it finds. */
import type { EvidenceItem } from '../evidence.ts';

/** Statements that one search of a recall takes: many of the first ones are known already, or come from the same messages. */
export const MOST_FOUND = 48;

/** `derivationLevel` is 1 for a statement that was drawn from messages alone. */
export type Narrowing = (item: EvidenceItem & { readonly derivationLevel: number }) => boolean;

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
