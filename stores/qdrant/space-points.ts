/** Reading what a collection that is being filled holds already, and what it still lacks. */
import { z } from 'zod';
import { AWAITED } from '../../domain/retrieval/message-search.ts';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import { asking, type AbortableQdrantClient } from './client.ts';
import { asFilter, matches } from './filter.ts';
import { pointId } from './point-id.ts';

/** A unit as its first point shows it. */
export interface ShownUnit {
  readonly rowVersion: number;
  /** Its vector of this collection is still to be made. */
  readonly awaitsVector: boolean;
}

export interface AwaitingUnits {
  readonly units: readonly { readonly unit: UnitKind; readonly unitId: string }[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

const payload = z.object({
  source_id: z.guid(),
  unit: z.enum(UNIT_KINDS),
  row_version: z.number(),
  vector: z.string().optional(),
});

export class SpacePoints {
  readonly #client: AbortableQdrantClient;
  readonly #collection: string;

  constructor(client: AbortableQdrantClient, collection: string) {
    this.#client = client;
    this.#collection = collection;
  }

  /** Those of the units that the collection holds. Throws an `IndexFailure`. */
  async shown(
    accountId: string,
    unit: UnitKind,
    unitIds: readonly string[],
  ): Promise<ReadonlyMap<string, ShownUnit>> {
    if (unitIds.length === 0) return new Map();
    const points = await asking(() =>
      this.#client.retrieve(this.#collection, {
        ids: unitIds.map((id) => pointId(accountId, unit, id)),
        with_payload: ['source_id', 'unit', 'row_version', 'vector'],
        with_vector: false,
      }),
    );
    return new Map(
      points.flatMap((point): [string, ShownUnit][] => {
        const read = payload.safeParse(point.payload);
        if (!read.success) return [];
        const { source_id: id, row_version: rowVersion, vector } = read.data;
        return [[id, { rowVersion, awaitsVector: vector === AWAITED }]];
      }),
    );
  }

  /**
   * Units of the account that say that they await their vector: of at most `limit` points in the order of their ids, from
   * the id `from` on (null: from the beginning). The condition is indexed. Throws an `IndexFailure`.
   */
  async awaiting(accountId: string, from: string | null, limit: number): Promise<AwaitingUnits> {
    const filter = asFilter({ must: [matches('account', accountId), matches('vector', AWAITED)] });
    const page = await asking(() =>
      this.#client.scroll(this.#collection, {
        filter,
        limit,
        with_payload: ['source_id', 'unit', 'row_version', 'vector'],
        ...(from === null ? {} : { offset: from }),
      }),
    );
    const units = new Map<string, { unit: UnitKind; unitId: string }>();
    for (const point of page.points) {
      const read = payload.safeParse(point.payload);
      if (read.success) {
        const { source_id: unitId, unit } = read.data;
        units.set(unitId, { unit, unitId });
      }
    }
    const next = page.next_page_offset;
    return { units: [...units.values()], next: typeof next === 'string' ? next : null };
  }
}
