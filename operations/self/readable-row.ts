/** A statement as a person reads it who just decided something about it. */
import { Refusal } from '../../domain/errors.ts';
import type { Condition } from '../../domain/governance/visibility.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { ownScopedReader } from '../access/own-reader.ts';

/** @throws Refusal `not_found` where `visible` does not let it through. */
export async function readableRow(
  stores: Stores,
  caller: Caller,
  id: string,
  visible: Condition,
): Promise<KnowledgeRow> {
  const [row] = await stores.knowledge.read({
    selection: { by: 'ids', ids: [id] },
    visible,
    replaced: visible,
    reader: ownScopedReader(caller),
  });
  if (row === undefined) throw new Refusal('not_found');
  return row;
}
