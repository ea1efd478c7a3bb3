/** The declared table of outcomes, driven through the real gateway and a provider of its own. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANSWER_FAILED, NO_EVIDENCE } from '../../../domain/answers/outcome.ts';
import { answerExtractively } from '../../../engine/answers/extractive.ts';
import { createAnswerer, type Answer } from '../../../engine/answers/answerer.ts';
import { OUTCOMES, said, type OutcomeCase } from '../../support/answers/outcomes.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { gatewayOf, NO_ROLES, remoteRole } from '../models/fixtures.ts';
import { MemoryCircuits } from '../models/memory-circuits.ts';
import { recordingLedger } from '../models/recording-ledger.ts';
import { THREE } from './fixtures.ts';

const ACCOUNT = '018f0000-0000-7000-8000-0000000000aa';
const HANG_MS = 400;
const ASKED = {
  question: 'Who keeps bees?',
  referenceTime: '2031-03-12T09:30:00.000Z',
  evidence: THREE,
  accountId: ACCOUNT,
  traceId: 'ab'.repeat(16),
  signal: new AbortController().signal,
};

let stub: StubOpenAi;

beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());

/** Only who waits for the end of a call that hangs is to wait for a short time. */
const timeoutOf = (expected: OutcomeCase['expected'] | undefined): number =>
  expected?.answer_degraded === 'request_timeout' ? HANG_MS : HANGS_MS;

async function answererFor({
  expected,
  provider,
}: Partial<Pick<OutcomeCase, 'expected' | 'provider'>>): Promise<{
  readonly answer: Answer;
  readonly rows: ReturnType<typeof recordingLedger>['rows'];
}> {
  const { ledger: recording, rows } = recordingLedger();
  const refused = () => Promise.reject(new ModelFailure('token_budget_exhausted'));
  const ledger =
    provider === 'token_budget_exhausted' ? { ...recording, reserve: refused } : recording;
  const agent =
    provider === 'none'
      ? NO_ROLES.dialectic_agent
      : remoteRole(stub.baseUrl, { timeoutMs: timeoutOf(expected) });
  const store = new MemoryCircuits();
  const rules = { failures: 1, openMs: 60_000 };
  if (provider === 'circuit_open' && agent.provider !== 'none') {
    const { model } = agent;
    const key = {
      accountId: ACCOUNT,
      role: 'dialectic_agent',
      provider: agent.provider,
      model,
    } as const;
    await store.failed(key, null, rules);
  }
  const circuit = { store, rules, ring: () => {} };
  const gateway = gatewayOf({ ledger, circuit, roles: { ...NO_ROLES, dialectic_agent: agent } });
  return {
    answer: createAnswerer({
      gateway,
      answerInProcess: answerExtractively,
      now: () => performance.now(),
    }),
    rows,
  };
}

function expectedAnswer({ answer }: OutcomeCase['expected']): string {
  if (answer === 'joined') return THREE.map(({ text }) => text).join(' ');
  if (answer === 'nothing') return NO_EVIDENCE;
  return answer === 'failed' ? ANSWER_FAILED : answer.text;
}

describe('the outcome of a question', () => {
  test.each(OUTCOMES)('$name', async (one) => {
    const { answer, rows } = await answererFor(one);
    const asked = stub.requests.length;
    stub.script(...one.script);
    const outcome = await answer({
      ...ASKED,
      evidence: one.retrieved === false ? [] : THREE,
    });
    const { expected } = one;
    expect(outcome).toMatchObject({
      answer: expectedAnswer(expected),
      citations: expected.citations.map((place) => THREE[place - 1]?.id),
      abstained: expected.abstained,
      confidence: expected.answer_confidence,
      degraded: expected.answer_degraded,
      contextCount: expected.answer_context_count,
      promptTokens: expected.answerer_prompt_tokens,
      supportingStatements: expected.supporting.map((place) => THREE[place - 1]?.text),
    });
    expect(
      rows.map(({ attempt, outcome: row }) => [row?.status, row?.errorClass, attempt.repairIndex]),
    ).toEqual(one.ledger);
    expect(stub.requests.length - asked).toBe(one.script.length);
  });

  test('has a row of the ledger for the role, with the version of its prompt', async () => {
    const { answer, rows } = await answererFor({});
    stub.script(said());
    await answer(ASKED);
    expect(rows.map(({ attempt }) => attempt)).toEqual([
      expect.objectContaining({
        role: 'dialectic_agent',
        promptVersion: 'vouch-answer-1',
        accountId: ACCOUNT,
        traceId: ASKED.traceId,
      }),
    ]);
  });
});
