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

export const knowledgeOutput = z.object({
  id: z.uuid(),
  scope_id: z.uuid(),
  subject_peer_id: z.uuid().nullable(),
  subject_scope_id: z.uuid().nullable(),
  statement: z.string().nullable(),
  kind: z.enum(KINDS),
  confidence: z.number(),
  evidence_level: z.enum(['direct', 'indirect']),
  sensitivity: z.enum(SENSITIVITIES),
  state: z.enum(KNOWLEDGE_STATES),
  target_level: z.enum(TARGET_LEVELS),
  verification: z.enum(VERIFICATIONS),
  held_scope_id: z.uuid().nullable(),
  corroboration_count: z.number(),
  previously_refused: z.boolean(),
  supersedes_id: z.uuid().nullable(),
  expires_at: timestamp,
  revalidate_after: timestamp,
  relevant_from: timestamp,
  relevant_from_precision: z.enum(PRECISIONS).nullable(),
  relevant_until: timestamp,
  relevant_until_precision: z.enum(PRECISIONS).nullable(),
  source_message_ids: z.array(z.uuid()),
  source_count: z.number(),
  extracting_provider: z.string(),
  extracting_model: z.string().nullable(),
  extracting_model_version: z.string().nullable(),
  prompt_version: z.string().nullable(),
  embedding_provider: z.string().nullable(),
  embedding_model: z.string().nullable(),
  embedding_version: z.string().nullable(),
  embedding_dimensions: z.number().nullable(),
  pipeline_version: z.string(),
  recorded_at: z.iso.datetime(),
});
