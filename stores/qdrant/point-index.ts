/**
 * Writing points. A write carries its row's version and replaces only a point of the same or a lower one.
 * Qdrant decides that in the write itself (`update_filter`), so a late write of an older reading cannot win, and
 * no read is needed before. The filter holds for one whole operation, so points are grouped by version.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { sendInSlices } from '../send-in-slices.ts';
import { asking } from './client.ts';
import { asFilter, matches, matchesAny, unitFilter, type PointFilter } from './filter.ts';
import { keptPassages, type KeptPassage, type PassagePlace } from './kept-passages.ts';
import {
  DENSE_VECTOR,
  SOURCES_VECTOR,
  SPARSE_VECTOR,
  type Point,
  type PointWords,
} from './point.ts';
import { pointId } from './point-id.ts';
import { PointReader } from './point-reader.ts';

/** Points in one request: a long message has hundreds, each with its vectors. */
const MOST_POINTS_OF_REQUEST = 500;
/** Written as text on the event loop in one go: some 20 ms. Qdrant takes 32 MiB. */
const MOST_REQUEST_BYTES = 2_097_152;
/** Roughly, as JSON: a term with its weight, a number of a vector, a name in a list, and the rest of a payload. */
const TERM_BYTES = 30;
const NUMBER_BYTES = 20;
const LISTED_BYTES = 40;
const PAYLOAD_BYTES = 1_024;

function bytesOf({ sparse, sources, dense, payload }: Point): number {
  const listed =
    payload.unit === 'message'
      ? payload.readers.length
      : payload.submitters.length +
        payload.ever_scope.length +
        (payload.source_readers?.length ?? 0);
  return (
    (sparse.indices.length + (sources?.indices.length ?? 0)) * TERM_BYTES +
    (dense?.length ?? 0) * NUMBER_BYTES +
    listed * LISTED_BYTES +
    PAYLOAD_BYTES
  );
}

/** Refusals that do not depend on the points: no right, no collection, no room or no health. */
const refusesAll = (code: string): boolean => /^(?:401|403|404|429|5\d\d)$/.test(code);

const sparseOf = ({ indices, values }: PointWords) => ({
  indices: Array.from(indices),
  values: Array.from(values),
});

function asPointStruct(point: Point): Schemas['PointStruct'] {
  const { sparse, sources, dense, payload } = point;
  const passage = payload.unit === 'message' ? payload.passage : 0;
  return {
    id: pointId(payload.account, payload.unit, payload.source_id, passage),
    vector: {
      [SPARSE_VECTOR]: sparseOf(sparse),
      ...(sources === null ? {} : { [SOURCES_VECTOR]: sparseOf(sources) }),
      ...(dense === null ? {} : { [DENSE_VECTOR]: [...dense] }),
    },
    payload: { ...payload },
  };
}

/** Replaces only what is the account's own: ids of points can be chosen by who can choose ids of statements. */
function upsertOperation(accountId: string, version: number, points: readonly Point[]) {
  const replaces: PointFilter = {
    must: [matches('account', accountId), { key: 'row_version', range: { lte: version } }],
  };
  return { upsert: { points: points.map(asPointStruct), update_filter: asFilter(replaces) } };
}

/** What can be asked of the points of a collection, and done to them. */
export class PointIndex extends PointReader {
  /**
   * Resolves when the points, all of the account, can be searched. Takes points from the iterable only as it sends them, in bounded
   * requests. Answers the units of which Qdrant refused a point for its content.
   */
  async upsert(accountId: string, points: Iterable<Point>): Promise<ReadonlySet<string>> {
    const refused = await sendInSlices(points, {
      mostItems: MOST_POINTS_OF_REQUEST,
      mostBytes: MOST_REQUEST_BYTES,
      bytesOf,
      refusesAll,
      send: async (some) => {
        const byVersion = Map.groupBy(some, (point) => point.payload.row_version);
        const operations = [...byVersion].map(([version, group]) =>
          upsertOperation(accountId, version, group),
        );
        await asking(() => this.client.batchUpdate(this.collection, { wait: true, operations }));
      },
    });
    return new Set(refused.map(({ payload }) => payload.source_id));
  }

  /** As the function of this name. */
  keptPassages(
    accountId: string,
    places: readonly PassagePlace[],
  ): Promise<readonly (KeptPassage | null)[]> {
    return keptPassages(this.client, this.collection, accountId, places);
  }

  /** Every passage of the units. */
  async deleteUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<void> {
    if (unitIds.length === 0) return;
    const filter = asFilter({
      must: [unitFilter(accountId, unit), matchesAny('source_id', unitIds)],
    });
    await asking(() => this.client.delete(this.collection, { wait: true, filter }));
  }

  async deletePoints(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await asking(() => this.client.delete(this.collection, { wait: true, points: [...ids] }));
  }
}
