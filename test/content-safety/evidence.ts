/** What must be seen of the drive before a search for canaries in it says anything. */
import { readFileSync } from 'node:fs';
import type { Collector } from '../support/collector.ts';
import type { Scrape } from '../support/prometheus.ts';
import type { StackFiles } from './stack-files.ts';

/** Spans of each kind: requests, batches, stages of a search, calls to providers. */
const SPANS = [
  'POST /api/v1/ingest',
  'GET /api/v1/ingest/:message_id',
  'POST /api/v1/search',
  'POST /api/v1/ask',
  'POST /api/v1/operations/reconcile',
  'POST /api/v1/operations/ingest/:message_id/requeue',
  'PUT /api/v1/operations/extraction-budget',
  'GET /api/v1/operations/costs',
  'GET /api/v1/operations/extraction-evidence',
  'PUT /api/v1/governance/rules',
  'POST /api/v1/governance/reviews/:review_id/approve',
  'POST /api/v1/governance/reviews/:review_id/merge',
  'POST /api/v1/governance/reviews/bulk',
  'POST /api/v1/governance/reviews',
  'POST /api/v1/governance/reviews/:review_id/undo',
  'POST /api/v1/governance/knowledge/:knowledge_id/promote',
  'POST /api/v1/self/knowledge/:knowledge_id/contest',
  'POST /api/v1/self/consents/:consent_id',
  'POST /api/v1/validations/:id',
  'POST /api/v1/self/erasure',
  'GET /api/v1/self/erasure/:erasure_id',
  'GET /api/v1/governance/rules',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/ready',
  'GET',
  'drain ingest',
  'drain projection',
  'search',
  'search.prepare',
  'search.find',
  'search.hydrate',
  'search.rerank',
  'model ingest_extractor',
  'model embedder',
  'model reranker',
  'model dialectic_agent',
  'recall',
  'recall.round',
  'answer',
];
const CODES = [
  'unauthorized',
  'forbidden',
  'not_found',
  'invalid_request',
  'payload_too_large',
  'provider_upstream_error',
  'provider_rate_limited',
];
const SERVICES = ['vouch-api', 'vouch-worker'];

/** The spans, codes of errors and processes that no collector has heard of yet. */
export function missingInTraces({ spans, resources }: Collector): string[] {
  const names = new Set(spans.map(({ name }) => name));
  const codes = new Set(spans.map(({ attributes }) => attributes['error.type']));
  const services = new Set(resources.map((resource) => resource['service.name']));
  return [
    ...SPANS.filter((name) => !names.has(name)),
    ...CODES.filter((code) => !codes.has(code)),
    ...SERVICES.filter((service) => !services.has(service)),
  ];
}

type Series = readonly [name: string, labels: Readonly<Record<string, string>>];

const REQUESTS = 'vouch_http_request_duration_seconds_count';
const SERIES: Readonly<Record<'metrics' | 'workerMetrics', readonly Series[]>> = {
  metrics: [
    ['vouch_build_info', { process: 'api' }],
    ...(
      [
        ['POST', '/api/v1/ingest', '202'],
        ['POST', '/api/v1/ingest', '409'],
        ['POST', '/api/v1/ingest', '413'],
        ['POST', '/api/auth/password', '401'],
        ['POST', '/api/v1/search', '200'],
        ['POST', '/api/v1/operations/reconcile', '202'],
        ['POST', '/api/v1/operations/reconcile', '403'],
        ['GET', '/api/openapi.json', '200'],
        ['GET', '/api/docs', '200'],
        ['GET', 'unmatched', '404'],
        ['DELETE', 'unmatched', '405'],
      ] as const
    ).map(([method, route, status]): Series => [REQUESTS, { method, route, status }]),
    ['vouch_observations_total', { outcome: 'accepted' }],
    ['vouch_observations_total', { outcome: 'conflict' }],
    ['vouch_search_stage_duration_seconds_count', { stage: 'hydrate' }],
    ['vouch_search_duration_seconds_count', { degraded: 'true' }],
    ['vouch_model_attempts_total', { role: 'embedder', provider: 'openai-compatible' }],
    ['vouch_model_attempts_total', { role: 'reranker', class: 'structured_validation_failed' }],
    ['vouch_answer_duration_seconds_count', { kind: 'failed' }],
    ['vouch_answer_failures_total', {}],
    ['vouch_recall_rounds_total', { effort: 'high' }],
    ['vouch_doorbell_mailboxes_total', {}],
  ],
  workerMetrics: [
    ['vouch_build_info', { process: 'worker' }],
    ['vouch_drains_total', { lane: 'ingest' }],
    ['vouch_drains_total', { lane: 'projection' }],
    ['vouch_drain_units_total', { lane: 'ingest', outcome: 'ok' }],
    ['vouch_drain_units_total', { lane: 'ingest', outcome: 'retry' }],
    ['vouch_model_attempts_total', { role: 'ingest_extractor', class: 'provider_upstream_error' }],
    ['vouch_model_attempts_total', { role: 'ingest_extractor', class: 'provider_rate_limited' }],
    ['vouch_model_attempts_total', { role: 'embedder', status: 'success' }],
    ['vouch_model_circuit_events_total', { event: 'opened' }],
    ['vouch_model_circuit_events_total', { event: 'closed' }],
  ],
};

/** The series that a scrape of that process should show and does not, or shows as 0. */
export function missingInMetrics(of: keyof typeof SERIES, scrape: Scrape): string[] {
  return SERIES[of]
    .filter(([name, labels]) => (scrape.sum(name, labels) ?? 0) === 0)
    .map((series) => JSON.stringify(series));
}

/** What the logs say of the circuits of providers. */
export function circuitTransitions(files: StackFiles): ReadonlySet<string> {
  const lines = files.logs.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  return new Set(
    lines
      .filter((line) => line.includes('"msg":"service.model.provider_circuit"'))
      .map((line) => String(Object(JSON.parse(line)).transition)),
  );
}
