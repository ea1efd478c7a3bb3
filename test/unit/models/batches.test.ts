/** Several anchors in one call: each is read, repaired, kept or given up by itself. */
import { PROMPT_VERSION } from '../../../engine/extraction/model/prompt.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExtractionRequest, SourceMessage } from '../../../domain/statements/candidate.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { BatchExtractionResult } from '../../../engine/models/extraction.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { extractionMaterial, startStubOpenAi } from '../../support/stub-openai.ts';
import { ITEM, NO_ROLES, REQUEST, callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());

const idOf = (n: number): string => `018f0000-0000-7000-8000-00000000001${n}`;
const CITIES = ['Lisbon', 'Porto', 'Faro'] as const;
const IDS = CITIES.map((_, n) => idOf(n));

function message(n: number): SourceMessage {
  const occurredAt = `2031-03-12T09:3${n}:00.000Z`;
  return { ...REQUEST.anchor, id: idOf(n), content: `I live in ${CITIES[n]}.`, occurredAt };
}

/** Three neighbours: the window of each holds those before it. */
const REQUESTS: readonly ExtractionRequest[] = CITIES.map((_, n) => ({
  ...REQUEST,
  anchor: message(n),
  window: [...REQUEST.window, ...CITIES.slice(0, n).map((_city, earlier) => message(earlier))],
}));

/** A statement of anchor `n`, or a faulty one. */
function item(n: number, changes: Partial<typeof ITEM> = {}): typeof ITEM {
  const span = `I live in ${CITIES[n]}.`;
  const statement = `Inês lives in ${CITIES[n]}.`;
  return { ...ITEM, supporting_span: span, statement, source_message_ids: [idOf(n)], ...changes };
}
const faulty = (n: number) => item(n, { subject_ref: 'nobody' });
const entry = (n: number, ...statements: readonly unknown[]) => ({
  anchor_id: idOf(n),
  statements,
});
const answers = (...entries: readonly unknown[]): StubBehaviour => ({
  kind: 'answers',
  answers: entries,
});
const GOOD = [entry(0, item(0)), entry(1, item(1)), entry(2, item(2))] as const;

function extraction(...behaviours: readonly StubBehaviour[]) {
  const since = stub.requests.length;
  stub.script(...behaviours);
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
  });
  const context = callContext({ anchorMessageIds: IDS, batchId: 'batch' });
  return {
    rows,
    requests: () => stub.requests.slice(since),
    result: gateway.extractBatch(REQUESTS, context),
  };
}

/** What became of each anchor: its statements, or the class of its failure. */
function outcomes({ answers: found }: BatchExtractionResult): readonly unknown[] {
  return found.map((answer) =>
    answer.failure === null
      ? answer.candidates.map(({ statement }) => statement)
      : answer.failure.errorClass,
  );
}
const statementOf = (n: number) => [`Inês lives in ${CITIES[n]}.`];

describe('a call for several anchors', () => {
  test('is one request and one ledger row with all of them, answered each by itself', async () => {
    const { rows, requests, result } = extraction(answers(...GOOD));
    const found = await result;
    expect(outcomes(found)).toEqual([statementOf(0), statementOf(1), statementOf(2)]);
    expect(found).toMatchObject({ attempts: 1, usage: { inputTokens: 100, outputTokens: 20 } });
    expect(found.identity.promptVersion).toBe(PROMPT_VERSION);
    expect(requests()).toHaveLength(1);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      attempt: { anchorMessageIds: IDS, batchId: 'batch', repairIndex: 0 },
      outcome: { status: 'success' },
    });
  });

  test('shows every message once, marks the anchors, and keeps the order of the conversation', async () => {
    const { requests, result } = extraction(answers(...GOOD));
    await result;
    const documents = extractionMaterial(requests()[0]?.body ?? {});
    expect(documents.map(({ anchor_message: { id } }) => id)).toEqual(IDS);
    const windows = documents.map(({ earlier_messages: earlier }) => earlier.map(({ id }) => id));
    const before = REQUEST.window.map(({ id }) => id);
    expect(windows).toEqual([before, [...before, idOf(0)], [...before, idOf(0), idOf(1)]]);
    const sent = JSON.stringify(requests()[0]?.body['messages']);
    expect(sent.split('I live in Lisbon.')).toHaveLength(2);
  });

  test('may be answered in any order, with ids in another case and entries for unknown anchors', async () => {
    const [first, second, third] = GOOD;
    const shouted = { ...second, anchor_id: ` ${second.anchor_id.toUpperCase()} ` };
    const { result } = extraction(answers(third, entry(9, item(0)), shouted, first));
    expect(outcomes(await result)).toEqual([statementOf(0), statementOf(1), statementOf(2)]);
  });

  test('refuses a statement that cites only another anchor, or a later one', async () => {
    const stolen = item(0);
    const ahead = item(1, { source_message_ids: [idOf(1), idOf(2)] });
    const wrong = answers(entry(0, item(0)), entry(1, stolen, ahead), entry(2, item(2)));
    const { result } = extraction(wrong, answers(entry(1, stolen)), answers(entry(1, ahead)));
    expect(outcomes(await result)).toEqual([
      statementOf(0),
      'structured_validation_failed',
      statementOf(2),
    ]);
  });

  test('accepts a statement that cites an earlier anchor of its window beside its own', async () => {
    const both = item(1, { source_message_ids: [idOf(0), idOf(1)] });
    const { result } = extraction(answers(entry(0), entry(1, both), entry(2)));
    expect(outcomes(await result)).toEqual([[], statementOf(1), []]);
  });
});

