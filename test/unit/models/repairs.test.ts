/** Two repairs at most, each a row of its own; what is valid in a mixed answer survives them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { ITEM, NO_ROLES, REQUEST, callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());

const INVALID_ITEM = { ...ITEM, supporting_span: 'I live in Porto.' };
const VALID: StubBehaviour = { kind: 'statements', statements: [ITEM] };
const MIXED: StubBehaviour = { kind: 'statements', statements: [ITEM, INVALID_ITEM] };
const INVALID: StubBehaviour = { kind: 'statements', statements: [INVALID_ITEM] };
const NONE: StubBehaviour = { kind: 'statements', statements: [] };
const PROSE: StubBehaviour = { kind: 'text', text: 'I could not find anything.' };
const DOWN: StubBehaviour = { kind: 'status', status: 503 };

function extraction(...behaviours: readonly StubBehaviour[]) {
  stub.script(...behaviours);
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
  });
  return { rows, result: gateway.extract(REQUEST, callContext()) };
}

type Expectation = readonly [string, readonly StubBehaviour[], number, number, readonly string[]];

const COMPLETED: readonly Expectation[] = [
  ['valid at once', [VALID], 1, 0, ['success']],
  ['empty at once', [NONE], 0, 0, ['success']],
  ['valid after prose', [PROSE, VALID], 1, 0, ['error', 'success']],
  ['valid after two faults', [INVALID, INVALID, VALID], 1, 0, ['error', 'error', 'success']],
  ['empty after a fault', [INVALID, NONE], 0, 0, ['error', 'success']],
  ['mixed to the end', [MIXED, MIXED, MIXED], 1, 1, ['success', 'success', 'success']],
  ['mixed, then only worse', [MIXED, INVALID, PROSE], 1, 1, ['success', 'error', 'error']],
  ['mixed, then emptied', [MIXED, NONE], 1, 1, ['success', 'success']],
  ['mixed, then away', [MIXED, DOWN], 1, 1, ['success', 'error']],
];

test.each(COMPLETED)('%s completes', async (_name, behaviours, valid, rejected, statuses) => {
  const { rows, result } = extraction(...behaviours);
  const { candidates, rejected: count } = await result;
  expect(candidates).toHaveLength(valid);
  expect(count).toBe(rejected);
  expect(rows.map((row) => row.outcome?.status)).toEqual(statuses);
  expect(rows.map((row) => row.attempt.repairIndex)).toEqual(statuses.map((_, index) => index));
});

test.each([
  ['wholly invalid to the end', [INVALID, INVALID, INVALID], 'structured_validation_failed'],
  ['prose to the end', [PROSE, PROSE, PROSE], 'missing_structured_object'],
  [
    'empty text to the end',
    [{ kind: 'empty' }, { kind: 'empty' }, { kind: 'empty' }],
    'missing_structured_object',
  ],
  ['invalid, then away', [INVALID, DOWN], 'provider_upstream_error'],
] as const)('%s fails', async (_name, behaviours, errorClass) => {
  const { rows, result } = extraction(...behaviours);
  await expect(result).rejects.toMatchObject({ errorClass });
  expect(rows).toHaveLength(behaviours.length);
  expect(rows.at(-1)?.outcome?.errorClass).toBe(errorClass);
});

test('a repair sends the faults in fixed words, with the answer they are about', async () => {
  const { result } = extraction(INVALID, VALID);
  await result;
  const messages = stub.requests.at(-1)?.body['messages'];
  expect(messages).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { role: 'assistant' },
    { role: 'user' },
  ]);
  const sent = JSON.stringify(messages);
  expect(sent).toContain('span_not_verbatim');
  expect(sent).toContain('supporting_span');
});

test('a repair that the budget refuses keeps the valid statements', async () => {
  stub.script(MIXED);
  const { ledger, rows } = recordingLedger((_attempt, index) => {
    if (index === 1) throw new ModelFailure('extraction_budget_exhausted');
  });
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
  });
  const { candidates } = await gateway.extract(REQUEST, callContext());
  expect(candidates).toHaveLength(1);
  expect(rows).toHaveLength(1);
});

test('an assistant turn is never sent and yields nothing', async () => {
  const before = stub.requests.length;
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
  });
  const request = { ...REQUEST, anchor: { ...REQUEST.anchor, role: 'assistant' } };
  expect((await gateway.extract(request, callContext())).candidates).toEqual([]);
  expect(rows).toEqual([]);
  expect(stub.requests.length).toBe(before);
});
