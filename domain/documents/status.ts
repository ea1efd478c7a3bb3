/** How far a document version is: what its chunks came to, taken together. */
import { failureStatus, type ErrorClass } from '../models/error-class.ts';

export const DOCUMENT_STATUSES = [
  'pending',
  'failed',
  'completed',
  'repairable',
  'terminal',
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export interface VersionProgress {
  /** Why the last attempt to parse it failed; null when none did. */
  readonly parseErrorClass: ErrorClass | null;
  readonly isParsed: boolean;
  /** Whether what only earlier versions attested has ended, or is left to a later version. */
  readonly isSettled: boolean;
  /** Chunks by the status of their extraction. */
  readonly chunks: Readonly<Record<DocumentStatus, number>>;
}

/**
 * The one word for all of it. As long as something goes on by itself the version is `pending` or `failed`; then
 * what an operator can mend comes before what was given up.
 */
export function documentStatus(progress: VersionProgress): DocumentStatus {
  const { parseErrorClass, isParsed, isSettled, chunks } = progress;
  if (parseErrorClass !== null) return failureStatus(parseErrorClass);
  if (!isParsed) return 'pending';
  if (chunks.failed > 0) return 'failed';
  if (chunks.pending > 0) return 'pending';
  if (chunks.repairable > 0) return 'repairable';
  if (chunks.terminal > 0) return 'terminal';
  return isSettled ? 'completed' : 'pending';
}

/** Whether nothing more happens by itself. */
export function isFinal(status: DocumentStatus): boolean {
  return status === 'completed' || status === 'repairable' || status === 'terminal';
}
