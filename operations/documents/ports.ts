/** What the document operations reach the world through. */
import type { Reader } from '../../domain/governance/visibility.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type {
  NewDocumentVersion,
  SubmittedVersion,
} from '../../stores/postgres/documents/submit.store.ts';
import type {
  DocumentWithdrawal,
  WithdrawnDocument,
} from '../../stores/postgres/documents/withdraw.store.ts';
import type { VersionStatusRow } from '../../stores/postgres/documents/status.store.ts';
import type { KnowledgeRead, KnowledgeRow } from '../../stores/postgres/knowledge-rows.store.ts';

export interface DocumentServices {
  /** Lower-case hex. Does not hold the event loop. */
  sha256Of(bytes: Uint8Array): Promise<string>;
  /**
   * Keeps the bytes, then commits the version with its run. `unavailable` when the bytes cannot be kept. `confirm`
   * is asked between the two, since keeping them may take long: what it throws leaves the version uncommitted.
   */
  submit(
    version: NewDocumentVersion,
    bytes: Uint8Array,
    confirm: () => Promise<void>,
  ): Promise<SubmittedVersion>;
  /** Commits the withdrawal with its run, once. Throws `not_found` where there is none, or `mayWrite` says no. */
  withdraw(
    withdrawal: DocumentWithdrawal,
    mayWrite: (path: ScopePath) => boolean,
  ): Promise<WithdrawnDocument>;
  readStatus(
    accountId: string,
    versionId: string,
    reader: Reader,
  ): Promise<VersionStatusRow | null>;
  readKnowledge(accountId: string, read: KnowledgeRead): Promise<readonly KnowledgeRow[]>;
  /** Returns once nothing more happens to the version by itself, `waitMs` are over, or the signal fires. */
  waitUntilSettled(
    accountId: string,
    versionId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** Has the run of the version started now. Returns at once and never throws. */
  startSoon(): void;
}
