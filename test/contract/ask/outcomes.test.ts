/** `POST /api/v1/ask`: every row of the declared table over HTTP, status, the eight fields and the ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANSWER_FAILED, NO_EVIDENCE } from '../../../domain/answers/outcome.ts';
import { OUTCOMES, STATEMENTS, type OutcomeCase } from '../../support/answers/outcomes.ts';
import { closeWithoutErrors } from '../../support/service.ts';
import { answerOf, MODEL, startAskScene, statementsIn, type AskScene } from './scene.ts';

/** Longer than a process remembers a closed circuit. */
const CIRCUIT_READING_MS = 400;

let scene: AskScene;
let agent: string;

beforeAll(async () => {
  scene = await startAskScene({
    SERVICE_BUDGET_LIMITS_JSON: '{"dialectic_agent": {"output_tokens": 1000000000}}',
  });
  await scene.service.home.preset('assisted');
  agent = (await scene.service.home.agent('agent')).token;
  const said = await scene.service.ingestAndWait(agent, {
    peer_key: 'ana',
    peer_name: 'Ana',
    content: 'I keep bees on the roof. I keep hens. I keep goats.',
  });
  expect(said.knowledge).toHaveLength(STATEMENTS);
});

afterAll(async () => {
  await closeWithoutErrors(scene?.service);
  await scene?.stub.close();
});

const ofModel = OUTCOMES.filter(({ provider }) => provider !== 'none');

function textOf({ answer }: OutcomeCase['expected']): string {
  if (answer === 'nothing') return NO_EVIDENCE;
  if (answer === 'failed') return ANSWER_FAILED;
  if (answer === 'joined') throw new Error('a model was asked');
  return answer.text;
}

async function openCircuit(): Promise<void> {
  await scene.service.rows(
    `insert into provider_circuits (account_id, role, provider, model, state, consecutive_failures, blocked_until)
     values ($1, 'dialectic_agent', 'openai-compatible', $2, 'open', 5, now() + interval '1 minute')
     on conflict (account_id, role, provider, model)
     do update set state = 'open', consecutive_failures = 5, blocked_until = now() + interval '1 minute'`,
    [scene.service.home.id, MODEL],
  );
  await sleep(CIRCUIT_READING_MS);
}

async function useUpTheDay(): Promise<void> {
  await scene.service.rows(
    `insert into token_days (account_id, day, role, used_output_tokens)
     select $1, day, 'dialectic_agent', 1000000000
     from generate_series(0, 1) as later, lateral (select (now() at time zone 'UTC')::date + later as day) days
     on conflict (account_id, day, role) do update set used_output_tokens = 1000000000`,
    [scene.service.home.id],
  );
}

describe('a question that is asked over HTTP', () => {
  test.each(ofModel)('$name', async ({ expected, ledger, provider, retrieved, script }) => {
    if (provider === 'circuit_open') await openCircuit();
    if (provider === 'token_budget_exhausted') await useUpTheDay();
    const since = new Date();
    const asked = scene.stub.requests.length;
    scene.stub.script(...script);
    const answer = await scene.ask(agent, retrieved === false ? { scope_path: '/nowhere' } : {});
    expect(answer.status).toBe(200);
    const statements = [...statementsIn(answer)];
    const places = (wanted: readonly number[]) => wanted.map((place) => statements[place - 1]);
    expect(answerOf(answer)).toEqual({
      answer: textOf(expected),
      citations: places(expected.citations).map((one) => one?.[0]),
      abstained: expected.abstained,
      answer_confidence: expected.answer_confidence,
      answer_degraded: expected.answer_degraded,
      answer_context_count: expected.answer_context_count,
      answerer_prompt_tokens: expected.answerer_prompt_tokens,
      supporting_statements: places(expected.supporting).map((one) => one?.[1]),
    });
    expect(answer.text).not.toContain('SECRET-PROVIDER-TEXT');
    expect(await scene.ledger(since)).toEqual(ledger);
    expect(scene.stub.requests.length - asked).toBe(script.length);
  });
});
