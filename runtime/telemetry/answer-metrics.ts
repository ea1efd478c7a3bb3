/** Answers: how long they took to write, and what they came to. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { AnswerObserver, RecallObserver } from '../../engine/answers/observer.ts';
import { SLOW_SECONDS, seconds } from './buckets.ts';

export function createAnswerMetrics(registry: Registry): AnswerObserver & RecallObserver {
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
  const rounds = new Counter({
    name: 'vouch_recall_rounds_total',
    help: 'Rounds of recalls, by the effort that was asked for.',
    labelNames: ['effort'],
    registers,
  });
  const recalls = new Histogram({
    name: 'vouch_recall_duration_seconds',
    help: 'Time of a recall, from the beginning of its first search on.',
    labelNames: ['effort'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const bounds = new Counter({
    name: 'vouch_recall_exhausted_total',
    help: 'Recalls that a bound stopped from doing something, by the bound.',
    labelNames: ['effort', 'bound'],
    registers,
  });
  return {
    round: ({ effort }) => rounds.inc({ effort }),
    recalled({ durationMs, effort, exhausted }) {
      recalls.observe({ effort }, seconds(durationMs));
      for (const bound of exhausted) bounds.inc({ effort, bound });
    },
    answered({ durationMs, errorClass, kind, provider }) {
      answers.observe({ provider, kind }, seconds(durationMs));
      if (errorClass !== null) failures.inc({ error_class: errorClass });
    },
  };
}
