/**
 * Erases units from the search indexes, and reads them back. The indexes that searches ask follow the dirty marks; here
 * the indexes of earlier analyzers and models are reached as well.
 */
import type { UnitKind } from '../../domain/retrieval/units.ts';
import type { EveryIndex } from '../../stores/meilisearch/every-index.ts';
import type { IndexNames } from '../../stores/meilisearch/indexes.ts';
import type { EveryCollection } from '../../stores/qdrant/every-collection.ts';

export interface IndexEraser {
  /**
   * Deletes the units from every index that searches no longer ask; units that stay only from those that nobody writes
   * any more, where their texts would stay as they were. Throws an `IndexFailure` while one is away.
   */
  eraseElsewhere(
    accountId: string,
    unit: UnitKind,
    unitIds: { readonly gone: readonly string[]; readonly staying: readonly string[] },
  ): Promise<void>;
  /** Entries of the units in all indexes. Throws an `IndexFailure` while one is away. */
  held(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<number>;
  /** Entries that are about the peer, or that it said or submitted, in all indexes. Throws like `held`. */
  heldOfPeer(accountId: string, peerId: string): Promise<number>;
}

export interface IndexEraserDependencies {
  readonly collections: EveryCollection;
  readonly indexes: EveryIndex;
  /** What searches ask. */
  readonly asked: { readonly collection: string; readonly indexes: IndexNames };
  /** Names of the collections that are written. */
  readonly written: () => Promise<readonly string[]>;
}

export function createIndexEraser(dependencies: IndexEraserDependencies): IndexEraser {
  const { asked, collections, indexes, written } = dependencies;
  return {
    async eraseElsewhere(accountId, unit, { gone, staying }) {
      await collections.deleteUnits(accountId, unit, gone, [asked.collection]);
      await collections.deleteUnits(accountId, unit, staying, await written());
      await indexes.deleteUnits(accountId, unit, [...gone, ...staying], asked.indexes);
    },
    async held(accountId, unit, unitIds) {
      const points = await collections.countUnits(accountId, unit, unitIds);
      return points + (await indexes.countUnits(accountId, unit, unitIds));
    },
    async heldOfPeer(accountId, peerId) {
      const points = await collections.countOfPeer(accountId, peerId);
      return points + (await indexes.countOfPeer(accountId, peerId));
    },
  };
}
