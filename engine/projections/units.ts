/**
 * A unit as an engine gets it: the sparse vector of its own words, and the payload of `stores/qdrant/point.ts`
 * or the document of `stores/meilisearch/document.ts`. Pure but for hashing.
 */
import { createHash } from 'node:crypto';
import { pointVector } from '../../domain/ranking/sparse.ts';
import { instantOrNever } from '../../domain/retrieval/statement-search.ts';
import { words } from '../../domain/text/tokens.ts';
import type { AccessFields } from '../../stores/access-fields.ts';
import type { MessageDocument, StatementDocument } from '../../stores/meilisearch/document.ts';
import type { MessageUnit, StatementUnit } from '../../stores/postgres/units.store.ts';
import type { CountedUnit } from '../../stores/postgres/document-frequency.store.ts';
import type { Point } from '../../stores/qdrant/point.ts';
import { analyze, ANALYZER_VERSION } from '../text/analyze.ts';
import { quotedBigrams } from '../text/quoted-bigrams.ts';
import { passagesOf } from './passages.ts';

/** The analyzer as points, counted units and the names of indexes carry it. */
export const ANALYZER = `a${ANALYZER_VERSION}`;

export interface UnitTerms {
  /** Distinct, ascending, unsigned 32-bit. */
  readonly term_ids: readonly number[];
  readonly analyzer_version: string;
}

/** What `countUnits` is to count for a statement of this text. */
export function statementTerms(accountId: string, text: string): UnitTerms {
  const { terms, length } = analyze(text);
  return {
    term_ids: pointVector(accountId, terms, length).indices,
    analyzer_version: ANALYZER,
  };
}

/** SHA-256 in hex: whether a text is the one a vector was made of. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A statement that engines hold: it still has its text. */
export type IndexedStatement = StatementUnit & { readonly statement: string };

/** Withdrawn statements leave the engines; every other state stays, so that past instants can be read. */
export function isIndexed(unit: StatementUnit): unit is IndexedStatement {
  return unit.statement !== null && unit.state !== 'redacted' && unit.state !== 'retracted';
}

/** Governed values and access fields, the same in both engines. */
function accessFields(unit: IndexedStatement): AccessFields {
  return {
    submitters: unit.submitting_peer_ids,
    believed_from: Date.parse(unit.believed_from ?? unit.text_occurred_at),
    believed_until: instantOrNever(unit.believed_until),
    now_state: unit.state,
    now_sensitivity: unit.sensitivity,
    now_level: unit.target_level,
    ever_scope: unit.ever_scopes,
    ever_state: unit.ever_states,
    ever_sensitivity: unit.ever_sensitivities,
    ever_level: unit.ever_levels,
    expires_at: instantOrNever(unit.expires_at),
  };
}

/** The point of a statement. `dense` is null where there is no vector. */
export function statementPoint(
  accountId: string,
  unit: IndexedStatement,
  dense: readonly number[] | null,
): Point {
  const { terms, length } = analyze(unit.statement);
  return {
    sparse: pointVector(accountId, terms, length),
    dense,
    payload: {
      account: accountId,
      unit: 'statement',
      source_id: unit.id,
      order: Date.parse(unit.text_occurred_at),
      now_scope: unit.scope_id,
      row_version: unit.row_version,
      analyzer: ANALYZER,
      text_hash: textHash(unit.statement),
      kind: unit.kind,
      ...(unit.subject_peer_id === null ? {} : { subject_peer: unit.subject_peer_id }),
      ...accessFields(unit),
      provider: unit.extracting_provider,
      ...(unit.extracting_model === null ? {} : { model: unit.extracting_model }),
      pipeline: unit.pipeline_version,
      corroboration: unit.corroboration_count,
      source_messages: unit.source_message_ids,
    },
  };
}

/** The document of a statement. */
export function statementDocument(accountId: string, unit: IndexedStatement): StatementDocument {
  return {
    account: accountId,
    source_id: unit.id,
    now_scope: unit.scope_id,
    row_version: unit.row_version,
    text: words(unit.statement).join(' '),
    coded: quotedBigrams(unit.statement),
    terms: statementTerms(accountId, unit.statement).term_ids,
    subject_peer: unit.subject_peer_id,
    ...accessFields(unit),
  };
}

/** What the frequencies count of a statement. */
export function countedStatement(accountId: string, unit: IndexedStatement): CountedUnit {
  const { term_ids, analyzer_version } = statementTerms(accountId, unit.statement);
  return {
    unit: 'statement',
    unitId: unit.id,
    scopeId: unit.scope_id,
    termIds: term_ids,
    analyzerVersion: analyzer_version,
  };
}

/** A message, cut and analysed once for everything that is made of it. */
export interface AnalysedMessage {
  readonly unit: MessageUnit;
  readonly passages: readonly { readonly text: string; readonly sparse: Point['sparse'] }[];
  readonly termIds: readonly number[];
}

/**
 * `masked` is the content without its secrets: points and frequencies are made of it. It is masked before it is
 * cut, since half a secret is none that could be recognised. The document keeps the content as it was received.
 */
export function analyseMessage(
  accountId: string,
  unit: MessageUnit,
  masked: string,
): AnalysedMessage {
  const passages = passagesOf(masked).map((text) => {
    const { terms, length } = analyze(text);
    return { text, sparse: pointVector(accountId, terms, length) };
  });
  const termIds = new Set(passages.flatMap(({ sparse }) => sparse.indices));
  return { unit, passages, termIds: [...termIds].toSorted((a, b) => a - b) };
}

/** The points of a message, one per passage; `dense` has a vector (or null) for each. */
export function messagePoints(
  accountId: string,
  { unit, passages }: AnalysedMessage,
  dense: readonly (readonly number[] | null)[],
): Point[] {
  return passages.map(({ text, sparse }, passage) => ({
    sparse,
    dense: dense[passage] ?? null,
    payload: {
      account: accountId,
      unit: 'message',
      source_id: unit.id,
      order: Date.parse(unit.occurred_at),
      now_scope: unit.scope_id,
      row_version: unit.read_at,
      analyzer: ANALYZER,
      text_hash: textHash(text),
      session: unit.session_id,
      speaker: unit.speaker_peer_id,
      role: unit.role,
      readers: unit.reader_peer_ids,
      passage,
    },
  }));
}

/** The document of a message. */
export function messageDocument(
  accountId: string,
  { unit, termIds }: AnalysedMessage,
): MessageDocument {
  return {
    account: accountId,
    source_id: unit.id,
    now_scope: unit.scope_id,
    row_version: unit.read_at,
    text: words(unit.content).join(' '),
    coded: quotedBigrams(unit.content),
    terms: termIds,
    session: unit.session_id,
    speaker: unit.speaker_peer_id,
    readers: unit.reader_peer_ids,
    order: Date.parse(unit.occurred_at),
  };
}

/** What the frequencies count of a message. */
export function countedMessage({ unit, termIds }: AnalysedMessage): CountedUnit {
  return {
    unit: 'message',
    unitId: unit.id,
    scopeId: unit.scope_id,
    termIds,
    analyzerVersion: ANALYZER,
  };
}
