/** A statement as the gates decide on it, from a row of `knowledge` and what is counted of its sources. */
import { z } from 'zod';
import {
  KINDS,
  PRECISIONS,
  SENSITIVITIES,
  TARGET_LEVELS,
  type WindowEnd,
} from '../../../domain/extraction/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../domain/governance/visibility.ts';
import { CLAIM_MODES } from '../../../domain/knowledge/attributes.ts';
import type { Evidence } from '../../../domain/knowledge/evidence.ts';
import { sourceIdentity } from '../../../domain/knowledge/source.ts';
import { VERIFICATIONS, type Statement } from '../../../domain/knowledge/statement.ts';

const instant = z.string().transform((text) => new Date(text).toISOString());

const saidShape = z.object({ by: z.string(), at: instant, hash: z.string() });

/** What was asked about the sources of a statement. */
const evidenceShape = z
  .object({
    last_said: z.array(saidShape),
    submitters: z.array(z.string()),
    scope_ids: z.array(z.string()),
    used: z.array(
      z.object({
        session_id: z.string(),
        speaker_peer_id: z.string(),
        occurred_at: instant,
        content_hash: z.string(),
      }),
    ),
  })
  .transform((row): Omit<Evidence, 'first' | 'submitterCount'> => ({
    lastSaid: new Map(row.last_said.map(({ by, ...moment }) => [by, moment])),
    submitters: new Set(row.submitters),
    scopeIds: new Set(row.scope_ids),
    identities: new Set(
      row.used.map((message) =>
        sourceIdentity({
          sessionId: message.session_id,
          speakerId: message.speaker_peer_id,
          occurredAt: message.occurred_at,
          contentHash: message.content_hash,
        }),
      ),
    ),
    added: [],
  }));

export const statementShape = z
  .object({
    id: z.string(),
    scope_id: z.string(),
    subject_peer_id: z.string().nullable(),
    subject_scope_id: z.string().nullable(),
    statement: z.string().nullable(),
    statement_hash: z.string(),
    paraphrase_hashes: z.array(z.string()),
    kind: z.enum(KINDS),
    confidence: z.number(),
    evidence_level: z.enum(['direct', 'indirect']),
    sensitivity: z.enum(SENSITIVITIES),
    target_level: z.enum(TARGET_LEVELS),
    state: z.enum(KNOWLEDGE_STATES),
    verification: z.enum(VERIFICATIONS),
    held_scope_id: z.string().nullable(),
    corroboration_count: z.number(),
    previously_refused: z.boolean(),
    expires_at: instant.nullable(),
    revalidate_after: instant.nullable(),
    relevant_from: instant.nullable(),
    relevant_from_precision: z.enum(PRECISIONS).nullable(),
    relevant_until: instant.nullable(),
    relevant_until_precision: z.enum(PRECISIONS).nullable(),
    claim_about: z.string().nullable(),
    claim_value: z.string().nullable(),
    claim_mode: z.enum(CLAIM_MODES).nullable(),
    updated_by_id: z.string().nullable(),
    state_before_update: z.enum(KNOWLEDGE_STATES).nullable(),
    stated_until: instant.nullable(),
    stated_until_precision: z.enum(PRECISIONS).nullable(),
    supersedes_id: z.string().nullable(),
    text_occurred_at: instant,
    text_source_hash: z.string(),
    extracting_provider: z.string(),
    extracting_model: z.string().nullable(),
    extracting_model_version: z.string().nullable(),
    prompt_version: z.string().nullable(),
    pipeline_version: z.string(),
    recorded_at: instant,
    submitter_count: z.number(),
    first_attester_id: z.string().nullable(),
    first_said_at: instant.nullable(),
    first_said_hash: z.string().nullable(),
    evidence: evidenceShape,
  })
  .transform((row): Statement => ({
    id: row.id,
    scopeId: row.scope_id,
    subject:
      row.subject_peer_id === null
        ? { type: 'scope', id: row.subject_scope_id ?? '' }
        : { type: 'peer', id: row.subject_peer_id },
    statementHash: row.statement_hash,
    paraphraseHashes: row.paraphrase_hashes,
    wording: {
      text: row.statement,
      kind: row.kind,
      claim:
        row.claim_about === null || row.claim_mode === null
          ? null
          : { about: row.claim_about, value: row.claim_value, mode: row.claim_mode },
      relevantFrom: windowEnd(row.relevant_from, row.relevant_from_precision),
      relevantUntil: hasEnded(row)
        ? windowEnd(row.stated_until, row.stated_until_precision)
        : windowEnd(row.relevant_until, row.relevant_until_precision),
      occurredAt: row.text_occurred_at,
      sourceHash: row.text_source_hash,
      identity: {
        provider: row.extracting_provider,
        model: row.extracting_model,
        modelVersion: row.extracting_model_version,
        promptVersion: row.prompt_version,
        pipelineVersion: row.pipeline_version,
      },
    },
    confidence: row.confidence,
    evidenceLevel: row.evidence_level,
    sensitivity: row.sensitivity,
    targetLevel: row.target_level,
    state: row.state,
    verification: row.verification,
    heldScopeId: row.held_scope_id,
    corroboration: row.corroboration_count,
    previouslyRefused: row.previously_refused,
    expiresAt: row.expires_at,
    revalidateAfter: row.revalidate_after,
    recordedAt: row.recorded_at,
    update:
      row.updated_by_id === null
        ? null
        : {
            byId: row.updated_by_id,
            ends: hasEnded(row)
              ? windowEnd(row.relevant_until, row.relevant_until_precision)
              : null,
            stateBefore: row.state_before_update ?? row.state,
          },
    supersedesId: row.supersedes_id,
    evidence: { ...row.evidence, first: firstSaying(row), submitterCount: row.submitter_count },
  }));

function firstSaying(row: {
  readonly first_attester_id: string | null;
  readonly first_said_at: string | null;
  readonly first_said_hash: string | null;
}): Evidence['first'] {
  const { first_attester_id: by, first_said_at: at, first_said_hash: hash } = row;
  return by === null || at === null || hash === null ? null : { by, at, hash };
}

/** Whether an update closed the row's window; a superseded row keeps its own. */
function hasEnded(row: {
  readonly updated_by_id: string | null;
  readonly state_before_update: string | null;
}): boolean {
  return row.updated_by_id !== null && row.state_before_update === null;
}

function windowEnd(at: string | null, precision: WindowEnd['precision'] | null): WindowEnd | null {
  return at === null || precision === null ? null : { at, precision };
}
