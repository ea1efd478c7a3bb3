/** The status of a document version: its parsing, its chunks and its settlement taken together. */
import { failureStatus, type ErrorClass } from '../error-class.ts';

const DOCUMENT_STATUSES = ['pending', 'failed', 'completed', 'repairable', 'terminal'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export interface VersionProgress {
  /** Why the last attempt to parse it failed; null when none did. */
  readonly parseErrorClass: ErrorClass | null;
  readonly isParsed: boolean;
  /** Whether the statements that only earlier versions attested have ended, or a later version is left to end them. */
  readonly isSettled: boolean;
  /** Chunks by the status of their extraction. */
  readonly chunks: Readonly<Record<DocumentStatus, number>>;
}

/**
 * The one status of the version. As long as work goes on by itself it is `pending` or `failed`; after that
 * `repairable`, which an operator can mend, comes before `terminal`, which was given up.
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
