/** The answerer beside its table: the built-in provider, time, cancellation, masking, and what it reports. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ExtractiveEvidence } from '../../../domain/answers/extractive/types.ts';
import { answerExtractively } from '../../../engine/answers/extractive.ts';
import { createAnswerer, type AnswererDependencies } from '../../../engine/answers/answerer.ts';
import { said, SAID } from '../../support/answers/outcomes.ts';
import { holdTime } from '../../support/held-time.ts';
import { eventually } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { gatewayOf, NO_ROLES, remoteRole } from '../models/fixtures.ts';
import { recordingLedger } from '../models/recording-ledger.ts';
import { evidence, idOf, THREE } from './fixtures.ts';

let stub: StubOpenAi;

beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterAll(() => stub.close());
afterEach(() => {
  jest.useRealTimers();
});

const BUILT_IN = {
  provider: 'deterministic',
  model: 'rules',
  modelVersion: '1',
  dimensions: null,
} as const;

function setUp(
  agent: (typeof NO_ROLES)['dialectic_agent'],
  more: Partial<AnswererDependencies> = {},
) {
  const { ledger, rows } = recordingLedger();
  const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, dialectic_agent: agent } });
  return {
    answer: createAnswerer({
      gateway,
      answerInProcess: answerExtractively,
      now: () => performance.now(),
      ...more,
    }),
    rows,
  };
}

const ASKED = {
  question: 'Who keeps bees?',
  referenceTime: '2031-03-12T09:30:00.000Z',
  evidence: THREE,
  accountId: '018f0000-0000-7000-8000-0000000000aa',
  traceId: 'ab'.repeat(16),
  signal: new AbortController().signal,
};

describe('the built-in answerer', () => {
  test('is given the evidence as data, and its answer is checked like that of a model', async () => {
    const seen: ExtractiveEvidence[] = [];
    const { answer, rows } = setUp(BUILT_IN, {
      answerInProcess: ({ evidence: items }) => {
        seen.push(...items);
        return {
          text: items[1]?.text ?? '',
          citedIds: [idOf(2), 'x'],
          confidence: 72.4,
          abstained: false,
        };
      },
    });
    const dated = evidence(2, 'Ana keeps bees and hens.', {
      validity: { from: { at: '2030-01-01T00:00:00.000Z', precision: 'year' }, until: null },
      subjectName: 'Ana',
      spoken: {
        peerKey: 'k',
        peerName: 'Ben',
        role: 'user',
        occurredAt: '2031-01-01T00:00:00.000Z',
      },
    });
    const outcome = await answer({ ...ASKED, evidence: [...THREE.slice(0, 1), dated] });
    expect(outcome).toMatchObject({
      answer: 'Ana keeps bees and hens.',
      citations: [idOf(2)],
      abstained: false,
      confidence: 72,
      contextCount: 2,
      promptTokens: 0,
      hasWaited: false,
    });
    expect(seen).toEqual([
      expect.objectContaining({ id: idOf(1), about: null, spokenBy: null, validity: null }),
      expect.objectContaining({
        about: 'Ana',
        spokenBy: 'Ben',
        saidAt: '2031-01-01T00:00:00.000Z',
        validity: { from: '2030-01-01T00:00:00.000Z', until: null },
        level: 'peer',
        isProvisional: false,
      }),
    ]);
    expect(
      rows.map(({ attempt, outcome: row }) => [attempt.identity.provider, row?.status]),
    ).toEqual([['deterministic', 'success']]);
  });

  test('that finds nothing abstains without a citation', async () => {
    const { answer } = setUp(BUILT_IN, {
      answerInProcess: () => ({ text: '', citedIds: [], confidence: 0, abstained: true }),
    });
    expect(await answer(ASKED)).toMatchObject({
      citations: [],
      abstained: true,
      confidence: 0,
      contextCount: 3,
    });
  });

  test('that has a defect fails like a provider: nothing else answers in its place', async () => {
    const { answer } = setUp(BUILT_IN, {
      answerInProcess: () => {
        throw new TypeError('defect');
      },
    });
    expect(await answer(ASKED)).toMatchObject({
      degraded: 'internal_error',
      abstained: true,
      citations: THREE.map(({ id }) => id),
    });
  });
});

describe('an answer by a model', () => {
  test('ends with a failure when its whole time is over, whatever its calls may take', async () => {
    const { answer, rows } = setUp(remoteRole(stub.baseUrl), { timeoutMs: 200 });
    holdTime();
    const asked = stub.requests.length;
    stub.script({ kind: 'hang' });
    const answering = answer(ASKED);
    await eventually(() => stub.requests.length > asked);
    await jest.advanceTimersByTimeAsync(199);
    expect(rows[0]?.outcome).toBeNull();
    await jest.advanceTimersByTimeAsync(1);
    expect(await answering).toMatchObject({
      degraded: 'request_timeout',
      citations: THREE.map(({ id }) => id),
    });
    expect(rows.map(({ outcome }) => outcome?.status)).toEqual(['timeout']);
  });

  test('is ended when its caller leaves, and waits for no time to pass', async () => {
    holdTime();
    const { answer, rows } = setUp(remoteRole(stub.baseUrl));
    const leaving = new AbortController();
    const abandoned = stub.abandoned();
    const asked = stub.requests.length;
    stub.script({ kind: 'hang' });
    const answering = answer({ ...ASKED, signal: leaving.signal });
    await eventually(async () => stub.requests.length > asked);
    leaving.abort(new Error('left'));
    await expect(answering).rejects.toThrow('left');
    await eventually(async () => stub.abandoned() > abandoned);
    expect(rows.map(({ outcome }) => outcome?.status)).toEqual(['cancelled']);
  });

  test('shows no secret, neither one of the evidence nor one that the model makes up', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { answer } = setUp(remoteRole(stub.baseUrl));
    stub.script(said({ answer: `${SAID} The token is ${secret}.` }));
    const outcome = await answer({
      ...ASKED,
      question: `Who keeps ${secret}?`,
      evidence: [evidence(1, `Ana keeps bees and ${secret}.`), ...THREE.slice(1)],
    });
    expect(JSON.stringify(stub.requests.at(-1)?.body)).not.toContain(secret);
    expect(outcome.answer).not.toContain(secret);
    expect(outcome.answer).toContain(SAID);
  });

  test('reports what it came to, and nothing of what was asked', async () => {
    const reports: unknown[] = [];
    const { answer } = setUp(remoteRole(stub.baseUrl), {
      observer: { answered: (report) => void reports.push(report) },
    });
    const replies = [
      said(),
      said({ answer_confidence: 10 }),
      said({ citations: [] }),
      { kind: 'status', status: 429 } as const,
    ];
    for (const reply of replies) {
      stub.script(reply);
      await answer(ASKED);
    }
    await answer({ ...ASKED, evidence: [] });
    const report = (kind: string, errorClass: string | null = null) => ({
      provider: 'openai-compatible',
      kind,
      errorClass,
      durationMs: expect.any(Number),
    });
    expect(reports).toEqual([
      report('supported'),
      report('lead'),
      report('empty'),
      report('failed', 'provider_rate_limited'),
      report('empty'),
    ]);
  });

  test('tells of a reply that can be read before the ledger has its end, and of no other', async () => {
    const { answer, rows } = setUp(remoteRole(stub.baseUrl));
    const told: (string | undefined)[] = [];
    const replied = (): void => void told.push(rows.at(-1)?.outcome?.status);
    stub.script({ kind: 'prose' }, said());
    await answer({ ...ASKED, replied });
    expect(rows.map(({ outcome }) => outcome?.status)).toEqual(['error', 'success']);
    expect(told).toEqual([undefined]);
    stub.script({ kind: 'status', status: 429 });
    await answer({ ...ASKED, replied });
    expect(told).toHaveLength(1);
  });

  test('is asked of Anthropic by its own protocol', async () => {
    const role = {
      ...remoteRole(stub.baseUrl),
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
    } as const;
    const { answer } = setUp(role);
    stub.script(said());
    expect(await answer(ASKED)).toMatchObject({
      answer: SAID,
      citations: [idOf(1), idOf(2)],
      hasWaited: true,
    });
    expect(stub.requests.at(-1)?.path).toMatch(/\/messages$/);
  });
});
