/** Statements that another search of a recall finds. */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { MOST_FOUND, type Narrowing } from '../../../domain/answers/recall/narrowing.ts';
import { loadEvidence, statementsOf } from '../../../engine/answers/evidence.ts';
import { readForEvidence } from './read.ts';
import type { RecallScope } from './recall-scope.ts';

/** What the search finds with another query, best first. */
export async function foundStatements(
  { context, made: { request }, signal }: RecallScope,
  query: string,
  isWanted: Narrowing = () => true,
): Promise<readonly EvidenceItem[]> {
  const { reader, scopeIds } = request;
  const { candidates } = await context.search({ ...request, query, limit: MOST_FOUND, signal });
  const evidence = await readForEvidence(context, signal, (stores) =>
    loadEvidence(stores, statementsOf(candidates), { reader, scopeIds }),
  );
  return evidence.filter(isWanted);
}
