/**
 * A unit as an index gets it: the sparse vector of its words, and the payload of `stores/qdrant/point.ts`
 * or the record of `stores/meilisearch/record.ts`. Pure but for hashing.
 */
import { pointVector, type SparseVector } from '../../domain/ranking/sparse.ts';
import {
  LATER_PART,
  MOST_OF_BEGINNING,
  type VectorAbsence,
} from '../../domain/retrieval/message-search.ts';
import { listed, listedAudience } from '../../domain/retrieval/listed.ts';
import { instantOrNever } from '../../domain/retrieval/statement-search.ts';
import { words } from '../../domain/text/tokens.ts';
import type { AccessFields } from '../../stores/access-fields.ts';
import type { MessageRecord, StatementRecord } from '../../stores/meilisearch/record.ts';
import type { MessageUnit, StatementUnit } from '../../stores/postgres/indexes/units.store.ts';
import type { CountedUnit } from '../../stores/postgres/retrieval/frequencies.store.ts';
import type { Point } from '../../stores/qdrant/point.ts';
import { analyze, ANALYZER_VERSION } from '../text/analyze.ts';
import { quotedBigrams } from '../text/quoted-bigrams.ts';
import {
  textHash,
  type AnalysedPassage,
  type AnalysedVector,
  type MessageAnalysis,
} from '../analysis/message.ts';

/** The name of the analyzer in points, counted units and names of indexes. */
export const ANALYZER = `a${ANALYZER_VERSION}`;

/** A statement that indexes hold: it still has its text. */
export type IndexedStatement = StatementUnit & { readonly statement: string };

/** Withdrawn statements leave the indexes; every other state stays, so that past instants can be read. */
export function isIndexed(unit: StatementUnit): unit is IndexedStatement {
  return unit.statement !== null && unit.state !== 'redacted' && unit.state !== 'retracted';
}

/** Governed values and access fields, the same in both indexes. */
function accessFields(unit: IndexedStatement): AccessFields {
  return {
    submitters: listed(unit.submitting_peer_ids),
    ...(unit.audience === null ? {} : { audience: listedAudience(unit.audience) }),
    believed_from: Date.parse(unit.believed_from ?? unit.text_occurred_at),
    believed_until: instantOrNever(unit.believed_until),
    now_state: unit.state,
    now_sensitivity: unit.sensitivity,
    now_level: unit.target_level,
    ever_scope: listed(unit.ever_scopes),
    ever_state: unit.ever_states,
    ever_sensitivity: unit.ever_sensitivities,
    ever_level: unit.ever_levels,
    expires_at: instantOrNever(unit.expires_at),
  };
}

/** The words of a statement with those of its sources, and who reads all of these; at least one peer, not too many. */
export interface WordsOfSources {
  readonly sparse: AnalysedVector;
  readonly readers: readonly string[];
}

/** A statement, analysed once for everything that is made of it. */
export interface AnalysedStatement {
  readonly unit: IndexedStatement;
  readonly sparse: SparseVector;
  /** Null where they lend none. */
  readonly sources: WordsOfSources | null;
  readonly textHash: string;
}

export function analyseStatement(
  accountId: string,
  unit: IndexedStatement,
  sources: WordsOfSources | null = null,
): AnalysedStatement {
  const { terms, length } = analyze(unit.statement);
  const sparse = pointVector(accountId, terms, length);
  return { unit, sparse, sources, textHash: textHash(unit.statement) };
}

/** The point of a statement. `dense` is null where there is no vector. */
export function statementPoint(
  accountId: string,
  { unit, sparse, sources, textHash: hash }: AnalysedStatement,
  dense: readonly number[] | null,
): Point {
  return {
    sparse,
    sources: sources?.sparse ?? null,
    dense,
    payload: {
      account: accountId,
      unit: 'statement',
      source_id: unit.id,
      order: Date.parse(unit.text_occurred_at),
      now_scope: unit.scope_id,
      row_version: unit.row_version,
      analyzer: ANALYZER,
      text_hash: hash,
      kind: unit.kind,
      ...(unit.subject_peer_id === null ? {} : { subject_peer: unit.subject_peer_id }),
      ...accessFields(unit),
      provider: unit.extracting_provider,
      ...(unit.extracting_model === null ? {} : { model: unit.extracting_model }),
      pipeline: unit.pipeline_version,
      corroboration: unit.corroboration_count,
      ...(sources === null ? {} : { source_readers: sources.readers }),
    },
  };
}

