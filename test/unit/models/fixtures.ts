/** A small conversation and a gateway over a stub endpoint. */
import { jest } from '@jest/globals';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import type { ModelRoles, RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import { Secret } from '../../../domain/models/secret.ts';
import { extractWithModel } from '../../../engine/extraction/model/extract.ts';
import type { CallContext } from '../../../engine/models/extraction.ts';
import type { ModelGateway, ModelGatewayOptions } from '../../../engine/models/gateway.ts';
import { createModelGateway } from '../../../engine/models/gateway.ts';
import { HANGS_MS } from '../../support/patience.ts';

export const ANCHOR_ID = '018f0000-0000-7000-8000-000000000002';
export const EARLIER_ID = '018f0000-0000-7000-8000-000000000001';

export const REQUEST: ExtractionRequest = {
  scopePath: '/harbour/boats',
  anchor: {
    id: ANCHOR_ID,
    content: 'I live in Lisbon. I own a red kayak.',
    role: 'user',
    peerKey: 'ines',
    peerName: 'Inês',
    occurredAt: '2031-03-12T09:30:00.000Z',
    occurredOffsetMinutes: 60,
  },
  window: [
    {
      id: EARLIER_ID,
      content: 'Where do you live these days?',
      role: 'user',
      peerKey: 'tomas',
      peerName: 'Tomás',
      occurredAt: '2031-03-12T09:29:00.000Z',
      occurredOffsetMinutes: 60,
    },
  ],
  participants: [
    { peerKey: 'ines', name: 'Inês', kind: 'human' },
    { peerKey: 'tomas', name: 'Tomás', kind: 'human' },
    { peerKey: 'relay-bot', name: 'Relay', kind: 'agent' },
  ],
};

export const CANDIDATE: Candidate = {
  supportingSpan: 'I live in Lisbon.',
  statement: 'Inês lives in Lisbon.',
  confidence_level: 'stated_explicitly',
  kind: 'fact',
  subjectType: 'peer',
  subjectRef: 'ines',
  sensitivity: 'personal',
  targetLevel: 'peer',
  sourceMessageIds: [ANCHOR_ID],
  relevantFrom: null,
  relevantUntil: null,
};

/** A valid item of an answer, as the wire spells it. */
export const ITEM = {
  supporting_span: 'I live in Lisbon.',
  statement: 'Inês lives in Lisbon.',
  confidence_level: 'stated_explicitly',
  kind: 'fact',
  subject_type: 'peer',
  subject_ref: 'ines',
  sensitivity: 'personal',
  target_level: 'peer',
  source_message_ids: [ANCHOR_ID],
  relevant_from: null,
  relevant_until: null,
};

export function remoteRole(
  baseUrl: string,
  changes: Partial<RemoteRoleConfig> = {},
): RemoteRoleConfig {
  return {
    provider: 'openai-compatible',
    model: 'tiny:1b',
    modelVersion: '7',
    baseUrl,
    apiKey: new Secret('sk-canary-key'),
    dimensions: null,
    contextTokens: 32_768,
    maxOutputTokens: 8_192,
    timeoutMs: HANGS_MS,
    ...changes,
  };
}

export const NO_ROLES: ModelRoles = {
  embedder: { provider: 'none' },
  reranker: { provider: 'none' },
  ingest_extractor: { provider: 'none' },
  dream_reasoner: { provider: 'none' },
  dialectic_agent: { provider: 'none' },
};

export function gatewayOf(
  options: Pick<ModelGatewayOptions, 'ledger'> & Partial<ModelGatewayOptions>,
): ModelGateway {
  return createModelGateway({
    roles: NO_ROLES,
    now: () => performance.now(),
    extractWithModel,
    deterministicExtract: () => [CANDIDATE],
    embedDeterministic: (texts) =>
      texts.map((text) => Array.from({ length: 384 }, (_, index) => index + text.length)),
    ...options,
  });
}

export function callContext(changes: Partial<CallContext> = {}): CallContext {
  return {
    accountId: '018f0000-0000-7000-8000-0000000000aa',
    runId: null,
    anchorMessageIds: [ANCHOR_ID],
    traceId: null,
    signal: new AbortController().signal,
    ...changes,
  };
}

/**
 * Takes the limits of calls from the clock until the end of the test: they are over when the test says so, not
 * when a busy machine needed the time for something else.
 */
export function limitsByHand(): { readonly asked: readonly number[]; reach(): void } {
  const asked: number[] = [];
  const over = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms);
    return over.signal;
  });
  return { asked, reach: () => over.abort(new DOMException('over', 'TimeoutError')) };
}
