/**
 * One small question to each role, made as every call of it is: under its ledger row, through the circuit and within the
 * role's limits. The question is fixed and holds nothing of an account; only the outcome is reported.
 */
import { z } from 'zod';
import type { ExtractionRequest } from '../../domain/statements/candidate.ts';
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import type { ModelDescription } from '../../domain/models/identity.ts';
import { MODEL_ROLES, type ModelRole } from '../../domain/models/roles.ts';
import type { CallContext } from './extraction.ts';
import type { ModelGateway } from './gateway.ts';
import type { JudgedValue, Question } from './generation.ts';

/** `not_applicable`: the role is set to `none`. */
export const ROLE_CHECK_STATUSES = ['ok', 'failed', 'not_applicable'] as const;

export interface RoleCheck extends ModelDescription {
  readonly role: ModelRole;
  readonly status: (typeof ROLE_CHECK_STATUSES)[number];
  /** Null unless failed. */
  readonly errorClass: ErrorClass | null;
  /** Milliseconds; null where nothing was asked. */
  readonly durationMs: number | null;
}

const answer = z.object({ word: z.string().min(1) });

const QUESTION: Question = {
  instructions:
    'Answer with one JSON object {"word": "..."} that holds any one word, and nothing else.',
  messages: [{ role: 'user', content: 'One word, please.' }],
  object: {
    name: 'word',
    schema: {
      type: 'object',
      properties: { word: { type: 'string' } },
      required: ['word'],
      additionalProperties: false,
    },
  },
  promptVersion: 'vouch-check-1',
  repairIndex: 0,
};

/** For the built-in extractor, which takes observations instead of questions. */
const SAMPLE: ExtractionRequest = {
  scopePath: '/',
  anchor: {
    id: '00000000-0000-7000-8000-000000000000',
    content: 'I like tea.',
    role: 'user',
    peerKey: 'sample',
    peerName: 'Sample',
    occurredAt: '2000-01-01T00:00:00.000Z',
    occurredOffsetMinutes: 0,
  },
  window: [],
  participants: [{ peerKey: 'sample', name: 'Sample', kind: 'human' }],
};

/**
 * Asks every role at the same time; `now` gives monotonic milliseconds.
 * @throws the signal's reason after a cancellation; whatever the ledger throws.
 */
export async function checkRoles(
  gateway: ModelGateway,
  call: CallContext,
  now: () => number,
): Promise<readonly RoleCheck[]> {
  const described = gateway.describe();
  return Promise.all(
    MODEL_ROLES.map(async (role): Promise<RoleCheck> => {
      const common = { role, ...described[role], errorClass: null, durationMs: null };
      if (common.provider === 'none') return { ...common, status: 'not_applicable' };
      const started = now();
      const errorClass = await failureOf(ask(gateway, role, common.provider, call));
      const durationMs = Math.round(now() - started);
      const status = errorClass === null ? 'ok' : 'failed';
      return { ...common, status, errorClass, durationMs };
    }),
  );
}

/** Asks once; answers the class of an answer that cannot be used. */
async function ask(
  gateway: ModelGateway,
  role: ModelRole,
  provider: ModelDescription['provider'],
  call: CallContext,
): Promise<ErrorClass | null> {
  if (role === 'embedder') {
    await gateway.embed(['word'], call);
    return null;
  }
  if (role === 'reranker') {
    const { judgements } = await gateway.rerank({ query: 'tea', documents: ['tea', 'word'] }, call);
    return judgements === null ? 'structured_validation_failed' : null;
  }
  if (provider === 'deterministic') {
    if (role === 'ingest_extractor') await gateway.extract(SAMPLE, call);
    else await gateway.inProcess(role, call, () => null);
    return null;
  }
  return (await gateway.generation(role, call).ask(QUESTION, judge)).errorClass;
}

async function failureOf(asked: Promise<ErrorClass | null>): Promise<ErrorClass | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ModelFailure) return error.errorClass;
    throw error;
  }
}

/** Fences and sentences around an object are no fault here either. */
function judge(text: string): JudgedValue<null> {
  const object = objectIn(text);
  if (object === undefined) return { value: null, errorClass: 'missing_structured_object' };
  const isWord = answer.safeParse(object).success;
  return { value: null, errorClass: isWord ? null : 'structured_validation_failed' };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
