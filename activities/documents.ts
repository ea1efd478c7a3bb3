/** Lane `documents`: reads document versions, each parsed in a process of its own. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { failureStatus, isErrorClass } from '../domain/models/error-class.ts';
import type { DocumentReader } from '../engine/documents/reader.ts';
import type { DocumentActivities } from './contracts.ts';
import { unlessHopeless } from './failure.ts';

export interface DocumentActivityOptions {
  readonly reader: DocumentReader;
}

const HEARTBEAT_EVERY_MS = 1_000;

/** A document that cannot be read stays unreadable: the failure's class says that another attempt gains nothing. */
function isUnreadable(code: string): boolean {
  const errorClass = code.toLowerCase();
  return isErrorClass(errorClass) && failureStatus(errorClass) !== 'failed';
}

async function alive<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat({}), HEARTBEAT_EVERY_MS);
  try {
    return await unlessHopeless(work, isUnreadable);
  } finally {
    clearInterval(beat);
  }
}

/** The activities of the lane. */
export function createDocumentActivities({ reader }: DocumentActivityOptions): DocumentActivities {
  return {
    parseDocument: (run) => alive(() => reader.parse(run, cancellationSignal())),
    settleDocument: (run) => alive(() => reader.settle(run)),
  };
}
