/** A statement as responses show it. `scope_path` is added where an answer spans several scopes. */
import { z } from 'zod';
import {
  KINDS,
  PRECISIONS,
  SENSITIVITIES,
  TARGET_LEVELS,
} from '../../domain/extraction/candidate.ts';
import { KNOWLEDGE_STATES } from '../../domain/governance/visibility.ts';
import { VERIFICATIONS } from '../../domain/knowledge/statement.ts';

const timestamp = z.iso.datetime().nullable();
const count = z.int().min(0);
const precision = z.enum(PRECISIONS).nullable();

/** What every answer that shows a statement tells of it. */
export const statementFields = {
  id: z.uuid(),
  scope_id: z.uuid(),
  statement: z.string().nullable().describe('The text; null once it was withdrawn.'),
  kind: z.enum(KINDS),
  confidence: z.number().min(0).max(1),
  sensitivity: z.enum(SENSITIVITIES),
  state: z.enum(KNOWLEDGE_STATES),
  corroboration_count: count.describe('How many different speakers say so.'),
  relevant_from: timestamp.describe('From when on it is true, where the source says so. UTC.'),
  relevant_from_precision: precision,
  relevant_until: timestamp.describe(
    'Until when it is true, by its source or by a newer statement. UTC.',
  ),
  relevant_until_precision: precision,
  source_message_ids: z
    .array(z.uuid())
    .describe(
      'Observations it was drawn from: of those that the reader may read the earliest, at most 100.',
    ),
  source_count: count,
  extracting_provider: z.string(),
  extracting_model: z.string().nullable(),
  pipeline_version: z.string(),
  recorded_at: z.iso.datetime(),
};

export const knowledgeOutput = z
  .object({
    ...statementFields,
    subject_peer_id: z.uuid().nullable().describe('Whom it is about: a peer, or else a scope.'),
    subject_scope_id: z.uuid().nullable(),
    evidence_level: z
      .enum(['direct', 'indirect'])
      .describe('Whether the subject itself said it, or somebody else.'),
    target_level: z
      .enum(TARGET_LEVELS)
      .describe('Whose knowledge it is: of the peer alone, of the scope, or of the account.'),
    verification: z.enum(VERIFICATIONS),
    held_scope_id: z.uuid().nullable().describe('Where it waits for a decision, when it does.'),
    previously_refused: z.boolean(),
    supersedes_id: z
      .uuid()
      .nullable()
      .describe('The statement it took the place of, where the caller may read it.'),
    expires_at: timestamp,
    revalidate_after: timestamp,
    extracting_model_version: z.string().nullable(),
    prompt_version: z.string().nullable(),
    embedding_provider: z.string().nullable(),
    embedding_model: z.string().nullable(),
    embedding_version: z.string().nullable(),
    embedding_dimensions: count.nullable(),
  })
  .meta({ id: 'Statement', description: 'A governed statement with its standing and provenance.' });
