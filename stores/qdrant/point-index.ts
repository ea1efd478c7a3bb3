/** What can be asked of the points of one collection, and done to them. */
import type { UnitKind } from '../../domain/retrieval/units.ts';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { Point } from './point.ts';

export interface Hit {
  readonly sourceId: string;
  readonly score: number;
}

export interface StoredPoint {
  readonly id: string;
  readonly sourceId: string;
  readonly rowVersion: number;
}

export interface PointIndex {
  readonly collection: string;
  /**
   * Resolves when the points can be searched. Takes points from the iterable only as it sends them, in bounded
   * requests. Answers the units of which Qdrant refused a point for its content.
   */
  upsert(points: Iterable<Point>): Promise<ReadonlySet<string>>;
  /** Every passage of the units. */
  deleteUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<void>;
  deletePoints(ids: readonly string[]): Promise<void>;
  searchSparse(query: SparseVector, search: StatementSearch, limit: number): Promise<Hit[]>;
  searchDense(query: readonly number[], search: StatementSearch, limit: number): Promise<Hit[]>;
  /** Dense vectors of statements, by statement. */
  keptVectors(
    accountId: string,
    unitIds: readonly string[],
  ): Promise<ReadonlyMap<string, KeptVector>>;
  /** For each query the open statements of its subject and kind with a cosine of at least `minimum`, highest first. */
  alikeStatements(
    accountId: string,
    queries: readonly AlikeQuery[],
    minimum: number,
  ): Promise<readonly (readonly AlikeStatement[])[]>;
  /** All points of the account and unit kind, page by page. */
  scroll(accountId: string, unit: UnitKind): AsyncIterable<readonly StoredPoint[]>;
  /** Points of the account without a dense vector. */
  countWithoutDense(accountId: string): Promise<number>;
  /** Throws an `IndexFailure` unless Qdrant answers and holds the collection. */
  probe(): Promise<void>;
}

export interface AlikeQuery {
  readonly vector: readonly number[];
  /** Null for statements about a scope. */
  readonly subjectPeerId: string | null;
  readonly kind: string;
}

export interface AlikeStatement extends KeptVector {
  readonly sourceId: string;
}

export interface KeptVector {
  readonly textHash: string;
  readonly vector: readonly number[];
}
