/** Every surface that the contract names, beside what there is: what is missing here is missing from the service. */

export const CONTRACT_ROUTES: readonly string[] = [
  'GET /api/health',
  'GET /api/ready',
  'POST /api/auth/password',
  'POST /api/v1/ingest',
  'GET /api/v1/ingest/:message_id',
  'POST /api/v1/search',
  'POST /api/v1/source-search',
  'POST /api/v1/ask',
  'POST /api/v1/lineage',
  'POST /api/v1/stable-profile',
  'POST /api/v1/context',
  'POST /api/v1/readiness',
  'GET /api/v1/knowledge',
  'GET /api/v1/operations/costs',
  'GET /api/v1/operations/extraction-evidence',
  'PUT /api/v1/operations/extraction-budget',
  'POST /api/v1/operations/reconcile',
  'POST /api/v1/operations/ingest/:message_id/requeue',
  'POST /api/v1/operations/dream',
  'GET /api/v1/self/knowledge',
  'POST /api/v1/self/knowledge/:knowledge_id/contest',
  'POST /api/v1/self/knowledge/:knowledge_id/redact',
  'POST /api/v1/self/erasure',
];

export const CONTRACT_TOOLS: readonly string[] = [
  'ingest',
  'get_context',
  'search',
  'ask',
  'query_knowledge',
  'check_readiness',
  'resolve_validation',
  'set_ask_preference',
];

export const CONTRACT_PAGES: readonly string[] = [
  'GET /',
  'GET /sign-in',
  'POST /sign-in',
  'DELETE /sign-out',
  'GET /console',
  'GET /governance/sign-in',
  'GET /governance',
];

/** What is there and answers only after an operator has switched it on. */
export const GATED: readonly { readonly surface: string; readonly by: string }[] = [
  {
    surface: 'profile `minimal` of search and ask',
    by: 'SERVICE_EXPERIMENTAL_MINIMAL_RECALL',
  },
  { surface: 'requests of web pages of other origins to /mcp', by: 'SERVICE_ALLOWED_ORIGINS' },
];
