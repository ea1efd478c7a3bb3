/** Lane `documents`: reads document versions, each parsed in a process of its own. */
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isPassing } from '../domain/actors/run-failure.ts';
import { failureStatus, isErrorClass } from '../domain/models/error-class.ts';
import type { DocumentReader } from '../engine/documents/reader.ts';
import type { DocumentActivities } from './contracts.ts';
import { failureCode } from './failure.ts';

export interface DocumentActivityOptions {
  readonly reader: DocumentReader;
}

const HEARTBEAT_EVERY_MS = 1_000;
/** At this attempt the activity gives up a failure that waiting does not mend; the reconcile starts the run again. */
const GIVE_UP_AT_ATTEMPT = 4;

/** A document that cannot be read stays unreadable: the failure's class says that another attempt gains nothing. */
function isFinal(code: string): boolean {
  const errorClass = code.toLowerCase();
  if (isErrorClass(errorClass) && failureStatus(errorClass) !== 'failed') return true;
  return !isPassing(code) && activityInfo().attempt >= GIVE_UP_AT_ATTEMPT;
}

async function unlessHopeless<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat({}), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } catch (error) {
    const code = failureCode(error);
    if (!isFinal(code)) throw error;
    throw ApplicationFailure.nonRetryable(code, code);
  } finally {
    clearInterval(beat);
  }
}

/** The activities of the lane. */
export function createDocumentActivities({ reader }: DocumentActivityOptions): DocumentActivities {
  return {
    parseDocument: (run) => unlessHopeless(() => reader.parse(run, cancellationSignal())),
    settleDocument: (run) => unlessHopeless(() => reader.settle(run)),
  };
}
