/** Answers: how long they took to write, and what they came to. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { AnswerObserver } from '../../engine/answers/observer.ts';
import { SLOW_SECONDS, seconds } from './buckets.ts';

export function createAnswerMetrics(registry: Registry): AnswerObserver {
  const registers = [registry];
  const answers = new Histogram({
    name: 'vouch_answer_duration_seconds',
    help: 'Time of writing an answer, without the searches before it, by what the answer came to.',
    labelNames: ['provider', 'kind'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const failures = new Counter({
    name: 'vouch_answer_failures_total',
    help: 'Answers that the model failed to write, by the class of the failure.',
    labelNames: ['error_class'],
    registers,
  });
  return {
    answered({ durationMs, errorClass, kind, provider }) {
      answers.observe({ provider, kind }, seconds(durationMs));
      if (errorClass !== null) failures.inc({ error_class: errorClass });
    },
  };
}
