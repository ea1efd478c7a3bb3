/**
 * An index failed a request. Carries a class only: an index's own message may quote a filter or a record, so it is
 * left out.
 */

export const INDEX_NAMES = ['qdrant', 'meilisearch'] as const;
export type IndexName = (typeof INDEX_NAMES)[number];
/**
 * `away`: no connection, or an answer that cannot be read; `timeout`: no answer in time; `refused`: it answered with an
 * error.
 */
export type IndexFailureReason = 'away' | 'timeout' | 'refused';

export class IndexFailure extends Error {
  readonly index: IndexName;
  readonly reason: IndexFailureReason;
  /** The index's own error code or HTTP status, when it gave one. */
  readonly code: string | null;
  override readonly name = 'IndexFailure';

  constructor(index: IndexName, reason: IndexFailureReason, code: string | null = null) {
    super(`${index}_${reason}`);
    this.index = index;
    this.reason = reason;
    this.code = code;
  }
}
