/**
 * Every way in which a question about three statements can be answered: what the provider does, and what is answered.
 * One table, for the answerer by itself and for the whole service.
 */
import type { ErrorClass } from '../../../domain/error-class.ts';
import type { StubBehaviour } from '../stub-openai.ts';

/** The statements, in any order; what the first of the evidence says differs with the ranking. */
export const STATEMENTS = 3;

export interface OutcomeCase {
  readonly name: string;
  /** Whether anything is retrieved. */
  readonly retrieved?: false;
  /** `none` has no model; a circuit that is open, or a daily limit, keeps the call back. */
  readonly provider?: 'none' | 'circuit_open' | 'token_budget_exhausted';
  /** What the provider does with each request. */
  readonly script: readonly StubBehaviour[];
  /** The eight fields; citations are places among the evidence, from 1. */
  readonly expected: {
    /** A text of its own, the statements as they are, or one of the fixed texts. */
    readonly answer: { readonly text: string } | 'joined' | 'nothing' | 'failed';
    readonly citations: readonly number[];
    readonly abstained: boolean;
    readonly answer_confidence: number;
    readonly answer_degraded: ErrorClass | null;
    readonly answer_context_count: number;
    readonly answerer_prompt_tokens: number | null;
    /** Places of the supporting statements. */
    readonly supporting: readonly number[];
  };
  /** The ledger rows: status, class, number of the repair. */
  readonly ledger: readonly (readonly [
    status: string,
    errorClass: ErrorClass | null,
    repair: number,
  ])[];
}

/** Tokens of a prompt, as the stub counts them. */
const PROMPT = 100;
/** Every statement of the tests has these words. */
export const SAID = 'Ana keeps bees on the roof.';

