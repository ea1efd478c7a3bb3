/**
 * Calls to model providers and their circuits, over all accounts. The state of a circuit is the one that this process
 * saw last. An open circuit sends an event for each call that it keeps back, so a circuit without events for a while is
 * forgotten. Otherwise a circuit that another process closed would look open here for ever.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { MODEL_PROVIDERS, MODEL_ROLES } from '../../domain/models/roles.ts';
import type { CircuitEvent, ModelObserver } from '../../engine/models/observer.ts';
import { createRefusalMetrics } from './token-metrics.ts';
import { growth, seconds, SLOW_SECONDS, wordOf } from './buckets.ts';

const FORGET_AFTER_MS = 300_000;

interface OpenCircuit {
  readonly role: string;
  readonly provider: string;
  readonly heardAt: number;
}

/** The circuits that are open as far as this process knows. */
class OpenCircuits {
  readonly #now: () => number;
  readonly #open = new Map<string, OpenCircuit>();

  constructor(now: () => number) {
    this.#now = now;
  }

  note(event: CircuitEvent, role: string, provider: string): void {
    const { accountId, model, modelVersion } = event;
    const key = JSON.stringify([accountId, event.role, event.provider, model, modelVersion]);
    if (event.event === 'closed') this.#open.delete(key);
    else this.#open.set(key, { role, provider, heardAt: this.#now() });
    this.#forgetOld();
  }

  current(): readonly OpenCircuit[] {
    this.#forgetOld();
    return [...this.#open.values()];
  }

  #forgetOld(): void {
    for (const [key, { heardAt }] of this.#open) {
      if (this.#now() - heardAt > FORGET_AFTER_MS) this.#open.delete(key);
    }
  }
}

function attemptMetrics(registry: Registry): ModelObserver['attempt'] {
  const registers = [registry];
  const attempts = new Counter({
    name: 'vouch_model_attempts_total',
    help: 'Calls to model providers that ended; class is none unless they failed.',
    labelNames: ['role', 'provider', 'status', 'class'],
    registers,
  });
  const durations = new Histogram({
    name: 'vouch_model_attempt_duration_seconds',
    help: 'Time of one call to a model provider.',
    labelNames: ['role', 'provider'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const anchors = new Counter({
    name: 'vouch_model_anchors_total',
    help: 'Observations that calls were about; by vouch_model_attempts_total it tells how many share a call.',
    labelNames: ['role', 'provider'],
    registers,
  });
  const tokens = new Counter({
    name: 'vouch_model_tokens_total',
    help: 'Tokens as providers reported them; calls without a report are in vouch_model_unmetered_total.',
    labelNames: ['role', 'provider', 'direction'],
    registers,
  });
  const unmetered = new Counter({
    name: 'vouch_model_unmetered_total',
    help: 'Calls whose provider reported no tokens.',
    labelNames: ['role', 'provider'],
    registers,
  });
  return (event) => {
    const labels = {
      role: wordOf(MODEL_ROLES, event.role),
      provider: wordOf(MODEL_PROVIDERS, event.provider),
    };
    attempts.inc({ ...labels, status: event.status, class: event.errorClass ?? 'none' });
    durations.observe(labels, seconds(event.durationMs));
    anchors.inc(labels, growth(event.anchors));
    if (event.tokens === null) {
      unmetered.inc(labels);
      return;
    }
    for (const direction of ['input', 'output', 'embedding'] as const) {
      tokens.inc({ ...labels, direction }, growth(event.tokens[direction]));
    }
  };
}

/** `now` is in monotonic milliseconds. */
export function createModelMetrics(
  registry: Registry,
  now: () => number = () => performance.now(),
): ModelObserver {
  const circuits = new OpenCircuits(now);
  const events = new Counter({
    name: 'vouch_model_circuit_events_total',
    help: 'Circuits that opened, probed or closed, and calls that an open one kept back.',
    labelNames: ['role', 'provider', 'event'],
    registers: [registry],
  });
  const open = new Gauge({
    name: 'vouch_model_circuits_open',
    help: 'Circuits that are open as far as this process heard in the last five minutes.',
    labelNames: ['role', 'provider'],
    registers: [],
    collect() {
      this.reset();
      for (const { role, provider } of circuits.current()) this.inc({ role, provider });
    },
  });
  registry.registerMetric(open);
  return {
    attempt: attemptMetrics(registry),
    refused: createRefusalMetrics(registry),
    circuit(event) {
      const role = wordOf(MODEL_ROLES, event.role);
      const provider = wordOf(MODEL_PROVIDERS, event.provider);
      events.inc({ role, provider, event: event.event });
      circuits.note(event, role, provider);
    },
  };
}
