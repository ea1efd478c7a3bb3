import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { MODEL_PROVIDERS, MODEL_ROLES, type ModelRole } from '../../../domain/models/roles.ts';
import type { AttemptEvent, CircuitEvent } from '../../../engine/models/observer.ts';
import { createModelMetrics } from '../../../runtime/telemetry/model-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

const ATTEMPT: AttemptEvent = {
  role: 'embedder',
  provider: 'openai-compatible',
  status: 'success',
  errorClass: null,
  durationMs: 120,
  anchors: 3,
  tokens: { input: 3, output: 0, embedding: 7 },
};
const CIRCUIT: CircuitEvent = {
  accountId: '01890000-0000-7000-8000-000000000001',
  role: 'ingest_extractor',
  provider: 'openai-compatible',
  model: 'some-model',
  modelVersion: '1',
  event: 'opened',
  consecutiveFailures: 5,
};

function scene() {
  const registry = new Registry();
  const clock = { ms: 0 };
  return {
    clock,
    observer: createModelMetrics(registry, () => clock.ms),
    scrape: async () => parsePrometheus(await registry.metrics()),
    text: () => registry.metrics(),
  };
}

test('attempts are counted by role, provider, status and class, with their time and tokens', async () => {
  const { observer, scrape } = scene();
  observer.attempt(ATTEMPT);
  observer.attempt({ ...ATTEMPT, status: 'error', errorClass: 'transport_error', tokens: null });
  const seen = await scrape();
  const labels = { role: 'embedder', provider: 'openai-compatible' };
  expect(
    seen.sum('vouch_model_attempts_total', { ...labels, status: 'success', class: 'none' }),
  ).toBe(1);
  expect(seen.sum('vouch_model_attempts_total', { class: 'transport_error' })).toBe(1);
  expect(seen.sum('vouch_model_attempt_duration_seconds_sum', labels)).toBeCloseTo(0.24);
  expect(seen.sum('vouch_model_anchors_total', labels)).toBe(6);
  expect(seen.sum('vouch_model_tokens_total', { direction: 'embedding' })).toBe(7);
  expect(seen.sum('vouch_model_tokens_total')).toBe(10);
  expect(seen.sum('vouch_model_unmetered_total', labels)).toBe(1);
});

test('an open circuit is shown until it closes, and an account opens its own', async () => {
  const { observer, scrape } = scene();
  const open = async (): Promise<number | null> =>
    (await scrape()).sum('vouch_model_circuits_open');
  expect(await open()).toBeNull();
  observer.circuit(CIRCUIT);
  observer.circuit({ ...CIRCUIT, event: 'blocked' });
  observer.circuit({ ...CIRCUIT, accountId: '01890000-0000-7000-8000-000000000002' });
  expect(await open()).toBe(2);
  observer.circuit({ ...CIRCUIT, event: 'probing' });
  observer.circuit({ ...CIRCUIT, event: 'closed' });
  expect(await open()).toBe(1);
  expect((await scrape()).sum('vouch_model_circuit_events_total', { event: 'blocked' })).toBe(1);
});

test('a circuit without an event for five minutes is no longer shown as open', async () => {
  const { observer, scrape, clock } = scene();
  observer.circuit(CIRCUIT);
  clock.ms = 200_000;
  observer.circuit({ ...CIRCUIT, event: 'blocked' });
  clock.ms = 450_000;
  expect((await scrape()).sum('vouch_model_circuits_open')).toBe(1);
  clock.ms = 501_000;
  expect((await scrape()).sum('vouch_model_circuits_open')).toBeNull();
});

test('no event, whatever it says, makes a label that is not of the closed lists or throws', async () => {
  const { observer, scrape, text } = scene();
  const word = fc.oneof(fc.string(), fc.constantFrom(...MODEL_ROLES, ...MODEL_PROVIDERS));
  const number = fc.oneof(fc.double(), fc.integer());
  fc.assert(
    fc.property(
      word,
      word,
      fc.constantFrom('success', 'error', 'timeout', 'cancelled'),
      fc.constantFrom(null, ...ERROR_CLASSES),
      number,
      number,
      (role, provider, status, errorClass, durationMs, tokens) => {
        const usage = { input: tokens, output: tokens, embedding: tokens };
        const who = { role: role as ModelRole, provider };
        observer.attempt({
          ...who,
          status,
          errorClass,
          durationMs,
          anchors: tokens,
          tokens: usage,
        });
        observer.circuit({ ...CIRCUIT, ...who, model: `canary ${provider}` });
      },
    ),
  );
  const { samples } = await scrape();
  for (const { labels } of samples) {
    const { role = '', provider = '' } = labels;
    expect([...MODEL_ROLES, 'other']).toContain(role);
    expect([...MODEL_PROVIDERS, 'other']).toContain(provider);
    expect(['none', ...ERROR_CLASSES]).toContain(labels['class'] ?? 'none');
  }
  const seen = await text();
  for (const hidden of [CIRCUIT.accountId, CIRCUIT.model, 'canary']) {
    expect(seen).not.toContain(hidden);
  }
});
