/**
 * What each thing that a reranker's endpoint can do means for a search: its outcome, its order, and the row in the
 * ledger. Profiles that do not rerank never ask it.
 */
import type { ErrorClass } from '../../../domain/error-class.ts';
import type { ReasonClass } from '../../../domain/retrieval/outcomes.ts';
import type { ProfileName } from '../../../domain/retrieval/strategies.ts';
import type { StubBehaviour } from '../../support/stub-openai.ts';

export interface RerankFault {
  readonly name: string;
  /** What the endpoint does; null where nothing listens at its address. */
  readonly does: StubBehaviour | null;
  readonly status: 'completed' | 'dropped';
  readonly reason: ReasonClass | null;
  readonly degraded: boolean;
  /** `turned`: the judged order, which is the fused one turned round. `moved`: only the first two were judged. */
  readonly order: 'fused' | 'turned' | 'moved';
  readonly ledger: readonly [state: 'success' | 'error' | 'timeout', errorClass: ErrorClass | null];
}

const status = (code: number, body?: unknown): StubBehaviour => ({
  kind: 'status',
  status: code,
  ...(body === undefined ? {} : { body }),
});
const answers = (answer: unknown): StubBehaviour => ({ kind: 'rankings', answer });
const judged = (...pairs: readonly (readonly [index: unknown, score: unknown])[]): StubBehaviour =>
  answers({ results: pairs.map(([index, score]) => ({ index, relevance_score: score })) });

const fine = (
  name: string,
  does: StubBehaviour,
  order: RerankFault['order'],
  reason: ReasonClass | null,
): RerankFault => ({
  name,
  does,
  status: 'completed',
  reason,
  degraded: reason !== null,
  order,
  ledger: ['success', null],
});

const invalid = (name: string, does: StubBehaviour): RerankFault => ({
  ...fine(name, does, 'fused', 'invalid_result'),
  ledger: ['error', 'structured_validation_failed'],
});

const dropped = (
  name: string,
  does: StubBehaviour | null,
  reason: ReasonClass,
  errorClass: ErrorClass,
): RerankFault => ({
  name,
  does,
  status: 'dropped',
  reason,
  degraded: true,
  order: 'fused',
  ledger: [reason === 'timeout' ? 'timeout' : 'error', errorClass],
});

export const RERANK_FAULTS: readonly RerankFault[] = [
  fine('judges all', { kind: 'default' }, 'turned', null),
  fine('reports no tokens', { kind: 'unmetered' }, 'turned', null),
  fine('is slow, and in time', { kind: 'delay', ms: 100 }, 'turned', null),
  fine('judges two', judged([0, 0.1], [1, 0.9]), 'moved', 'partial_rankings'),
  fine('judges one', judged([2, 0.9]), 'fused', 'partial_rankings'),
  fine('judges none', judged(), 'fused', 'partial_rankings'),
  invalid('judges a document twice', judged([0, 0.1], [0, 0.9])),
  invalid('judges a document that was not sent', judged([99, 0.1])),
  invalid(
    'judges more documents than were sent',
    judged(...Array.from({ length: 21 }, (_, n) => [n, 1] as const)),
  ),
  invalid('names places as text', judged(['0', 0.1])),
  invalid('gives scores as text', judged([0, '0.1'])),
  invalid('gives no scores', judged([0, null])),
  invalid('speaks another protocol', { kind: 'wrong_json' }),
  invalid('answers a text', answers('the first one')),
  dropped('never answers', { kind: 'hang' }, 'timeout', 'request_timeout'),
  dropped('answers a space now and then', { kind: 'drip' }, 'timeout', 'request_timeout'),
  dropped('is too slow', { kind: 'delay', ms: 2_000 }, 'timeout', 'request_timeout'),
  dropped('answers 408', status(408), 'timeout', 'request_timeout'),
  dropped('refuses the key', status(401), 'provider_error', 'credentials_rejected'),
  dropped('does not know the model', status(404), 'provider_error', 'model_not_found'),
  dropped('finds it too much', status(413), 'provider_error', 'source_too_large'),
  dropped('is asked too often', status(429), 'provider_error', 'provider_rate_limited'),
  dropped(
    'hides 429 in a 200',
    status(200, { error: { code: 429 } }),
    'provider_error',
    'provider_rate_limited',
  ),
  dropped('fails', status(500), 'provider_error', 'provider_upstream_error'),
  dropped('answers a web page', { kind: 'html' }, 'provider_error', 'provider_upstream_error'),
  dropped(
    'answers two mebibytes',
    answers(['x'.repeat(2_097_152)]),
    'provider_error',
    'provider_output_truncated',
  ),
  dropped('breaks off', { kind: 'cut' }, 'provider_error', 'transport_error'),
  dropped('resets the connection', { kind: 'reset' }, 'provider_error', 'transport_error'),
  dropped('is not there', null, 'provider_error', 'transport_error'),
];

/** Whether a profile asks a reranker. */
export const RERANKS: Readonly<Record<Exclude<ProfileName, 'minimal'>, boolean>> = {
  fast: false,
  balanced: false,
  thorough: true,
};
