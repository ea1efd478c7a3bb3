/** The status of a source search, as a function of what became of its parts. */
import { ERROR_CLASSES } from '../error-class.ts';
import type { IndexFailureReason } from './index-failure.ts';

export const SOURCE_MODES = ['semantic', 'exact'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

export const SOURCE_STATUSES = ['ready', 'stale', 'empty', 'unavailable', 'failed'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

export const INDEX_FAILURE_CLASSES = ['index_away', 'index_timeout', 'index_refused'] as const;

/** Why a part failed: the classes of calls to models, and those of the indexes. */
export const SOURCE_FAILURE_CLASSES = [...ERROR_CLASSES, ...INDEX_FAILURE_CLASSES] as const;
export type SourceFailureClass = (typeof SOURCE_FAILURE_CLASSES)[number];

/** The class of an index that did not do what it was asked for. */
export function indexFailureClass(reason: IndexFailureReason): SourceFailureClass {
  return `index_${reason}`;
}

/**
 * Which of the messages that the reader may read have a vector of the configured space: `all`, `some`, or `none` of
 * them. `no_messages`: there is nothing that the reader may read. A search by words needs no vectors: `not_needed`.
 */
export type VectorState = 'all' | 'some' | 'none' | 'no_messages' | 'not_needed';

export interface SourceFacts {
  /** Results that the answer shows. */
  readonly results: number;
  readonly vectors: VectorState;
  /** Messages that were found are left out, because their texts could not be checked against the query. */
  readonly isCut: boolean;
  /** What kept the search from an answer; null when it has one. */
  readonly failure: SourceFailureClass | null;
  /** What made it answer with less than it should have; null when nothing did. */
  readonly lack: SourceFailureClass | null;
}

export interface SourceOutcome {
  readonly status: SourceStatus;
  readonly failureClass: SourceFailureClass | null;
}

/**
 * An answer that may miss something is `stale` also when it shows nothing: `empty` says that there is nothing to find.
 */
export function sourceOutcome({
  results,
  vectors,
  isCut,
  failure,
  lack,
}: SourceFacts): SourceOutcome {
  if (vectors === 'no_messages') return { status: 'empty', failureClass: null };
  if (failure === 'model_not_configured') return { status: 'unavailable', failureClass: failure };
  if (failure !== null) return { status: 'failed', failureClass: failure };
  if (vectors === 'none') return { status: 'unavailable', failureClass: null };
  if (vectors === 'some' || isCut || lack !== null) return { status: 'stale', failureClass: lack };
  return { status: results === 0 ? 'empty' : 'ready', failureClass: null };
}
