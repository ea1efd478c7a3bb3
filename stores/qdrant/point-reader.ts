/** Reading points: searches, look-ups of dense vectors, and the walk over all points that verification takes. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { idInIndex } from '../id-in-index.ts';
import { asking } from './client.ts';
import { asFilter, matches, openStatements, statementFilter, unitFilter } from './filter.ts';
import { DENSE_VECTOR, SPARSE_VECTOR } from './point.ts';
import type { Hit, KeptVector, PointIndex, StoredPoint } from './point-index.ts';
import type { UnitKind } from '../../domain/retrieval/units.ts';

const SCROLL_PAGE = 1000;
/** Of statements that say the same there is one, or a few that are kept apart. */
const MOST_ALIKE = 8;

const hitPayload = z.object({ source_id: z.string() });
const storedPayload = z.object({
  source_id: z.string(),
  row_version: z.number(),
});
const keptPayload = z.object({ text_hash: z.string(), source_id: z.string() });
const keptVector = z.object({ [DENSE_VECTOR]: z.array(z.number()) });

function toHits(points: Schemas['QueryResponse']['points']): Hit[] {
  return points.flatMap((point) => {
    const payload = hitPayload.safeParse(point.payload);
    return payload.success ? [{ sourceId: payload.data.source_id, score: point.score }] : [];
  });
}

function toStored(point: Schemas['Record']): StoredPoint {
  const payload = storedPayload.safeParse(point.payload);
  return {
    id: String(point.id),
    // A point without a readable payload belongs to no unit: it shows up as an orphan.
    sourceId: payload.success ? payload.data.source_id : '',
    rowVersion: payload.success ? payload.data.row_version : 0,
  };
}

function toKept(point: Pick<Schemas['Record'], 'payload' | 'vector'>): [string, KeptVector][] {
  const payload = keptPayload.safeParse(point.payload);
  const vector = keptVector.safeParse(point.vector);
  if (!payload.success || !vector.success) return [];
  const { source_id: sourceId, text_hash: textHash } = payload.data;
  return [[sourceId, { textHash, vector: vector.data[DENSE_VECTOR] }]];
}

async function* scroll(
  client: QdrantClient,
  collection: string,
  accountId: string,
  unit: UnitKind,
): AsyncGenerator<readonly StoredPoint[]> {
  const filter = asFilter(unitFilter(accountId, unit));
  let offset: string | number | undefined;
  do {
    const page = await asking(() =>
      client.scroll(collection, {
        filter,
        limit: SCROLL_PAGE,
        with_payload: ['source_id', 'row_version'],
        ...(offset === undefined ? {} : { offset }),
      }),
    );
    yield page.points.map(toStored);
    const next = page.next_page_offset;
    offset = typeof next === 'string' || typeof next === 'number' ? next : undefined;
  } while (offset !== undefined);
}

export function createPointReader(
  client: QdrantClient,
  collection: string,
): Omit<PointIndex, 'collection' | 'upsert' | 'deleteUnits' | 'deletePoints'> {
  const search = (
    body: Parameters<QdrantClient['query']>[1],
    wanted: StatementSearch,
    limit: number,
  ): Promise<Hit[]> =>
    asking(async () => {
      const answer = await client.query(collection, {
        ...body,
        filter: asFilter(statementFilter(wanted)),
        limit,
        with_payload: ['source_id'],
      });
      return toHits(answer.points);
    });

  return {
    searchSparse: ({ indices, values }, wanted, limit) =>
      search(
        { query: { indices: [...indices], values: [...values] }, using: SPARSE_VECTOR },
        wanted,
        limit,
      ),
    searchDense: (vector, wanted, limit) =>
      search({ query: [...vector], using: DENSE_VECTOR }, wanted, limit),
    async alikeStatements(accountId, queries, minimum) {
      if (queries.length === 0) return [];
      const searches = queries.map(({ vector, ...of }) => ({
        query: [...vector],
        using: DENSE_VECTOR,
        filter: asFilter(openStatements(accountId, of)),
        score_threshold: minimum,
        limit: MOST_ALIKE,
        with_payload: ['text_hash', 'source_id'],
        with_vector: [DENSE_VECTOR],
      }));
      const answers = await asking(() => client.queryBatch(collection, { searches }));
      return answers.map(({ points }) =>
        points.flatMap(toKept).map(([sourceId, kept]) => ({ sourceId, ...kept })),
      );
    },
    async keptVectors(accountId, unitIds) {
      if (unitIds.length === 0) return new Map();
      const points = await asking(() =>
        client.retrieve(collection, {
          ids: unitIds.map((id) => idInIndex(accountId, 'statement', id)),
          with_payload: ['text_hash', 'source_id'],
          with_vector: [DENSE_VECTOR],
        }),
      );
      return new Map(points.flatMap(toKept));
    },
    scroll: (accountId, unit) => scroll(client, collection, accountId, unit),
    async countWithoutDense(accountId) {
      const filter = asFilter({
        must: [matches('account', accountId)],
        must_not: [{ has_vector: DENSE_VECTOR }],
      });
      return asking(async () => (await client.count(collection, { filter, exact: true })).count);
    },
    async probe() {
      await asking(() => client.getCollection(collection));
    },
  };
}
