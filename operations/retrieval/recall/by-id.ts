/** Statements that a recall knows by their ids, through the predicate of a search. */
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import {
  loadEvidence,
  statementsOf,
  type StatementEvidence,
} from '../../../engine/answers/evidence.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import type { MadeSearch } from '../searching.ts';

/** Those that the reader may read, in the order of the ids. */
export async function statementsById(
  stores: Stores,
  { request }: MadeSearch,
  ids: readonly string[],
): Promise<readonly StatementEvidence[]> {
  if (ids.length === 0) return [];
  const { asOf, now, reader, scopeIds } = request;
  const visible = visibleByDefault({ scopeIds, reader, at: asOf ?? now.toISOString() });
  const rows = await stores.knowledge.read({
    selection: { by: 'ids', ids },
    visible,
    reader: request,
    asOf,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  const candidates = found.map((row) => ({
    type: 'knowledge' as const,
    row,
    fusionScore: 0,
    strategies: [],
  }));
  return loadEvidence(stores, statementsOf(candidates), { reader, scopeIds });
}
