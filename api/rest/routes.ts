/** Every REST route of the service. */
import { MOST_DOCUMENT_BYTES } from '../../operations/documents/submit.ts';
import type { Route } from './route.ts';

/** An e-mail address and a password; this body is read without a credential. */
const MOST_SIGN_IN_BYTES = 8 * 1_024;
/** A document of 32 MiB in base64, and the JSON around it. */
const MOST_DOCUMENT_BODY_BYTES = 44 * 1_048_576;

/** A readiness report answers 200 only when every component is fine. */
function readinessStatus(report: unknown): number {
  const ready =
    typeof report === 'object' &&
    report !== null &&
    'status' in report &&
    report.status === 'ready';
  return ready ? 200 : 503;
}

/** A card that says what the one in force says makes no new version: 200 instead of 201. */
function publicationStatus(answer: unknown): number {
  return Reflect.get(Object(answer), 'status') === 'unchanged' ? 200 : 201;
}

/** A document with the same bytes makes no new version: 200 instead of 202. */
function uploadStatus(answer: unknown): number {
  return Reflect.get(Object(answer), 'status') === 'unchanged' ? 200 : 202;
}

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/health',
    operation: 'readHealth',
    status: 200,
    envelope: 'bare',
  },
  {
    method: 'GET',
    path: '/api/ready',
    operation: 'readReadiness',
    status: { possible: [200, 503], of: readinessStatus },
    envelope: 'bare',
  },
  {
    method: 'POST',
    path: '/api/auth/password',
    operation: 'signIn',
    bodyLimitBytes: MOST_SIGN_IN_BYTES,
    status: 200,
    // The operation's own answer is `{data}` already.
    envelope: 'bare',
  },
  {
    method: 'POST',
    path: '/api/v1/ingest',
    operation: 'ingestObservation',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/ingest/batch',
    operation: 'ingestBatch',
    countedList: 'observations',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/ingest/:message_id',
    operation: 'readIngestStatus',
    query: { wait_ms: 'integer' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/documents',
    operation: 'submitDocument',
    bodyLimitBytes: MOST_DOCUMENT_BODY_BYTES,
    file: { field: 'content_base64', mostBytes: MOST_DOCUMENT_BYTES },
    status: { possible: [200, 202], of: uploadStatus },
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/documents/:id',
    pathFields: { id: 'document_version_id' },
    operation: 'readDocumentStatus',
    query: { wait_ms: 'integer' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'DELETE',
    path: '/api/v1/documents/:id',
    pathFields: { id: 'document_id' },
    operation: 'withdrawDocument',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/search',
    operation: 'search',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/ask',
    operation: 'ask',
    status: 200,
    envelope: 'data',
    streams: true,
  },
  {
    method: 'POST',
    path: '/api/v1/source-search',
    operation: 'searchSources',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/stable-profile',
    operation: 'stableProfile',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/context',
    operation: 'readContext',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/lineage',
    operation: 'readLineage',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/knowledge',
    operation: 'queryKnowledge',
    query: {
      scope_path: 'text',
      peer_key: 'text',
      state: 'text',
      kind: 'text',
      sensitivity: 'text',
      target_level: 'text',
      subject_key: 'text',
      limit: 'integer',
      cursor: 'name',
      session_id: 'name',
    },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/operations/reconcile',
    operation: 'requestReconcile',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/operations/ingest/:message_id/requeue',
    operation: 'requeueExtraction',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'PUT',
    path: '/api/v1/operations/extraction-budget',
    operation: 'registerExtractionBudget',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/operations/extraction-evidence',
    operation: 'readExtractionEvidence',
    query: { scope_root: 'name' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/rules',
    operation: 'readGateRules',
    query: { scope_path: 'text' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'PUT',
    path: '/api/v1/governance/rules',
    operation: 'changeGateRules',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/self/knowledge',
    operation: 'listOwnKnowledge',
    query: { limit: 'integer', cursor: 'name' },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/confirm',
    operation: 'confirmOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/contest',
    operation: 'contestOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/redact',
    operation: 'redactOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/self/consents',
    operation: 'listOwnConsents',
    query: { limit: 'integer', cursor: 'name' },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/self/consents/:consent_id',
    operation: 'decideOwnConsent',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'PUT',
    path: '/api/v1/self/ask-preference',
    operation: 'setOwnAskPreference',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/validations/:id',
    operation: 'resolveValidation',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/erasure',
    operation: 'eraseSelf',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/self/erasure/:erasure_id',
    operation: 'readErasure',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/reviews',
    operation: 'listReviews',
    query: {
      scope_path: 'text',
      kind: 'text',
      state: 'text',
      subject_key: 'text',
      order: 'text',
      limit: 'integer',
      cursor: 'name',
    },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/bulk',
    operation: 'decideReviews',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/reviews/:review_id',
    operation: 'readReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/approve',
    operation: 'approveReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/reject',
    operation: 'rejectReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/edit',
    operation: 'editReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/merge',
    operation: 'mergeReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/defer',
    operation: 'deferReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/knowledge/:knowledge_id/promote',
    operation: 'promoteKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/readiness',
    operation: 'checkReadiness',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/skills',
    operation: 'publishSkillCard',
    status: { possible: [200, 201], of: publicationStatus },
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/skills',
    operation: 'listSkillCards',
    query: {
      scope_path: 'text',
      skill: 'text',
      include_retired: 'boolean',
      limit: 'integer',
      cursor: 'name',
    },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/skills/:card_id',
    operation: 'readSkillCard',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/skills/:card_id/retire',
    operation: 'retireSkillCard',
    status: 200,
    envelope: 'data',
  },
];
