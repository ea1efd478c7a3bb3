/** A curator says that the statement of an item says the same as another one. */
import { Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { mergerOf, openItemOf } from '../knowledge/ruling.ts';
import type { LockedItem } from './locked-item.ts';

export interface MergeDecision {
  readonly action: 'merge';
  /** The statement that stays. */
  readonly intoId: string;
}

/** The statement that stays; null if there is none that the caller curates. */
export async function mergedInto(
  stores: Stores,
  caller: Caller,
  { intoId }: MergeDecision,
): Promise<FoundStatement | null> {
  const into = await stores.desk.findFor(intoId, caller.peerId);
  return into === null || !curates(caller, into.scope_path) ? null : into;
}

/** Judges the merger. */
export async function judgeMerger(
  stores: Stores,
  caller: Caller,
  { intoId }: MergeDecision,
  { item, state }: LockedItem,
): Promise<() => Promise<void>> {
  const work = mergerOf(
    state,
    {
      id: item.knowledge_id,
      item: openItemOf(item),
      actor: { peerId: caller.peerId, channel: 'api' },
    },
    { intoId, corroboration: await stores.desk.attesters([item.knowledge_id, intoId]) },
  );
  if (work === null) throw new Refusal('conflict');
  return () => stores.desk.write(work);
}
