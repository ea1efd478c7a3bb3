/**
 * Writing points. A write carries its row's version and replaces only a point of the same or a lower one,
 * decided by the engine in the write itself (`update_filter`): a late write of an older reading cannot win,
 * without a read before it. The filter holds for one whole operation, so points are grouped by version.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { engineId } from '../engine-id.ts';
import { asking } from './client.ts';
import { asFilter, matchesAny, unitFilter } from './filter.ts';
import { DENSE_VECTOR, SPARSE_VECTOR, type Point } from './point.ts';
import type { PointIndex } from './point-index.ts';

/** Points in one request: a long message has hundreds, each with its vectors. */
const POINTS_PER_REQUEST = 500;

function asPointStruct(point: Point): Schemas['PointStruct'] {
  const { sparse, dense, payload } = point;
  const passage = payload.unit === 'message' ? payload.passage : 0;
  return {
    id: engineId(payload.account, payload.unit, payload.source_id, passage),
    vector: {
      [SPARSE_VECTOR]: { indices: [...sparse.indices], values: [...sparse.values] },
      ...(dense === null ? {} : { [DENSE_VECTOR]: [...dense] }),
    },
    payload: { ...payload },
  };
}

function upsertOperation(version: number, points: readonly Point[]) {
  return {
    upsert: {
      points: points.map(asPointStruct),
      update_filter: { must: [{ key: 'row_version', range: { lte: version } }] },
    },
  };
}

export function createPointWriter(
  client: QdrantClient,
  collection: string,
): Pick<PointIndex, 'upsert' | 'deleteUnits' | 'deletePoints'> {
  return {
    async upsert(points) {
      for (let start = 0; start < points.length; start += POINTS_PER_REQUEST) {
        const some = points.slice(start, start + POINTS_PER_REQUEST);
        const byVersion = Map.groupBy(some, (point) => point.payload.row_version);
        const operations = [...byVersion].map(([version, group]) =>
          upsertOperation(version, group),
        );
        await asking(() => client.batchUpdate(collection, { wait: true, operations }));
      }
    },
    async deleteUnits(accountId, unit, unitIds) {
      if (unitIds.length === 0) return;
      const filter = asFilter({
        must: [unitFilter(accountId, unit), matchesAny('source_id', unitIds)],
      });
      await asking(() => client.delete(collection, { wait: true, filter }));
    },
    async deletePoints(ids) {
      if (ids.length === 0) return;
      await asking(() => client.delete(collection, { wait: true, points: [...ids] }));
    },
  };
}