describe('a repair', () => {
  test('asks only about faulty items, by anchor and item, and keeps the rest as it is', async () => {
    const { requests, result, rows } = extraction(
      answers(entry(0, item(0)), entry(1, item(1), faulty(1))),
      answers(entry(0, item(2)), entry(1, item(1)), entry(2, item(2))),
    );
    expect(outcomes(await result)).toEqual([statementOf(0), statementOf(1), statementOf(2)]);
    const messages = requests()[1]?.body['messages'];
    const last = Array.isArray(messages) ? JSON.parse(messages.at(-1).content) : null;
    expect(
      last.faults.map((fault: Record<string, unknown>) => [
        fault['anchor_id'],
        fault['statement_index'],
        fault['code'],
      ]),
    ).toEqual([
      [idOf(1), 1, 'unknown_subject'],
      [idOf(2), null, 'anchor_not_answered'],
    ]);
    expect(rows.map(({ attempt }) => attempt.repairIndex)).toEqual([0, 1]);
    expect(rows.map(({ attempt }) => attempt.anchorMessageIds)).toEqual([IDS, IDS]);
  });

  test.each([
    ['left out to the end', entry(0, item(0))],
    ['invalid to the end', entry(1, faulty(1))],
  ])('of an anchor that is %s fails that anchor only, after two of them', async (_name, again) => {
    const { requests, result } = extraction(
      answers(entry(0, item(0)), entry(1, faulty(1)), entry(2, item(2))),
      answers(again),
      answers(again),
    );
    expect(outcomes(await result)).toEqual([
      statementOf(0),
      'structured_validation_failed',
      statementOf(2),
    ]);
    expect(requests()).toHaveLength(3);
  });

  test('that is over keeps the valid statements of a mixed answer', async () => {
    const mixed = answers(entry(1, item(1), faulty(1)));
    const { result } = extraction(
      answers(entry(0, item(0)), entry(1, item(1), faulty(1)), entry(2)),
      mixed,
      mixed,
    );
    const found = await result;
    expect(outcomes(found)).toEqual([statementOf(0), statementOf(1), []]);
    expect(found.answers[1]).toMatchObject({ rejected: 1 });
  });

  test.each([
    ['away', { kind: 'status', status: 503 }, 'provider_upstream_error'],
    ['truncated', { kind: 'truncated' }, 'provider_output_truncated'],
  ] as const)('that is %s fails the anchors that have nothing yet', async (_name, how, failure) => {
    const first = answers(entry(0, item(0)), entry(1, item(1), faulty(1)), entry(2, faulty(2)));
    const { result } = extraction(first, how);
    expect(outcomes(await result)).toEqual([statementOf(0), statementOf(1), failure]);
  });

  test('that never finds an object fails all anchors of the call', async () => {
    const prose: StubBehaviour = { kind: 'text', text: 'Nothing to report.' };
    const { result, rows } = extraction(prose, prose, prose);
    expect(outcomes(await result)).toEqual(IDS.map(() => 'missing_structured_object'));
    expect(rows.map(({ outcome }) => outcome?.errorClass)).toEqual(
      rows.map(() => 'missing_structured_object'),
    );
  });
});

describe('a call that fails as a whole', () => {
  test.each([
    [{ kind: 'filtered' }, 'provider_content_filtered'],
    [{ kind: 'truncated' }, 'provider_output_truncated'],
    [{ kind: 'status', status: 503 }, 'provider_upstream_error'],
  ] as const)('by %j has one failure', async (how, errorClass) => {
    const { result, rows } = extraction(how);
    await expect(result).rejects.toMatchObject({ errorClass });
    expect(rows).toHaveLength(1);
  });

  test('because it does not fit the context makes no request and no row', async () => {
    const { ledger, rows } = recordingLedger();
    const role = remoteRole(stub.baseUrl, { contextTokens: 12_000, maxOutputTokens: 9_000 });
    const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, ingest_extractor: role } });
    const long = { ...message(1), content: 'I live in Porto. '.repeat(300) };
    const since = stub.requests.length;
    const asked = gateway.extractBatch(
      [REQUEST, { ...REQUEST, anchor: long }],
      callContext({ anchorMessageIds: IDS }),
    );
    await expect(asked).rejects.toEqual(new ModelFailure('source_too_large'));
    expect(rows).toEqual([]);
    expect(stub.requests).toHaveLength(since);
  });

  test('when the extractor is not prompted, because that one takes an anchor at a time', async () => {
    const gateway = gatewayOf({ ledger: recordingLedger().ledger });
    await expect(gateway.extractBatch(REQUESTS, callContext())).rejects.toMatchObject({
      errorClass: 'model_not_configured',
    });
  });
});

test('a cancellation rejects the call, whatever was answered before', async () => {
  const controller = new AbortController();
  stub.script(answers(entry(0, item(0))), { kind: 'hang' });
  const { ledger, rows } = recordingLedger((_attempt, index) => {
    if (index === 1) setTimeout(() => controller.abort(new Error('gone')), 50);
  });
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
  });
  const asked = gateway.extractBatch(REQUESTS, callContext({ signal: controller.signal }));
  await expect(asked).rejects.toThrow('gone');
  expect(rows.map(({ outcome }) => outcome?.status)).toEqual(['success', 'cancelled']);
});
