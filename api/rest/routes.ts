/** Every REST route of the service. */
import type { Route } from './route.ts';

/** A readiness report answers 200 only when every component is fine. */
function readinessStatus(report: unknown): number {
  const ready =
    typeof report === 'object' &&
    report !== null &&
    'status' in report &&
    report.status === 'ready';
  return ready ? 200 : 503;
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
    method: 'GET',
    path: '/api/v1/ingest/:message_id',
    operation: 'readIngestStatus',
    query: { wait_ms: 'integer' },
    status: 200,
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
    method: 'GET',
    path: '/api/v1/knowledge',
    operation: 'queryKnowledge',
    query: { scope_path: 'text', peer_key: 'text', state: 'text', limit: 'integer' },
    status: 200,
    envelope: 'data',
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
];
