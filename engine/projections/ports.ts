/** What the projections reach the world through; the composition root builds it. */
import type { EmbeddingResult } from '../models/embedding.ts';
import type { CallContext } from '../models/extraction.ts';
import type * as frequencies from '../../stores/postgres/document-frequency.store.ts';
import type * as marks from '../../stores/postgres/dirty-marks.store.ts';
import type * as claims from '../../stores/postgres/mark-claims.store.ts';
import type * as units from '../../stores/postgres/units.store.ts';
import type { TextWork } from '../offload/text-work.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import type { DocumentIndex } from '../../stores/meilisearch/documents.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';

/** A store function with its transaction and account filled in. */
export type Bound<F> = F extends (
  tx: Queryable,
  accountId: string,
  ...rest: infer Rest
) => infer Result
  ? (...rest: Rest) => Result
  : never;

export interface ProjectionStores {
  readonly claimMarks: Bound<typeof claims.claimMarks>;
  readonly nextMarkDueInMs: Bound<typeof marks.nextMarkDueInMs>;
  readonly statementMarks: Bound<typeof marks.statementMarks>;
  readonly clearMarks: Bound<typeof marks.clearMarks>;
  readonly postponeMarks: Bound<typeof claims.postponeMarks>;
  readonly setAsideMarks: Bound<typeof claims.setAsideMarks>;
  readonly returnMarks: Bound<typeof claims.returnMarks>;
  readonly markOverdue: Bound<typeof marks.markOverdue>;
  readonly markCaughtUp: Bound<typeof marks.markCaughtUp>;
  readonly markDirty: Bound<typeof marks.markDirty>;
  readonly markedUnits: Bound<typeof marks.markedUnits>;
  readonly markedShards: Bound<typeof marks.markedShards>;
  readonly loadStatementUnits: Bound<typeof units.loadStatementUnits>;
  readonly loadMessageUnits: Bound<typeof units.loadMessageUnits>;
  readonly pageOfUnits: Bound<typeof units.pageOfUnits>;
  readonly placeUnits: Bound<typeof units.placeUnits>;
  readonly expectedUnits: Bound<typeof units.expectedUnits>;
  readonly scopesWithin: Bound<typeof units.scopesWithin>;
  readonly recountUnits: Bound<typeof frequencies.recountUnits>;
}

/**
 * Runs `work` in one transaction under the row security of the account. With a limit, in milliseconds, the database
 * ends a statement that lasts longer: its reader has given up by then, and it would run on for nobody.
 */
export type InAccount<Stores> = <T>(
  accountId: string,
  work: (stores: Stores) => Promise<T>,
  limits?: { readonly statementTimeoutMs: number | null },
) => Promise<T>;

export type Embed = (texts: readonly string[], call: CallContext) => Promise<EmbeddingResult>;

export interface ProjectionDependencies {
  readonly inAccount: InAccount<ProjectionStores>;
  readonly points: PointIndex;
  readonly documents: DocumentIndex;
  /** Null without an embedder: points then have no dense vectors. */
  readonly embed: Embed | null;
  /** The same for statements: it remembers those that were embedded before their commit. Null with the other. */
  readonly embedStatements: Embed | null;
  /** Analyses messages beside the event loop. */
  readonly text: Pick<TextWork, 'analyseMessages'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Told of failures that are retried, by code; never of content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}
