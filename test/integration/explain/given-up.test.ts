/** What is explained of messages that a provider does not extract. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { explainUnit } from '../../../operations/explain/unit.ts';
import { eventually } from '../../support/patience.ts';
import { closeWithoutErrors, dataOf, type OwnService } from '../../support/service.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubbedService } from '../../support/stubbed-service.ts';
import { causesOf } from './scene.ts';

let stub: StubOpenAi;
let service: OwnService;
let boss: string;
let teller: string;
beforeAll(async () => {
  ({ service, stub } = await startStubbedService());
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
  teller = (await service.home.agent('teller')).token;
});
afterAll(() => closeWithoutErrors(service));

const explain = (id: string) =>
  service.operate(explainUnit, { account: service.home.key, unit: 'message', id });

let told = 0;
/** The explanation of an observation of new content, once it is settled and in the indexes. */
async function settled(scope: string, ...behaviours: readonly StubBehaviour[]) {
  told += 1;
  stub.script(...behaviours);
  const body = { session_id: `s${told}`, scope_path: scope, content: `I own boat ${told}.` };
  const { messageId } = await service.ingestAndWait(teller, body);
  await service.quiet();
  return explain(messageId);
}

test('an extraction that was given up is named with its class', async () => {
  const found = await settled('/team', { kind: 'filtered' });
  expect(causesOf(found)).toEqual(['extraction_given_up provider_content_filtered']);
  expect(found).toMatchObject({ found: false, message: { extraction: { status: 'terminal' } } });
});

test('an extraction that waits for an operator is named with its class', async () => {
  const found = await settled('/team', { kind: 'status', status: 401 });
  expect(causesOf(found)).toEqual(['extraction_repairable credentials_rejected']);
});

test('a budget that refuses calls is named with its root', async () => {
  const registered = await service.call({
    path: '/api/v1/operations/extraction-budget',
    method: 'PUT',
    token: boss,
    json: {
      scope_root: '/poor',
      request_cap: 1,
      token_cap: 1,
      usd_micros_cap: 1,
      deadline_at: '2090-01-01T00:00:00Z',
      input_usd_micros_per_million: 1,
      output_usd_micros_per_million: 1,
    },
  });
  expect(registered.status).toBe(200);
  const found = await settled('/poor/box');
  expect(causesOf(found)).toEqual(['budget_closed']);
  expect(found.message).toMatchObject({
    extraction: { status: 'terminal', last_error_class: 'extraction_budget_exhausted' },
    budget: { scope_root: '/poor', closed_at: expect.any(String) },
  });
});

test('an extraction that a drain works at is under way', async () => {
  const asked = stub.requests.length;
  const call = Promise.withResolvers<void>();
  stub.script({ kind: 'held', until: call.promise });
  const body = { session_id: 'held', content: 'I own a boat.' };
  const id = String(dataOf(await service.ingest(teller, body))['message_id']);
  await eventually(() => stub.requests.length > asked);
  const found = await explain(id);
  expect(causesOf(found)[0]).toBe('extraction_under_way');
  expect(found.message).toMatchObject({ extraction: { held: true }, mailbox: { paused: false } });
  call.resolve();
  await eventually(async () => (await explain(id)).message?.extraction?.status === 'completed');
});
