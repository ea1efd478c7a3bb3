/** An item under the lock of its statement's subject, for a curator who may decide about it. */
import { Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { DeskState, FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

export interface LockedItem {
  readonly item: ItemRow;
  readonly found: FoundStatement;
  readonly state: DeskState;
}

type Beside = Parameters<Stores['desk']['lock']>[1];

/** The item, if the caller curates the scope of its statement and the audience does not leave the caller out. */
async function curatedItem(stores: Stores, caller: Caller, id: string): Promise<ItemRow> {
  const item = await stores.reviews.findFor(id, caller.peerId);
  if (item === null || !curates(caller, item.scope_path)) throw new Refusal('not_found');
  return item;
}

/**
 * Locks and reads. `besideOf` says what is read beside the statement. Refuses with `not_found` what the caller may not see.
 */
export async function lockItem(
  stores: Stores,
  caller: Caller,
  id: string,
  besideOf: (found: FoundStatement) => Beside = () => ({}),
): Promise<LockedItem> {
  const seen = await curatedItem(stores, caller, id);
  const found = await stores.desk.find(seen.knowledge_id);
  if (found === null) throw new Refusal('not_found');
  const state = await stores.desk.lock(found, besideOf(found));
  if (state === null) throw new Refusal('not_found');
  const item = await curatedItem(stores, caller, id);
  return { item, found, state };
}

/** Refuses with `forbidden` the subject or a submitter of a contested statement where somebody else can decide. */
export async function assertImpartial(
  stores: Stores,
  { peerId }: Caller,
  { found, item: { kind } }: LockedItem,
): Promise<void> {
  if (kind !== 'contest' || peerId === null) return;
  if (await stores.desk.isPartyBesideOthers(found, peerId)) throw new Refusal('forbidden');
}
