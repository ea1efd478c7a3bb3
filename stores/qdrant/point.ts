/**
 * The layout of a point: one per unit (a statement, or a passage of a message), with a sparse vector of its
 * words, a dense one where an embedder exists, and what access and scoring need as payload.
 *
 * `now_*` are the governed values of today, for plain reads; `ever_*` hold every value that a belief period
 * had, for reads of a past instant. Instants are milliseconds since the epoch, so that one integer index
 * serves; "never ends" is a far-future sentinel, because a range never matches null.
 */

import type { LATER_PART, VectorAbsence } from '../../domain/retrieval/message-search.ts';
import type { AccessFields } from '../access-fields.ts';

export const SPARSE_VECTOR = 'words';
/** Of statements: their words with those of their sources. Only for who reads the sources (`source_readers`). */
export const SOURCES_VECTOR = 'sources';
export const DENSE_VECTOR = 'meaning';

interface CommonPayload {
  readonly account: string;
  readonly source_id: string;
  /** Milliseconds: ties in score follow the order in which things were said. */
  readonly order: number;
  readonly now_scope: string;
  readonly row_version: number;
  readonly analyzer: string;
  /** SHA-256 of the unit's text: an unchanged text keeps its dense vector. */
  readonly text_hash: string;
}

export interface StatementPayload extends CommonPayload, AccessFields {
  readonly unit: 'statement';
  readonly kind: string;
  /** Absent when the statement is about a scope. */
  readonly subject_peer?: string;
  readonly provider: string;
  readonly model?: string;
  readonly pipeline: string;
  readonly corroboration: number;
  /** Peers who read all sources whose words `SOURCES_VECTOR` has; absent without that vector. */
  readonly source_readers?: readonly string[];
  /** As of a message: it says that the statement still awaits the dense vector of this collection. */
  readonly vector?: VectorAbsence;
}

export interface MessagePayload extends CommonPayload {
  readonly unit: 'message';
  readonly session: string;
  readonly speaker: string;
  readonly role: string;
  /** Peers who were there. */
  readonly readers: readonly string[];
  /** Of chunks, milliseconds: when the service got to know them, for reads of a past instant. */
  readonly recorded?: number;
  /** The message has very many passages, and this is none of the first (`MOST_OF_BEGINNING`). */
  readonly part?: typeof LATER_PART;
  /** Position of the passage in its message, from 0. */
  readonly passage: number;
  /** Code points of the message before the passage; absent where a masked text hides the place. */
  readonly begins_at?: number;
  /** The passage asks something and says nothing else. */
  readonly short_question?: true;
  /** The passage names a time. */
  readonly time_cue?: true;
  /** The message says something that can be kept, as the deterministic extractor sees it. */
  readonly says_something?: true;
  /** An assistant said the message, or one of the two turns before or after. */
  readonly with_assistant?: true;
  /** Why it has no dense vector; absent of one that has, and without an embedder. */
  readonly vector?: VectorAbsence;
}

/** Numbers as they come: arrays of a process, or typed ones from its threads. */
export interface PointWords {
  /** Term ids, ascending and unique. */
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export type PointPayload = StatementPayload | MessagePayload;

/** Its id follows from account, unit, source and passage. */
export interface Point {
  readonly sparse: PointWords;
  /** Null leaves the point without a vector of its sources. */
  readonly sources: PointWords | null;
  /** Null leaves the point without a dense vector. */
  readonly dense: readonly number[] | null;
  readonly payload: PointPayload;
}

type FieldSchema =
  | { readonly type: 'keyword'; readonly is_tenant?: boolean }
  | { readonly type: 'integer'; readonly lookup: boolean; readonly range: boolean };

const KEYWORD: FieldSchema = { type: 'keyword' };
const RANGE: FieldSchema = { type: 'integer', lookup: false, range: true };

/**
 * Payload fields that conditions read, and how each is indexed; an index that no condition uses costs at every write.
 * Measured with 60,000 statements among 180,000 points: without an index of `kind`, and with five segments, 25 look-ups
 * of statements that say the same took 23 ms instead of 8 to 12. Without the indexes of the past a read of a past
 * instant takes 96 ms instead of 10.
 */
export const PAYLOAD_INDEXES: Readonly<Record<string, FieldSchema>> = {
  account: { type: 'keyword', is_tenant: true },
  unit: KEYWORD,
  kind: KEYWORD,
  source_id: KEYWORD,
  now_scope: KEYWORD,
  now_state: KEYWORD,
  now_sensitivity: KEYWORD,
  now_level: KEYWORD,
  ever_scope: KEYWORD,
  ever_state: KEYWORD,
  ever_sensitivity: KEYWORD,
  ever_level: KEYWORD,
  subject_peer: KEYWORD,
  submitters: KEYWORD,
  audience: KEYWORD,
  believed_from: RANGE,
  believed_until: RANGE,
  expires_at: RANGE,
  // Of messages: chunks are told by their role, and found by who may read them and by their document's session;
  // `vector` says why a passage has none.
  role: KEYWORD,
  readers: KEYWORD,
  session: KEYWORD,
  vector: KEYWORD,
  recorded: RANGE,
  part: KEYWORD,
  // Of statements: who reads their sources.
  source_readers: KEYWORD,
};
