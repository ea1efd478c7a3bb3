/**
 * What an endpoint can do, by the class that it leads to. This is the table of failure classes: a class that no
 * behaviour of an extractor's endpoint leads to says why.
 */
import type { ErrorClass, FailureStatus } from '../../../domain/error-class.ts';
import type { RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import type { StubBehaviour } from '../../support/stub-openai.ts';

export type Provider = RemoteRoleConfig['provider'];

export interface Behaviour {
  readonly name: string;
  /** What the endpoint does, one request after the other; then it answers well. */
  readonly does: readonly StubBehaviour[];
  /** `closed` refuses connections, `mute` accepts them and never says a word. */
  readonly endpoint?: 'closed' | 'mute';
  readonly config?: Partial<RemoteRoleConfig>;
  /** Content that is not the usual one. */
  readonly content?: string;
  /** For what only one protocol can say. */
  readonly only?: Provider;
  /** States of the ledger's rows, in order; the usual one is one row that failed. */
  readonly rows?: readonly ('success' | 'error' | 'timeout')[];
  /** Whether the provider's own count of tokens is in the rows: in all, or in each; usually in none. */
  readonly metered?: boolean | readonly boolean[];
  /** Seconds to the next attempt, where it is not the first one's second. */
  readonly dueIn?: number;
  /** Statements that are stored. */
  readonly statements?: number;
}

/** What the decisions say becomes of an anchor. */
export const STATUS: Readonly<Record<FailureStatus, readonly ErrorClass[]>> = {
  failed: [
    'request_timeout',
    'transport_error',
    'provider_rate_limited',
    'provider_upstream_error',
    'circuit_open',
    'internal_error',
    'token_budget_exhausted',
  ],
  repairable: [
    'credentials_rejected',
    'model_not_found',
    'model_not_configured',
    'schema_not_enforced',
    'source_too_large',
    'provider_output_truncated',
    'embedding_width_mismatch',
    'campaign_cap_exhausted',
  ],
  terminal: [
    'missing_structured_object',
    'missing_text_response',
    'structured_validation_failed',
    'provider_content_filtered',
    'extraction_budget_exhausted',
  ],
};

export const CONTENT = 'I live in Bergen. I own a red kayak.';

/** A valid item about the speaker. */
export const ITEM = {
  supporting_span: 'I live in Bergen.',
  statement: 'Alice lives in Bergen.',
  confidence_level: 'stated_explicitly',
  kind: 'fact',
  subject_type: 'peer',
  subject_ref: 'alice',
  sensitivity: 'internal',
  target_level: 'peer',
  source_message_ids: [] as readonly string[],
  relevant_from: null,
  relevant_until: null,
};

const INVENTED_ID = '019aa000-0000-7000-8000-000000000001';
const FOREIGN = { ...ITEM, subject_ref: 'mallory' };
const ABOUT_AGENT = { ...ITEM, subject_ref: 'relay' };
const INVENTED = { ...ITEM, source_message_ids: [INVENTED_ID] };

const says = (...statements: readonly unknown[]): StubBehaviour => ({
  kind: 'statements',
  statements,
});
const text = (said: string): StubBehaviour => ({ kind: 'text', text: said });
const answers = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
): StubBehaviour => ({
  kind: 'status',
  status,
  headers,
});
const refuses = (status: number, message: string): StubBehaviour => ({
  kind: 'status',
  status,
  body: { error: { type: 'invalid_request_error', message } },
});
const thrice = (behaviour: StubBehaviour): readonly StubBehaviour[] => [
  behaviour,
  behaviour,
  behaviour,
];
/** Asked, and asked twice for a repair: nothing of it could be used. */
const UNUSABLE = { rows: ['error', 'error', 'error'], metered: true } as const;
const REPAIRED = { rows: ['success', 'success', 'success'], metered: true } as const;
const THIRTY = Array.from({ length: 30 }, (_, n) => ({
  ...ITEM,
  statement: `Alice lives in Bergen, house ${n}.`,
}));
/** A completion that calls a tool, though none was offered. */
const TOOL_CALL: StubBehaviour = {
  kind: 'status',
  status: 200,
  body: {
    id: 'stub',
    object: 'chat.completion',
    created: 1,
    model: 'tiny:1b',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call', type: 'function', function: { name: 'forget', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  },
};

const SURVIVED: readonly Behaviour[] = [
  { name: 'an answer', does: [says(ITEM)], statements: 1 },
  { name: 'a late answer', does: [{ kind: 'delay', ms: 100 }], statements: 2 },
  { name: 'nothing to record', does: [says()], statements: 0 },
  { name: 'JSON in a fence', does: [{ kind: 'fenced' }], statements: 2 },
  { name: 'JSON in prose', does: [{ kind: 'prose' }], statements: 2 },
  {
    name: 'no count of tokens',
    does: [{ kind: 'unmetered' }],
    only: 'openai-compatible',
    metered: false,
    statements: 2,
  },
  { name: 'thirty candidates', does: [says(...THIRTY)], statements: 24 },
  {
    name: 'valid after prose',
    does: [text('Let me see.'), says(ITEM)],
    rows: ['error', 'success'],
    statements: 1,
  },
  {
    name: 'valid and invalid to the end',
    does: thrice(says(ITEM, FOREIGN)),
    ...REPAIRED,
    statements: 1,
  },
  {
    name: 'valid and invalid, then away',
    does: [says(ITEM, FOREIGN), answers(500)],
    rows: ['success', 'error'],
    metered: [true, false],
    statements: 1,
  },
];

/** Behaviours that an extraction survives: one row that went well, unless it says otherwise. */
export const FINE: readonly Behaviour[] = SURVIVED.map((behaviour) => ({
  rows: ['success'],
  metered: true,
  ...behaviour,
}));

/** By class; a sentence where no behaviour of an extractor's endpoint leads to it. */
export const FAILURES: Readonly<Record<ErrorClass, readonly Behaviour[] | string>> = {
  request_timeout: [
    { name: 'silence', does: [{ kind: 'hang' }], config: { timeoutMs: 500 }, rows: ['timeout'] },
    {
      name: 'an answer past the limit',
      does: [{ kind: 'delay', ms: 3_000 }],
      config: { timeoutMs: 500 },
      rows: ['timeout'],
    },
    {
      name: 'a connection that never stands',
      does: [],
      endpoint: 'mute',
      config: { timeoutMs: 500 },
      rows: ['timeout'],
    },
    { name: '408', does: [answers(408)], rows: ['timeout'] },
  ],
  transport_error: [
    { name: 'a body cut in the middle', does: [{ kind: 'cut' }] },
    { name: 'a reset connection', does: [{ kind: 'reset' }] },
    { name: 'a refused connection', does: [], endpoint: 'closed' },
  ],
  provider_rate_limited: [
    { name: '429', does: [answers(429)] },
    { name: '429 for twenty seconds', does: [answers(429, { 'retry-after': '20' })], dueIn: 20 },
    { name: '429 for an hour', does: [answers(429, { 'retry-after': '3600' })], dueIn: 60 },
    {
      name: '429 inside a 200',
      does: [{ kind: 'status', status: 200, body: { error: { code: 429 } } }],
    },
  ],
  provider_upstream_error: [
    { name: '500', does: [answers(500)] },
    { name: '503 for ten seconds', does: [answers(503, { 'retry-after': '10' })], dueIn: 10 },
    { name: '529, overloaded', does: [answers(529)] },
    { name: '400 without a reason that is known', does: [answers(400)] },
    { name: 'a redirection', does: [answers(307, { location: '/v1/elsewhere' })] },
    { name: 'a web page', does: [{ kind: 'html' }] },
    { name: 'a web page with 502', does: [{ kind: 'html', status: 502 }] },
    { name: 'JSON of another protocol', does: [{ kind: 'wrong_json' }] },
    { name: 'no count of tokens', does: [{ kind: 'unmetered' }], only: 'anthropic' },
    {
      name: 'invalid, then away',
      does: [says(FOREIGN), answers(500)],
      rows: ['error', 'error'],
      metered: [true, false],
    },
  ],
  token_budget_exhausted: 'refused before the endpoint is asked: test/integration/budgets',
  campaign_cap_exhausted: 'refused before the endpoint is asked, once there are campaigns',
  circuit_open: 'what keeps calls back is no behaviour of an endpoint: test/integration/circuits',
  internal_error: 'a defect of ours: test/integration/extraction/pipeline.test.ts',
  credentials_rejected: [
    { name: '401', does: [answers(401)] },
    { name: '402', does: [answers(402)] },
    { name: '403', does: [answers(403)] },
    { name: '400 about an empty account', does: [refuses(400, 'Your credit balance is too low')] },
  ],
  model_not_found: [
    { name: '404', does: [answers(404)] },
    { name: '410', does: [answers(410)] },
    { name: '400 about the model', does: [refuses(400, 'The model tiny:1b does not exist')] },
  ],
  model_not_configured: 'no endpoint is asked: see the role that is none in behaviours.test.ts',
  schema_not_enforced: [
    { name: '400 about the form', does: [refuses(400, 'response_format is not supported')] },
    { name: '400 about the schema', does: [refuses(400, 'output_config: too complex')] },
  ],
  source_too_large: [
    { name: '413', does: [answers(413)] },
    { name: '400 about the length', does: [refuses(400, 'prompt is too long')] },
    {
      name: 'an anchor past the context, unasked',
      does: [],
      content: 'I live in Bergen. '.repeat(2_000),
      config: { contextTokens: 4_096, maxOutputTokens: 1_024 },
      rows: [],
    },
  ],
  provider_output_truncated: [
    { name: 'an answer that ran out of tokens', does: [{ kind: 'truncated' }], metered: true },
  ],
  embedding_width_mismatch:
    'the embedder’s, and no observation waits for a vector: embedder.test.ts',
  missing_structured_object: [
    { name: 'prose', does: thrice(text('There is nothing to record.')), ...UNUSABLE },
    { name: 'an empty text', does: thrice({ kind: 'empty' }), ...UNUSABLE },
    {
      name: 'half an object',
      does: thrice(text('{"statements": [{"statement": "Ali')),
      ...UNUSABLE,
    },
    { name: 'another object', does: thrice(text('{"facts": []}')), ...UNUSABLE },
    {
      name: 'a tool that was not offered',
      does: thrice(TOOL_CALL),
      only: 'openai-compatible',
      ...UNUSABLE,
    },
  ],
  missing_text_response: 'of questions for plain text: an extractor is asked for an object',
  structured_validation_failed: [
    { name: 'foreign subjects', does: thrice(says(FOREIGN, FOREIGN)), ...UNUSABLE },
    { name: 'the agent as subject', does: thrice(says(ABOUT_AGENT)), ...UNUSABLE },
    { name: 'invented ids', does: thrice(says(INVENTED)), ...UNUSABLE },
    { name: 'items that are none', does: thrice(says(1, null, 'x', [])), ...UNUSABLE },
  ],
  provider_content_filtered: [
    { name: 'a filtered answer', does: [{ kind: 'filtered' }], metered: true },
    { name: 'a refusal', does: [{ kind: 'refusal' }], metered: true },
    { name: '400 by a filter', does: [refuses(400, 'blocked by content filtering policy')] },
  ],
  extraction_budget_exhausted:
    'refused before the endpoint is asked: the budget’s own tests, test/unit/models/repairs.test.ts',
};
