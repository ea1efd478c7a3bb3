/** The terms that the frequencies count for a statement. */
import { pointVector } from '../../domain/ranking/sparse.ts';
import { analyze } from '../../engine/text/analyze.ts';

/** Distinct, ascending, unsigned 32-bit. */
export function statementTermIds(accountId: string, text: string): readonly number[] {
  const { terms, length } = analyze(text);
  return pointVector(accountId, terms, length).indices;
}
