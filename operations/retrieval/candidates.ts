/** What a search shows of its candidates: statements, and chunks of documents, told apart by `candidate_type`. */
import { z } from 'zod';
import { PROFILE_IDENTITY } from '../../domain/identities.ts';
import { STRATEGIES } from '../../domain/retrieval/strategies.ts';
import type { RankedStatement } from '../../engine/retrieval/candidates.ts';
import type { RankedCandidate } from '../../engine/retrieval/search.ts';
import type { ChunkRow } from '../../stores/postgres/documents/chunk-query.ts';
import { statementFields } from '../observations/knowledge-output.ts';

const DOCUMENT_CHUNK = 'document_chunk' as const;

const score = z.number().min(0).max(1);

/** How a candidate was found. */
const foundFields = {
  fusion_score: score.describe(
    'Orders the candidates of this answer. It has no meaning outside this answer: do not compare it, set a threshold on it or sort by it.',
  ),
  rrf_score: score
    .describe('The same number as `fusion_score`, under its old name.')
    .meta({ deprecated: true }),
  strategies: z.array(z.enum(STRATEGIES)).describe('The strategies that found the candidate.'),
};

export const statementCandidate = z
  .object({
    ...statementFields,
    scope_path: z.string(),
    candidate_type: z.literal('knowledge'),
    ...foundFields,
  })
  .meta({
    id: 'Candidate',
    description: 'A statement that the search found, and how it was found.',
  });

/** A chunk is raw text: nobody judged it, so most of its members are fixed words. */
const chunkCandidate = z
  .object({
    id: z.uuid().describe('The message of the chunk.'),
    scope_id: z.uuid(),
    scope_path: z.string(),
    statement: z.string().describe('The text of the chunk, at most 2,000 characters.'),
    kind: z.literal(DOCUMENT_CHUNK),
    confidence: z.literal(1),
    sensitivity: z.literal('internal'),
    state: z.literal('active'),
    source_message_ids: z.array(z.uuid()).max(0),
    extracting_model: z.null(),
    pipeline_version: z.literal(PROFILE_IDENTITY),
    candidate_type: z.literal(DOCUMENT_CHUNK),
    document_id: z.uuid(),
    document_version_id: z.uuid(),
    position: z.int().min(0).describe('The place of the chunk in its version, from 0.'),
    ...foundFields,
  })
  .meta({
    id: 'DocumentChunkCandidate',
    description:
      'A chunk of a document that the search found. Only the peer that uploaded the document may read it.',
  });

/** A candidate as an answer shows it. */
export const candidateOutput = z.union([statementCandidate, chunkCandidate]);

type CandidateOutput = z.input<typeof candidateOutput>;

function chunkView(row: ChunkRow): Omit<z.input<typeof chunkCandidate>, keyof typeof foundFields> {
  return {
    id: row.id,
    scope_id: row.scope_id,
    scope_path: row.scope_path,
    statement: row.text ?? '',
    kind: DOCUMENT_CHUNK,
    confidence: 1,
    sensitivity: 'internal',
    state: 'active',
    source_message_ids: [],
    extracting_model: null,
    pipeline_version: PROFILE_IDENTITY,
    candidate_type: DOCUMENT_CHUNK,
    document_id: row.document_id,
    document_version_id: row.document_version_id,
    position: row.position,
  };
}

function foundBy({ fusionScore, strategies }: RankedCandidate) {
  return { fusion_score: fusionScore, rrf_score: fusionScore, strategies: [...strategies] };
}

/** A statement, and how it was found. */
export function statementView(candidate: RankedStatement): z.input<typeof statementCandidate> {
  return { ...candidate.row, candidate_type: 'knowledge', ...foundBy(candidate) };
}

/** The candidate, and how it was found. */
export function candidateView(candidate: RankedCandidate): CandidateOutput {
  return candidate.type === DOCUMENT_CHUNK
    ? { ...chunkView(candidate.row), ...foundBy(candidate) }
    : statementView(candidate);
}
