/** Lane `documents`: reads document versions, each parsed in a process of its own. */
import { cancellationSignal } from '@temporalio/activity';
import { failureStatus, isErrorClass } from '../domain/error-class.ts';
import type { DocumentReader } from '../engine/documents/reader.ts';
import type { DocumentActivities } from './contracts.ts';
import { alive } from './alive.ts';
import { unlessHopeless } from './failure.ts';

export interface DocumentActivityOptions {
  readonly reader: DocumentReader;
}

/** A document that cannot be read stays unreadable: the failure's class says that another attempt gains nothing. */
function isUnreadable(code: string): boolean {
  const errorClass = code.toLowerCase();
  return isErrorClass(errorClass) && failureStatus(errorClass) !== 'failed';
}

const steadily = <T>(work: () => Promise<T>): Promise<T> =>
  alive(() => unlessHopeless(work, isUnreadable));

/** The activities of the lane. */
export function createDocumentActivities({ reader }: DocumentActivityOptions): DocumentActivities {
  return {
    parseDocument: (run) => steadily(() => reader.parse(run, cancellationSignal())),
    settleDocument: (run) => steadily(() => reader.settle(run)),
  };
}