const text = (value: unknown): StubBehaviour => ({
  kind: 'text',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

interface Said {
  readonly answer?: string;
  readonly citations?: readonly string[];
  readonly abstained?: boolean;
  readonly answer_confidence?: number;
}

/** What a model writes that follows its instructions. */
export const said = (changes: Said = {}): StubBehaviour =>
  text({
    answer: SAID,
    citations: ['S1', 'S2'],
    abstained: false,
    answer_confidence: 90,
    ...changes,
  });

const good: OutcomeCase['expected'] = {
  answer: { text: SAID },
  citations: [1, 2],
  abstained: false,
  answer_confidence: 90,
  answer_degraded: null,
  answer_context_count: STATEMENTS,
  answerer_prompt_tokens: PROMPT,
  supporting: [],
};
const nothing: OutcomeCase['expected'] = {
  ...good,
  answer: 'nothing',
  citations: [],
  abstained: true,
  answer_confidence: 0,
};
const failed = (answer_degraded: ErrorClass): OutcomeCase['expected'] => ({
  ...nothing,
  answer: 'failed',
  citations: [1, 2, 3],
  answer_degraded,
  answerer_prompt_tokens: null,
  supporting: [1, 2, 3],
});

const answered = [['success', null, 0]] as const;

/** A failure of the first call, which is the last one. */
function failure(
  name: string,
  behaviour: StubBehaviour,
  errorClass: ErrorClass,
  status = 'error',
): OutcomeCase {
  return {
    name,
    script: [behaviour],
    expected: failed(errorClass),
    ledger: [[status, errorClass, 0]],
  };
}

const refused = (status: number, message = 'no'): StubBehaviour => ({
  kind: 'status',
  status,
  body: { error: { message } },
});

const failures: readonly OutcomeCase[] = [
  failure('a rate limit', refused(429), 'provider_rate_limited'),
  failure('an error of the provider', refused(503), 'provider_upstream_error'),
  failure('a page instead of an answer', { kind: 'html' }, 'provider_upstream_error'),
  failure('a connection that breaks', { kind: 'reset' }, 'transport_error'),
  failure('a timeout of the provider', refused(408), 'request_timeout', 'timeout'),
  failure('a provider that never answers', { kind: 'hang' }, 'request_timeout', 'timeout'),
  failure('credentials that are refused', refused(401), 'credentials_rejected'),
  failure('a model that does not exist', refused(404), 'model_not_found'),
  failure('a schema that is refused', refused(400, 'response_format'), 'schema_not_enforced'),
  failure('a prompt that is too long', refused(400, 'maximum context length'), 'source_too_large'),
  failure('an answer that is cut off', { kind: 'truncated' }, 'provider_output_truncated'),
  failure('an answer that is filtered', { kind: 'filtered' }, 'provider_content_filtered'),
];

const repairs: readonly OutcomeCase[] = [
  {
    name: 'a repair that succeeds counts the tokens of both prompts',
    script: [text('Ana keeps bees, I think.'), said()],
    expected: { ...good, answerer_prompt_tokens: 2 * PROMPT },
    ledger: [
      ['error', 'missing_structured_object', 0],
      ['success', null, 1],
    ],
  },
  {
    name: 'no object after two repairs',
    script: [text('Bees.'), text('Bees!'), text('[]')],
    expected: failed('missing_structured_object'),
    ledger: [0, 1, 2].map((repair) => ['error', 'missing_structured_object', repair] as const),
  },
  {
    name: 'an object of another shape after two repairs',
    script: [
      text({ answer: SAID, citations: ['S1'] }),
      said({ answer_confidence: 0.9 }),
      said({ answer: ' ' }),
    ],
    expected: failed('structured_validation_failed'),
    ledger: [0, 1, 2].map((repair) => ['error', 'structured_validation_failed', repair] as const),
  },
  {
    name: 'a repair that fails',
    script: [text('Bees.'), refused(503)],
    expected: failed('provider_upstream_error'),
    ledger: [
      ['error', 'missing_structured_object', 0],
      ['error', 'provider_upstream_error', 1],
    ],
  },
];

export const OUTCOMES: readonly OutcomeCase[] = [
  {
    name: 'nothing retrieved',
    retrieved: false,
    script: [],
    expected: { ...nothing, answer_context_count: 0, answerer_prompt_tokens: 0 },
    ledger: [],
  },
  {
    name: 'no model',
    provider: 'none',
    script: [],
    expected: {
      ...good,
      answer: 'joined',
      citations: [1, 2, 3],
      answer_confidence: 40,
      answer_context_count: 0,
      answerer_prompt_tokens: 0,
    },
    ledger: [],
  },
  { name: 'a good answer', script: [said()], expected: good, ledger: answered },
  {
    name: 'an answer in a fence, with a number as text and a member beside',
    script: [
      text(
        `Sure:\n\`\`\`json\n${JSON.stringify({
          answer: SAID,
          citations: ['[s1]', 'S2.', 'S1'],
          abstained: false,
          answer_confidence: '90',
          reasoning: 'because',
        })}\n\`\`\``,
      ),
    ],
    expected: good,
    ledger: answered,
  },
  {
    name: 'a confidence below 50',
    script: [said({ answer_confidence: 49 })],
    expected: { ...good, abstained: true, answer_confidence: 49 },
    ledger: answered,
  },
  {
    name: 'a confidence of 50',
    script: [said({ answer_confidence: 50 })],
    expected: { ...good, answer_confidence: 50 },
    ledger: answered,
  },
  {
    name: 'a model that abstains with a high confidence',
    script: [said({ abstained: true, answer_confidence: 95 })],
    expected: { ...good, abstained: true, answer_confidence: 49 },
    ledger: answered,
  },
  {
    name: 'citations of what was not offered alone',
    script: [said({ citations: ['S4', 'M1', '018f0000-0000-7000-8000-000000000001', ''] })],
    expected: nothing,
    ledger: answered,
  },
  {
    name: 'no citation',
    script: [said({ citations: [] })],
    expected: nothing,
    ledger: answered,
  },
  {
    name: 'some citations of what was not offered',
    script: [said({ citations: ['S9', 'S2', 'Ana', 'S2'] })],
    expected: { ...good, citations: [2] },
    ledger: answered,
  },
  {
    name: 'an answer that has nothing in common with what it cites',
    script: [said({ answer: 'Photosynthesis converts sunlight chemically.' })],
    expected: {
      ...good,
      answer: { text: 'Photosynthesis converts sunlight chemically.' },
      abstained: true,
      answer_confidence: 49,
    },
    ledger: answered,
  },
  ...repairs,
  ...failures,
  {
    name: 'a daily token limit that leaves no room',
    provider: 'token_budget_exhausted',
    script: [],
    expected: failed('token_budget_exhausted'),
    ledger: [],
  },
  {
    name: 'a circuit that is open',
    provider: 'circuit_open',
    script: [],
    expected: failed('circuit_open'),
    ledger: [],
  },
];
