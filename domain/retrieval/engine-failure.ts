/**
 * A search engine failed a request. Carries a class only: an engine's own message may quote a
 * filter or a document, so it is left out.
 */

export type EngineName = 'qdrant' | 'meilisearch';
/** `away`: no answer in time or no connection; `refused`: it answered with an error. */
export type EngineFailureReason = 'away' | 'timeout' | 'refused';

export class EngineFailure extends Error {
  readonly engine: EngineName;
  readonly reason: EngineFailureReason;
  /** The engine's own error code or HTTP status, when it gave one. */
  readonly code: string | null;
  override readonly name = 'EngineFailure';

  constructor(engine: EngineName, reason: EngineFailureReason, code: string | null = null) {
    super(`${engine}_${reason}`);
    this.engine = engine;
    this.reason = reason;
    this.code = code;
  }
}
