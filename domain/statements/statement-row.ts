/** A statement as the columns of its row, and back. Where a newer statement updates it, two columns swap places. */
import type { WindowEnd } from './candidate.ts';
import { saidBy, saidOf } from './said.ts';
import type { CountedColumn, StatementRow, WrittenColumn } from './columns.ts';
import type { Attestation, FirstSaying } from './attestation.ts';
import { validUntil, type Statement } from './statement.ts';

/** The values of a statement itself. */
export type WrittenRow = StatementRow<WrittenColumn>;
/** The counts of its sources. */
export type CountedRow = StatementRow<CountedColumn>;

/** The values of a statement that a query reads besides its row. */
export interface ReadBeside {
  /** The principals of its audience; none without one. */
  readonly audiencePrincipals: readonly string[];
  readonly paraphraseHashes: readonly string[];
  readonly attestation: Omit<Attestation, 'first' | 'sourceCount' | 'submitterCount'>;
}

function claimColumns({ claim }: Statement['wording']) {
  return {
    claim_about: claim?.about ?? null,
    claim_value: claim?.value ?? null,
    claim_mode: claim?.mode ?? null,
  };
}

/** Where an update closed the window, the end that the source gives is kept beside it. */
function updateColumns({ update, wording }: Statement) {
  const stated = update === null || update.ends === null ? null : wording.relevantUntil;
  return {
    updated_by_id: update?.byId ?? null,
    state_before_update: update?.ends === null ? update.stateBefore : null,
    stated_until: stated?.at ?? null,
    stated_until_precision: stated?.precision ?? null,
  };
}

export function rowOf(statement: Statement): WrittenRow {
  const { subject, wording } = statement;
  const until = validUntil(statement);
  return {
    id: statement.id,
    scope_id: statement.scopeId,
    audience_id: statement.audience?.id ?? null,
    subject_peer_id: subject.type === 'peer' ? subject.id : null,
    subject_scope_id: subject.type === 'scope' ? subject.id : null,
    statement: wording.text,
    statement_hash: statement.statementHash,
    ...saidOf(wording),
    confidence: statement.confidence,
    evidence_level: statement.evidenceLevel,
    sensitivity: statement.sensitivity,
    target_level: statement.targetLevel,
    state: statement.state,
    verification: statement.verification,
    held_scope_id: statement.heldScopeId,
    corroboration_count: statement.corroboration,
    previously_refused: statement.previouslyRefused,
    is_withheld: statement.isWithheld,
    expires_at: statement.expiresAt,
    revalidate_after: statement.revalidateAfter,
    relevant_from: wording.relevantFrom?.at ?? null,
    relevant_from_precision: wording.relevantFrom?.precision ?? null,
    relevant_until: until?.at ?? null,
    relevant_until_precision: until?.precision ?? null,
    state_before_contest: statement.stateBeforeContest,
    supersedes_id: statement.supersedesId,
    derivation_level: statement.derivationLevel,
    replaces_id: statement.replacesId,
    merged_into_id: statement.mergedIntoId,
    ...claimColumns(wording),
    ...updateColumns(statement),
    text_occurred_at: wording.occurredAt,
    text_source_hash: wording.sourceHash,
    extracting_provider: wording.identity.provider,
    extracting_model: wording.identity.model,
    extracting_model_version: wording.identity.modelVersion,
    prompt_version: wording.identity.promptVersion,
    pipeline_version: wording.identity.pipelineVersion,
    recorded_at: statement.recordedAt,
  };
}

/** The counts of a statement that is created; for an existing one the database counts the sources that are added. */
export function countsOf({
  attestation: { added, first, sourceCount, submitterCount },
}: Statement): CountedRow {
  return {
    source_count: sourceCount + added.length,
    submitter_count: submitterCount,
    first_attester_id: first?.by ?? null,
    first_said_at: first?.at ?? null,
    first_said_hash: first?.hash ?? null,
  };
}

/** An end of a validity window, from its two columns; null where the end is not known. */
export function windowEnd(
  at: string | null,
  precision: WindowEnd['precision'] | null,
): WindowEnd | null {
  return at === null || precision === null ? null : { at, precision };
}

function wordingOf(row: WrittenRow, relevantUntil: WindowEnd | null): Statement['wording'] {
  const { claim_about: about, claim_mode: mode } = row;
  return {
    text: row.statement,
    ...saidBy(row),
    claim: about === null || mode === null ? null : { about, value: row.claim_value, mode },
    relevantFrom: windowEnd(row.relevant_from, row.relevant_from_precision),
    relevantUntil,
    occurredAt: row.text_occurred_at,
    sourceHash: row.text_source_hash,
    identity: {
      provider: row.extracting_provider,
      model: row.extracting_model,
      modelVersion: row.extracting_model_version,
      promptVersion: row.prompt_version,
      pipelineVersion: row.pipeline_version,
    },
  };
}

function firstSaying(row: CountedRow): FirstSaying | null {
  const { first_attester_id: by, first_said_at: at, first_said_hash: hash } = row;
  return by === null || at === null || hash === null ? null : { by, at, hash };
}

/** The statement of a row, with what was read beside it. */
export function statementOf(row: WrittenRow & CountedRow, beside: ReadBeside): Statement {
  const until = windowEnd(row.relevant_until, row.relevant_until_precision);
  // An update closed the row's window; a superseded row keeps its own.
  const hasEnded = row.updated_by_id !== null && row.state_before_update === null;
  const stated = hasEnded ? windowEnd(row.stated_until, row.stated_until_precision) : until;
  return {
    id: row.id,
    scopeId: row.scope_id,
    audience:
      row.audience_id === null
        ? null
        : { id: row.audience_id, principals: beside.audiencePrincipals },
    subject:
      row.subject_peer_id === null
        ? { type: 'scope', id: row.subject_scope_id ?? '' }
        : { type: 'peer', id: row.subject_peer_id },
    statementHash: row.statement_hash,
    paraphraseHashes: beside.paraphraseHashes,
    wording: wordingOf(row, stated),
    confidence: row.confidence,
    evidenceLevel: row.evidence_level,
    sensitivity: row.sensitivity,
    targetLevel: row.target_level,
    state: row.state,
    verification: row.verification,
    heldScopeId: row.held_scope_id,
    corroboration: row.corroboration_count,
    previouslyRefused: row.previously_refused,
    isWithheld: row.is_withheld,
    expiresAt: row.expires_at,
    revalidateAfter: row.revalidate_after,
    recordedAt: row.recorded_at,
    update:
      row.updated_by_id === null
        ? null
        : {
            byId: row.updated_by_id,
            ends: hasEnded ? until : null,
            stateBefore: row.state_before_update ?? row.state,
          },
    stateBeforeContest: row.state_before_contest,
    supersedesId: row.supersedes_id,
    derivationLevel: row.derivation_level,
    replacesId: row.replaces_id,
    mergedIntoId: row.merged_into_id,
    attestation: {
      ...beside.attestation,
      first: firstSaying(row),
      sourceCount: row.source_count,
      submitterCount: row.submitter_count,
    },
  };
}
