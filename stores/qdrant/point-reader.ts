/** Reading points: searches, look-ups of dense vectors, and the walk over all points that verification takes. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { cutBeforeEquals } from '../../domain/ranking/cut.ts';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import type { ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import type { MessageReader } from '../../domain/retrieval/message-search.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { answersTo, fieldOf, listOf, payloadOf, scoreOf, sourceOf, vectorOf } from './answers.ts';
import { chunkFilter } from './chunk-filter.ts';
import { asking, nameInUse, type AbortableQdrantClient, type CollectionInUse } from './client.ts';
import {
  asFilter,
  matches,
  openStatements,
  statementFilter,
  unitFilter,
  type PointFilter,
} from './filter.ts';
import { statementPointId, statementsOfPoints } from './point-id.ts';
import { DENSE_VECTOR, SPARSE_VECTOR } from './point.ts';
import { SpacePoints, type ShownUnit } from './space-points.ts';
import { wordLists } from './statement-sources.ts';
import type { UnitKind } from '../../domain/retrieval/units.ts';

export interface Hit {
  readonly sourceId: string;
  readonly score: number;
}

/** What to look for of each kind; null leaves a kind out. Each kind has a limit, in points, of its own. */
export interface CandidateSearch {
  readonly statements: { readonly search: StatementSearch; readonly limit: number } | null;
  readonly chunks: { readonly search: ChunkSearch; readonly limit: number } | null;
}

/** Best first. A chunk is found once, by its best passage. */
export interface CandidateHits {
  readonly statements: readonly Hit[];
  readonly chunks: readonly Hit[];
}

export interface StoredPoint {
  readonly id: string;
  readonly sourceId: string;
  readonly rowVersion: number;
}

export interface AlikeQuery {
  readonly vector: readonly number[];
  /** Null for statements about a scope. */
  readonly subjectPeerId: string | null;
  readonly kind: string;
}

export interface KeptVector {
  readonly textHash: string;
  readonly vector: readonly number[];
}

export interface AlikeStatement extends KeptVector {
  readonly sourceId: string;
}

const SCROLL_PAGE = 1000;
/** Of statements that say the same there is one, or a few that are kept apart. */
const MOST_ALIKE = 8;

const collectionInfo = z.object({ config: z.object({}) });
const storedPayload = z.object({ source_id: z.string(), row_version: z.number() });

/** A point that belongs to no unit is no hit. */
function toHits(answer: unknown, unitOf: (point: unknown) => string | null): Hit[] {
  const hits: Hit[] = [];
  for (const point of listOf(fieldOf(answer, 'points'), 'points')) {
    const score = scoreOf(point);
    const sourceId = unitOf(point);
    if (sourceId !== null) hits.push({ sourceId, score });
  }
  return hits;
}

/** Statements by the ids of their points alone. */
function statementsOf(accountId: string): (answer: unknown) => Hit[] {
  const statementOf = statementsOfPoints(accountId);
  return (answer) => toHits(answer, (point) => statementOf(fieldOf(point, 'id')));
}

const chunksOf = (answer: unknown): Hit[] => toHits(answer, sourceOf);

/** Of each source its first hit, which is its best. */
function firstOfEach(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ sourceId }) => !seen.has(sourceId) && seen.add(sourceId));
}

interface AskedList {
  readonly using: string;
  readonly filter: PointFilter;
}

/** How the kinds are looked for: statements in lists of their own, chunks by one vector. */
interface AskedCandidates extends CandidateSearch {
  readonly using: string;
  readonly lists: readonly AskedList[] | null;
}

