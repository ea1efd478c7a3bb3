/** A candidate in the words that a reranker judges. */
import type { Precision, WindowEnd } from '../../domain/statements/candidate.ts';
import { validityPhrase, type ValidityEnds } from '../../domain/statements/validity-phrase.ts';
import type { RankedCandidate, RankedStatement } from './candidates.ts';

function windowEnd(at: string | null, precision: Precision | null): WindowEnd | null {
  return at === null ? null : { at, precision: precision ?? 'time' };
}

/** How long a statement holds, as its row says. */
export function validityOf(row: RankedStatement['row']): ValidityEnds {
  return {
    from: windowEnd(row.relevant_from, row.relevant_from_precision),
    until: windowEnd(row.relevant_until, row.relevant_until_precision),
  };
}

/**
 * A statement with its validity. Without the dates a reranker would take an ended statement for a present one. A chunk
 * of a document is its text.
 */
export function documentOf({ type, row }: RankedCandidate): string {
  if (type === 'document_chunk') return row.text ?? '';
  return `${row.statement ?? ''} (${validityPhrase(validityOf(row))})`;
}
