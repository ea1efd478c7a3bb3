/** Health, signing in, and what account-admins ask of the service. */
import type { Route } from '../route.ts';

/** An e-mail address and a password; this body is read without a credential. */
const MOST_SIGN_IN_BYTES = 8 * 1_024;

/** A readiness report answers 200 only when every component is fine. */
function readinessStatus(report: unknown): number {
  const ready =
    typeof report === 'object' &&
    report !== null &&
    'status' in report &&
    report.status === 'ready';
  return ready ? 200 : 503;
}

export const SERVICE_ROUTES: readonly Route[] = [
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
    path: '/api/v1/operations/costs',
    operation: 'readCosts',
    query: { from: 'text', to: 'text', by: 'text' },
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
