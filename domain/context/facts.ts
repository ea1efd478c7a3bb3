/** A fact as context shows it: an excerpt of a statement, and its dates. */
import { datedEnd, wholePart, type ValidityEnds } from '../statements/validity-phrase.ts';
import { excerptOf } from '../text/excerpt.ts';

/** Grapheme clusters of the excerpt; the dates come after it. */
export const FACT_CLUSTERS = 180;

/**
 * ` (2026-03-02 to 2026-04)`, each end cut to its precision and to a date; ` (2026-03)` for that month; empty without dates.
 */
function suffixOf(validity: ValidityEnds): string {
  const { from, until } = validity;
  const whole = wholePart(validity);
  if (whole !== null) return ` (${whole})`;
  if (from !== null && until !== null) return ` (${datedEnd(from)} to ${datedEnd(until)})`;
  if (from !== null) return ` (from ${datedEnd(from)})`;
  return until === null ? '' : ` (until ${datedEnd(until)})`;
}

/** The first 180 grapheme clusters of the statement with its dates. */
export function factText(statement: string, validity: ValidityEnds): string {
  return excerptOf(statement, FACT_CLUSTERS) + suffixOf(validity);
}
