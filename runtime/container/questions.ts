/** Questions to people beside reads. Failures go to the log, because no read reports them. */
import {
  createQuestions,
  type AskingOutcome,
  type Questions,
} from '../../engine/questions/asking.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

export interface QuestionsOptions {
  readonly observe?: ((outcome: AskingOutcome) => void) | undefined;
  /** See `ContainerOptions`. */
  readonly patienceMs?: number | undefined;
}

/** Asks, logs what fails, and tells `observe` how each asking ended. */
export function buildQuestions(
  inAccount: InAccount,
  log: Log,
  { observe = () => undefined, patienceMs }: QuestionsOptions = {},
): Questions {
  return createQuestions({
    inAccount,
    ...(patienceMs === undefined ? {} : { longestMs: patienceMs }),
    observe(outcome, error) {
      observe(outcome);
      if (outcome === 'failed') log.warn('question.failed', errorFields(error));
    },
  });
}