/** The record of a statement. */
export function statementRecord(
  accountId: string,
  { unit, sparse }: AnalysedStatement,
): StatementRecord {
  return {
    account: accountId,
    source_id: unit.id,
    now_scope: unit.scope_id,
    row_version: unit.row_version,
    text: words(unit.statement).join(' '),
    coded: quotedBigrams(unit.statement),
    terms: sparse.indices,
    subject_peer: unit.subject_peer_id,
    ...accessFields(unit),
  };
}

/** What the frequencies count of a statement. */
export function countedStatement({ unit, sparse }: AnalysedStatement): CountedUnit {
  return {
    unit: 'statement',
    unitId: unit.id,
    scopeId: unit.scope_id,
    termIds: sparse.indices,
    analyzerVersion: ANALYZER,
  };
}

/** A message with its analysis. */
export interface AnalysedMessage {
  readonly unit: MessageUnit;
  readonly analysis: MessageAnalysis;
}

/** The whole millisecond before or at an instant, so that the index never refuses what Postgres would show. */
const recordedBefore = (instant: string): number => Math.floor(Date.parse(instant));

/** The point of one passage of a message. `dense` is its vector, or why it has none; null without an embedder. */
export function passagePoint(
  accountId: string,
  unit: MessageUnit,
  { saysSomething, isWithAssistant }: MessageAnalysis,
  { beginsAt, sparse, textHash: hash, isShortQuestion, hasTimeCue }: AnalysedPassage,
  passage: number,
  dense: readonly number[] | VectorAbsence | null,
): Point {
  const absence = typeof dense === 'string' ? dense : null;
  return {
    sparse,
    sources: null,
    dense: typeof dense === 'string' ? null : dense,
    payload: {
      account: accountId,
      unit: 'message',
      source_id: unit.id,
      order: Date.parse(unit.occurred_at),
      now_scope: unit.scope_id,
      row_version: unit.read_at,
      analyzer: ANALYZER,
      text_hash: hash,
      session: unit.session_id,
      speaker: unit.speaker_peer_id,
      role: unit.role,
      readers: listed(unit.readers),
      passage,
      ...(unit.is_chunk ? { recorded: recordedBefore(unit.recorded_at) } : {}),
      ...(passage < MOST_OF_BEGINNING ? {} : { part: LATER_PART }),
      ...(beginsAt === null ? {} : { begins_at: beginsAt }),
      ...(isShortQuestion ? { short_question: true } : {}),
      ...(hasTimeCue ? { time_cue: true } : {}),
      ...(saysSomething ? { says_something: true } : {}),
      ...(isWithAssistant ? { with_assistant: true } : {}),
      ...(absence === null ? {} : { vector: absence }),
    },
  };
}

/** The record of a message. */
export function messageRecord(
  accountId: string,
  { unit, analysis }: AnalysedMessage,
): MessageRecord {
  return {
    account: accountId,
    source_id: unit.id,
    now_scope: unit.scope_id,
    row_version: unit.read_at,
    text: analysis.text,
    coded: analysis.coded,
    terms: analysis.termIds,
    session: unit.session_id,
    speaker: unit.speaker_peer_id,
    role: unit.role,
    readers: listed(unit.readers),
    order: Date.parse(unit.occurred_at),
  };
}

/** What the frequencies count of a message. */
export function countedMessage({ unit, analysis }: AnalysedMessage): CountedUnit {
  return {
    unit: 'message',
    unitId: unit.id,
    scopeId: unit.scope_id,
    termIds: [...analysis.termIds],
    analyzerVersion: ANALYZER,
  };
}