/** The best of lists that share nothing, without equals at the end (`cutBeforeEquals`). */
function bestOf(lists: readonly (readonly Hit[])[], most: number): readonly Hit[] {
  const all = lists.flatMap((list) => cutBeforeEquals(list, most));
  return cutBeforeEquals(
    all.toSorted((a, b) => b.score - a.score),
    most,
  );
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

function toKept(point: unknown): AlikeStatement[] {
  const textHash = fieldOf(payloadOf(point), 'text_hash');
  const sourceId = sourceOf(point);
  const vector = vectorOf(point, DENSE_VECTOR);
  return typeof textHash === 'string' && sourceId !== null && vector !== null
    ? [{ sourceId, textHash, vector }]
    : [];
}

/** What can be asked of the points of a collection, which `ensureCollection` made. */
export class PointReader {
  protected readonly client: AbortableQdrantClient;
  readonly #collection: CollectionInUse;
  /** Where vectors of meaning are looked for, by their space: never those of another one. */
  readonly #ofMeaning: CollectionInUse;

  constructor(
    client: AbortableQdrantClient,
    collection: CollectionInUse,
    ofMeaning: CollectionInUse = collection,
  ) {
    this.client = client;
    this.#collection = collection;
    this.#ofMeaning = ofMeaning;
  }

  protected get collection(): string {
    return nameInUse(this.#collection);
  }

  /** The best `limit` points by words. The signal ends the request. */
  searchSparse(
    { indices, values }: SparseVector,
    search: StatementSearch,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Hit[]> {
    const query = { indices: [...indices], values: [...values] };
    return this.#search({ query, using: SPARSE_VECTOR }, search, limit, signal);
  }

  /**
   * As `searchSparse`, of statements and chunks, in one round trip. `readers` say who reads messages, and where:
   * statements are found by words of sources too, as far as these are theirs.
   */
  candidatesByWords(
    { indices, values }: SparseVector,
    search: CandidateSearch,
    readers: readonly MessageReader[],
    signal?: AbortSignal,
  ): Promise<CandidateHits> {
    const query = { indices: [...indices], values: [...values] };
    const statements = search.statements && wordLists(search.statements.search, readers);
    const asked = { ...search, using: SPARSE_VECTOR, lists: statements };
    return this.#candidates(this.collection, query, asked, signal);
  }

  /** By the dense vector, of statements and chunks, in one round trip. The signal ends it. */
  candidatesByMeaning(
    vector: readonly number[],
    search: CandidateSearch,
    signal?: AbortSignal,
  ): Promise<CandidateHits> {
    const lists = search.statements && [
      { using: DENSE_VECTOR, filter: statementFilter(search.statements.search) },
    ];
    const asked = { ...search, using: DENSE_VECTOR, lists };
    return this.#candidates(nameInUse(this.#ofMeaning), [...vector], asked, signal);
  }

  /** For each query the open statements of its subject and kind with a cosine of at least `minimum`, highest first. */
  async alikeStatements(
    accountId: string,
    queries: readonly AlikeQuery[],
    minimum: number,
  ): Promise<readonly (readonly AlikeStatement[])[]> {
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
    return asking(async () => {
      const answer = await this.client.queryBatchWithin(nameInUse(this.#ofMeaning), searches);
      return answersTo(searches.length, answer).map((one) =>
        listOf(fieldOf(one, 'points'), 'points').flatMap(toKept),
      );
    });
  }

  /** Dense vectors of statements, by statement. */
  async keptVectors(
    accountId: string,
    unitIds: readonly string[],
  ): Promise<ReadonlyMap<string, KeptVector>> {
    if (unitIds.length === 0) return new Map();
    const kept = await asking(async () => {
      const points = await this.client.retrieveWithin(nameInUse(this.#ofMeaning), {
        ids: unitIds.map((id) => statementPointId(accountId, id)),
        with_payload: ['text_hash', 'source_id'],
        with_vector: [DENSE_VECTOR],
      });
      return listOf(points, 'points').flatMap(toKept);
    });
    return new Map(kept.map(({ sourceId, ...vector }) => [sourceId, vector]));
  }

  /** As the method of this name of `SpacePoints`, of the collection that is searched. */
  shown(
    accountId: string,
    unit: UnitKind,
    unitIds: readonly string[],
  ): Promise<ReadonlyMap<string, ShownUnit>> {
    return new SpacePoints(this.client, this.collection).shown(accountId, unit, unitIds);
  }

  /** All points of the account and unit kind, page by page. */
  async *scroll(accountId: string, unit: UnitKind): AsyncGenerator<readonly StoredPoint[]> {
    const filter = asFilter(unitFilter(accountId, unit));
    let offset: string | number | undefined;
    do {
      const page = await asking(() =>
        this.client.scroll(this.collection, {
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

  /** Points of the account without a dense vector. */
  async countWithoutDense(accountId: string): Promise<number> {
    const filter = asFilter({
      must: [matches('account', accountId)],
      must_not: [{ has_vector: DENSE_VECTOR }],
    });
    const { count } = await asking(() =>
      this.client.count(this.collection, { filter, exact: true }),
    );
    return count;
  }

  /** Throws an `IndexFailure` unless Qdrant answers and holds the collection. The signal ends the request. */
  async probe(signal?: AbortSignal): Promise<void> {
    await asking(async () => {
      collectionInfo.parse(await this.client.collectionWithin(this.collection, signal));
    });
  }

  async #candidates(
    collection: string,
    query: NonNullable<Schemas['QueryRequest']['query']>,
    { chunks, lists, statements, using }: AskedCandidates,
    signal: AbortSignal | undefined,
  ): Promise<CandidateHits> {
    const asked = (of: AskedList, limit: number): Schemas['QueryRequest'] => ({
      query,
      using: of.using,
      filter: asFilter(of.filter),
      limit: limit + 1,
    });
    const most = statements?.limit ?? 0;
    const ofStatements = statements === null ? [] : (lists ?? []).map((list) => asked(list, most));
    const ofChunks =
      chunks === null
        ? []
        : [
            {
              ...asked({ using, filter: chunkFilter(chunks.search) }, chunks.limit),
              with_payload: ['source_id'],
            },
          ];
    const searches = [...ofStatements, ...ofChunks];
    if (searches.length === 0) return { statements: [], chunks: [] };
    return asking(async () => {
      const found = answersTo(
        searches.length,
        await this.client.queryBatchWithin(collection, searches, signal),
      );
      const hits =
        statements === null
          ? []
          : found.slice(0, ofStatements.length).map(statementsOf(statements.search.accountId));
      const chunkHits = found.slice(ofStatements.length).flatMap(chunksOf);
      return {
        statements: bestOf(hits, most),
        chunks: firstOfEach(cutBeforeEquals(chunkHits, chunks?.limit ?? 0)),
      };
    });
  }

  #search(
    body: Parameters<QdrantClient['query']>[1],
    search: StatementSearch,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<Hit[]> {
    const query = {
      ...body,
      filter: asFilter(statementFilter(search)),
      limit,
    };
    const read = statementsOf(search.accountId);
    return asking(async () => read(await this.client.queryWithin(this.collection, query, signal)));
  }
}
