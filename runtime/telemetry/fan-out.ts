/** Observers that tell two others, metrics first. */
import type { Observers } from './index.ts';
import type { Traces } from './traces/index.ts';

/** The observers of a process: its metrics, and its traces when there are any. */
export function withTraces(metrics: Observers, traces: Traces | null): Observers {
  if (traces === null) return metrics;
  return {
    recorded: metrics.recorded,
    questions: metrics.questions,
    searches: {
      stage(stage, durationMs) {
        metrics.searches.stage(stage, durationMs);
        traces.searches.stage(stage, durationMs);
      },
      answered(search) {
        metrics.searches.answered(search);
        traces.searches.answered(search);
      },
    },
    sourceSearches: {
      answered(search) {
        metrics.sourceSearches.answered(search);
        traces.sourceSearches.answered(search);
      },
    },
    answers: {
      round(round) {
        metrics.answers.round(round);
        traces.answers.round(round);
      },
      recalled(recall) {
        metrics.answers.recalled(recall);
        traces.answers.recalled(recall);
      },
      answered(answer) {
        metrics.answers.answered(answer);
        traces.answers.answered(answer);
      },
    },
    models: {
      attempt(event) {
        metrics.models.attempt(event);
        traces.models.attempt(event);
      },
      circuit: (event) => metrics.models.circuit(event),
      refused: (event) => metrics.models.refused(event),
    },
  };
}
